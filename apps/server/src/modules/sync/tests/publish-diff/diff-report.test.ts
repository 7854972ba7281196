/** What an answer keeps of many records: all are counted, those that fit are listed. */
import { PUBLISH_DIFF_LIMITS as LIMITS } from "@accord/contracts/sync/tests/publish-diff";
import { id } from "@accord/contracts";
import { expect, test } from "vitest";
import type { compareResults } from "./compare-results.ts";
import { DiffReport } from "./diff-report.ts";

type Compared = NonNullable<ReturnType<typeof compareResults>>;

const DESTINATIONS = [{ place: "a/b", nodeId: "to", label: "To", version: "both" as const }];
const record = (index: number) => ({ recordId: id("record").parse(String(index).padStart(24, "0")), name: null });

/** A record in which so many fields get so long a text. */
const differing = (count: number, length: number): Compared => ({
  changes: ["values"],
  values: Array.from({ length: count }, (_, index) => ({
    field: `field ${index}`,
    before: null,
    after: "ä".repeat(length),
  })),
  merged: null,
  attached: [],
  heldBack: [],
  refused: [],
  actions: null,
  destinations: [{ destination: 0, change: "updated", isDue: false, message: null, fields: [] }],
});

test("an answer stays within its bytes, and records beyond are counted", () => {
  const report = new DiffReport(DESTINATIONS);
  for (let index = 0; index < 100; index += 1) report.add(record(index), [], differing(50, 5_000));
  const { records, ...counted } = report.result();
  expect(counted).toMatchObject({ compared: 100, differing: 100, counts: { values: 100 } });
  expect(counted.destinations[0]).toMatchObject({ counts: { updated: 100 }, notDue: 100 });
  expect(records.length).toBeGreaterThan(0);
  expect(records.length).toBeLessThan(100);
  expect(Buffer.byteLength(JSON.stringify(records))).toBeLessThan(LIMITS.bytes + 1_000);
});

test("a record with many fields says that not all are listed", () => {
  const report = new DiffReport(DESTINATIONS);
  report.add(record(1), [], differing(500, 3));
  report.add(record(2), [], differing(3, 3));
  report.add(record(3), [], null);
  expect(report.result().records.map(({ values, isCut }) => [values.length, isCut])).toEqual([
    [50, true],
    [3, false],
  ]);
  expect(report.result()).toMatchObject({ compared: 3, differing: 2 });
});
