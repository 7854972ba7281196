/** Every count over the table leads to the pipelines it counts. */
import { show } from "@accord/ui/test-kit";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { SummaryBlocks } from "./summary-blocks.tsx";

const summary = { total: 9, draft: 2, running: 5, resyncing: 0, paused: 1, error: 1, warning: 3 };

test("each count narrows the table to what it counts, and the total takes that back", async () => {
  const onPick = vi.fn();
  show(<SummaryBlocks summary={summary} filters={{ pipelineStatus: "Draft" }} onPick={onPick} />);
  await expect.element(page.getByRole("button", { name: "2 Draft" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "3 Warning" }).click();
  expect(onPick).toHaveBeenLastCalledWith({ pipelineState: "Warning", pipelineStatus: undefined });
  await page.getByRole("button", { name: "9 Total" }).click();
  expect(onPick).toHaveBeenLastCalledWith({ pipelineState: undefined, pipelineStatus: undefined });
});
