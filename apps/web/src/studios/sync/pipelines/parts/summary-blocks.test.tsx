/** Every count over the table leads to the pipelines it counts. */
import { show } from "@accord/ui/test-kit";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import "../../../../app/words.ts";
import { SummaryBlocks } from "./summary-blocks.tsx";

const EVERYTHING = {
  pipelineState: undefined,
  pipelineStatus: undefined,
  search: undefined,
  sources: undefined,
  destinations: undefined,
  agreement: undefined,
  unmapped: undefined,
};
const summary = { total: 9, draft: 2, running: 5, resyncing: 0, paused: 1, error: 1, warning: 3 };

test("each count leads to what it counts, whatever the table was narrowed to before, and the total to all pipelines", async () => {
  const onPick = vi.fn();
  show(<SummaryBlocks summary={summary} filters={{ pipelineStatus: "Draft" }} onPick={onPick} />);
  await expect.element(page.getByRole("button", { name: "2 Draft" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "3 Warning" }).click();
  expect(onPick).toHaveBeenLastCalledWith({ ...EVERYTHING, pipelineState: "Warning" });
  await page.getByRole("button", { name: "9 Total" }).click();
  expect(onPick).toHaveBeenLastCalledWith(EVERYTHING);
});

test("a count is not shown as picked while the table is narrowed to something else as well", async () => {
  show(<SummaryBlocks summary={summary} filters={{ pipelineStatus: "Draft", search: "acc" }} onPick={() => {}} />);
  await expect.element(page.getByRole("button", { name: "2 Draft" })).toHaveAttribute("aria-pressed", "false");
});
