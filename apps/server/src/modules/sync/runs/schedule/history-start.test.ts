/** Which sources of a resync have yet to bring in what they held before they were read first. */
import { describe, expect, test } from "vitest";
import { awaitsHistory } from "./history-start.ts";

const RESYNC = { nodeIds: ["crm", "shop"], finished: ["crm"] };

describe("what a source held before its first reading is yet to be brought in", () => {
  const awaiting = (wholeSources: string[] = []) =>
    ["crm", "shop", "books"].filter((nodeId) => awaitsHistory({ resync: RESYNC, wholeSources }, nodeId));

  test("only of those the resync reads, until each is read to its end, while others are still being read", () => {
    expect(awaiting()).toEqual(["shop"]);
  });

  test("not of those that were read from beginning to end before", () => {
    expect(awaiting(["shop"])).toEqual([]);
  });

  test("not where nothing is brought in", () => {
    expect(awaitsHistory({ resync: null, wholeSources: [] }, "shop")).toBe(false);
  });
});
