/** Records that show in full what was sent to create another one: only where part of them stands as before. */
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import type { Unanswered } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import { resolvedWith, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { seenFingerprint, writtenFingerprint } from "../fingerprint.ts";
import { creationsOfOthers } from "./unconfirmed-creations.ts";

const { source } = twoSystems();
const { readFields } = source.place;
const { writeFields } = twoSystems().sink.place;
const BEFORE = { email: "ada@example.com", name: "Ada", phone: "1", note: "first" };
/** Fingerprint of what was sent to create record r2. */
const SENT = { ...BEFORE, name: "Eve", note: "second" };

/** What the record of r1 shows now: how many attempts to create others it may be. */
function found(
  now: Values,
  unanswered: Partial<Unanswered> & { recordId?: string } = {},
  known: Partial<StoredLink> = {},
): number {
  const { recordId = "r2", ...more } = unanswered;
  const attempt: Unanswered = {
    intent: "create",
    written: [writtenFingerprint(writeFields, SENT)],
    isTied: false,
    ...more,
  };
  const shown = seenFingerprint(source.program, readFields, now);
  const link = storedLink({ seen: seenFingerprint(source.program, readFields, BEFORE), ...known });
  const resolved = resolvedWith({ unanswered: new Map([[recordId, attempt]]) });
  return creationsOfOthers(source, { id: "A1", values: now }, { shown, link }, resolved).length;
}

test("a record that shows what was sent, part of it as before, may have been updated instead", () => {
  expect(found(SENT)).toBe(1);
  expect(found({ ...SENT, note: "third" }), "it shows something else").toBe(0);
});

test("a record all of whose fields are others now was not updated by a key that both have", () => {
  const link = { email: "eve@example.com", name: "Eve", phone: "2", note: "second" };
  expect(found(link, { written: [writtenFingerprint(writeFields, link)] })).toBe(0);
});

test("only attempts to create other records count, and of those what is tied to nothing yet", () => {
  expect(found(SENT, { intent: "update" })).toBe(0);
  expect(found(SENT, { isTied: true })).toBe(0);
  expect(found(SENT, { recordId: "r1" }), "its own").toBe(0);
});

test("nothing stands as before of a record that was gone, nor of one that was never read", () => {
  expect(found(SENT, {}, { dead: true })).toBe(0);
  expect(found(SENT, {}, { seen: null })).toBe(0);
});
