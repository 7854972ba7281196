/** For how long a creation without an answer is not repeated: until its system would show what was done. */
import { expect, test } from "vitest";
import { inDoubtForMs } from "../sink/pending-writes.ts";
import { twoSystems } from "../protocol/stored.fixtures.ts";

const { sink } = twoSystems({ lagMs: 0 });
const doubt = (idempotentCreate: boolean, readDelayMs = 0) =>
  inDoubtForMs({ ...sink, idempotentCreate, readDelayMs }, "create");

test("a creation that may make a second record is not repeated before lists and look-ups would show the first", () => {
  expect(doubt(false)).toBeGreaterThanOrEqual(15_000);
  expect(doubt(false, 60_000), "a system that is known to be slower").toBe(60_000);
});

test("one that the system knows by its key, and changes of a record that is there, need not wait", () => {
  expect(doubt(true)).toBe(0);
  expect(inDoubtForMs({ ...sink, idempotentCreate: false, readDelayMs: 0 }, "update")).toBe(0);
});
