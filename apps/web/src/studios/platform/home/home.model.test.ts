/** Home puts what needs a person first. */
import { expect, test } from "vitest";
import { needsAttention, shortCount, urgentFirst } from "./home.model.ts";

const row = (name: string, syncStatus: "ERROR" | "RUNNING" | "QUEUED" | "UNPUBLISHED", errorCount = 0) => ({
  name,
  syncStatus,
  errorCount,
});

test("pipelines in trouble come first, unpublished ones not at all", () => {
  const rows = [
    row("C", "QUEUED"),
    row("B", "RUNNING"),
    row("D", "UNPUBLISHED"),
    row("A", "QUEUED", 2),
    row("E", "ERROR"),
  ];
  expect(urgentFirst(rows).map(({ name }) => name)).toEqual(["E", "A", "B", "C"]);
  expect(needsAttention(row("x", "QUEUED"))).toBe(false);
});

test("large counts are shortened, exact ones kept readable", () => {
  expect(shortCount(20_855)).toBe("20,855");
  expect(shortCount(1_234_567)).toBe("1.2M");
});
