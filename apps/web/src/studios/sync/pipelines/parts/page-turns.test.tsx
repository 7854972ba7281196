/** A list that is read page by page has a way to every page, and says where it ends. */
import { show } from "@accord/ui/test-kit";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { PageTurns } from "./page-turns.tsx";

test("older and newer pages are a press away, and the end of the list is said", async () => {
  const onTurn = vi.fn();
  show(<PageTurns page={{ nextCursor: "after", previousCursor: null }} onTurn={onTurn} />);
  await expect.element(page.getByRole("button", { name: "Newer" })).toBeDisabled();
  await page.getByRole("button", { name: "Older" }).click();
  expect(onTurn).toHaveBeenLastCalledWith({ cursor: "after", direction: "next" });
});

test("a list on one page has no ways to others", async () => {
  show(
    <>
      <p>The list</p>
      <PageTurns page={{ nextCursor: null, previousCursor: null }} onTurn={() => {}} />
    </>,
  );
  await expect.element(page.getByText("The list")).toBeVisible();
  expect(page.getByRole("button").elements()).toHaveLength(0);
});
