/** Bars of the latest cycles: what they say in words, and how high each is. */
import { show } from "@accord/ui/test-kit";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { loadAllWords } from "../../../../../app/words.ts";
import { barHeights, RecentCycles } from "./recent-cycles.tsx";

const cycle = (changed: number, isFailed = false) => ({ startedAt: "2026-11-25T10:00:00.000Z", changed, isFailed });

test("the bars say in words how many records the latest cycles changed, and how many of them failed", async () => {
  await loadAllWords();
  show(<RecentCycles cycles={[cycle(1_200), cycle(0, true), cycle(34)]} />);
  const bars = page.getByRole("img", { name: "The latest 3 cycles changed 1,234 records, 1 failed" });
  await expect.element(bars).toBeVisible();
  expect(bars.element().querySelectorAll("[data-failed]")).toHaveLength(1);
});

test("a cycle that changed nothing is seen, and more is never lower", () => {
  expect(barHeights([cycle(0), cycle(1), cycle(100), cycle(100)])).toEqual([2, 2, 18, 18]);
  expect(barHeights([cycle(0), cycle(0)])).toEqual([2, 2]);
});
