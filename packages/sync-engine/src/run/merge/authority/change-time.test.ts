/** When a change counts as made, by its record's time stamp or by when it was noticed. */
import { expect, test } from "vitest";
import { changeTime } from "./change-time.ts";
import type { StoredLink } from "../../protocol/stored.ts";

const [BEFORE, KNOWN, NOW] = ["2026-01-01T00:00:00.000Z", "2026-02-01T00:00:00.000Z", "2026-03-01T00:00:00.000Z"];

const AHEAD = "2026-03-01T01:00:00.000Z";

const at = (
  modifiedAt: string | undefined,
  { isCurrent = true, reapply = false, seen = "new" }: { isCurrent?: boolean; reapply?: boolean; seen?: string } = {},
  known: string | null = KNOWN,
): string => {
  const record = { id: "1", values: {}, ...(modifiedAt === undefined ? {} : { modifiedAt }) };
  const link: StoredLink = {
    externalId: "1",
    recordId: "r",
    seen: "old",
    lastWritten: null,
    refused: null,
    respelled: null,
    modifiedAt: known,
    dead: false,
  };
  return changeTime({ record, link, seen }, { now: NOW, reapply }, isCurrent);
};

test("the record's own time stamp counts where it moved on, or nothing else changed", () => {
  expect(at(NOW)).toBe(NOW);
  expect(at(KNOWN, { seen: "old" })).toBe(KNOWN);
  expect(at(BEFORE, {}, null)).toBe(BEFORE);
  expect(at(undefined)).toBe(NOW);
});

test("a clock that is ahead sets no time beyond the moment of reading", () => {
  expect(at(AHEAD)).toBe(NOW);
  expect(at(AHEAD, {}, null)).toBe(NOW);
  expect(at(AHEAD, { isCurrent: false })).toBe(NOW);
  expect(at(AHEAD, { reapply: true })).toBe(NOW);
});

test("a change whose time stamp stood still or went back was made by now, if the source tells how records stand", () => {
  expect(at(KNOWN)).toBe(NOW);
  expect(at(BEFORE)).toBe(NOW);
  expect(at(BEFORE, { isCurrent: false })).toBe(BEFORE);
  expect(at(BEFORE, { reapply: true })).toBe(BEFORE);
});
