/** The header says whether the draft is saved, why not, and offers the way on. */
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { SaveIndicator } from "./save-indicator.tsx";

test("a save that failed says why and can be repeated; two drafts against each other can be chosen from", async () => {
  const pressed: string[] = [];
  const actions = { onRetry: () => pressed.push("retry"), onDecide: () => pressed.push("decide") };
  show(<SaveIndicator saveState={{ state: "saved" }} {...actions} />);
  // The announced text is the state alone, without a blank beside the icon.
  await expect.element(page.getByRole("status")).toBeVisible();
  expect(page.getByRole("status").element().textContent).toBe("Saved");
  show(<SaveIndicator saveState={{ state: "failed", reason: "The server can't be reached." }} {...actions} />);
  await expect.element(page.getByText("Save Failed: The server can't be reached.")).toBeVisible();
  await page.getByRole("button", { name: "Retry" }).click();
  show(<SaveIndicator saveState={{ state: "conflict", kind: "published" }} {...actions} />);
  await page.getByRole("button", { name: "Choose" }).click();
  expect(pressed).toEqual(["retry", "decide"]);
});
