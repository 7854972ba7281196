/** What follows from a write without an answer: how long it is not repeated, and which fields it may have left otherwise. */
import { hashValue } from "@accord/connector-sdk/fingerprint";
import { expect, test } from "vitest";
import { inDoubtForMs } from "../../sink/deliveries/pending-writes.ts";
import { twoSystems } from "../../protocol/fixtures/stored.ts";
import { writtenFingerprint } from "../fingerprint.ts";
import { isInDoubt } from "./unconfirmed-writes.ts";

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

test("a field that nobody reads is in doubt where any write without an answer may have left another value in it", () => {
  const { readFields, writeFields } = sink.place;
  const unread = { ...sink, place: { ...sink.place, readFields: readFields.filter((name) => name !== "note") } };
  const mapping = sink.mappings.find(({ connectorField }) => connectorField === "note");
  if (!mapping) throw new Error("the destination has no field for notes");
  const after = (...notes: (string | undefined)[]) => ({
    intent: "update" as const,
    written: notes.map((note) => writtenFingerprint(writeFields, note === undefined ? { name: "Ada" } : { note })),
  });
  const isDoubtful = (unanswered: Parameters<typeof isInDoubt>[2], of: typeof sink = unread) =>
    isInDoubt(of, mapping, unanswered, hashValue("as it is"));
  expect(isDoubtful(after("other"))).toBe(true);
  expect(isDoubtful(after("as it is", "other")), "one of two").toBe(true);
  expect(isDoubtful(after("as it is", "as it is"))).toBe(false);
  expect(isDoubtful(after(undefined)), "it wrote other fields").toBe(false);
  expect(isDoubtful(after())).toBe(false);
  expect(isDoubtful(null), "every write was answered").toBe(false);
  const readFirst = { ...sink, place: { ...sink.place, readFields: ["note"] } };
  for (const read of [sink, readFirst])
    expect(isDoubtful(after("other"), read), "what is read shows what stands there").toBe(false);
});
