/** Records that wait for fields which their place does not have: said to people, and asked for where that can tell more. */
import { expect, test } from "vitest";
import { newRun, type Run } from "../../run.ts";
import { claimedDelivery, storedLink, twoSystems } from "../../protocol/fixtures/stored.ts";
import { missingPart, replaceFields, seenFingerprint } from "../../state/fingerprint.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";
import { recordDeferred } from "./deferred-records.ts";
import { SHOWN_AFTER_MS } from "./pending-writes.ts";

const { plan, sink, source } = twoSystems();
const { readFields } = sink.place;
const whole = seenFingerprint("programx", readFields, { email: null, name: "Ada", phone: "1", note: null });
const lacking = replaceFields(
  whole,
  readFields.length,
  new Map([[readFields.indexOf("phone"), missingPart(null, false)]]),
);
const phone = sink.mappings.filter(({ coreField }) => coreField === "phone");

function waiting(deliveries: readonly Partial<ClaimedDelivery>[], at = plan): Run {
  const start = { cycleId: "c", epoch: 1, sources: [], resync: null, failures: {} };
  const run = newRun(start, { sources: [], unreadPlaces: [], sinkPlaces: [] });
  recordDeferred(
    { plan: at, run, sink },
    deliveries.map((one) => ({ delivery: claimedDelivery(one), owed: phone })),
  );
  return run;
}
const askedOf = (run: Run): (readonly [boolean | undefined, string[]])[] =>
  run.sources.flatMap(({ slots }) =>
    slots.map(({ isUnsure, page }) => [isUnsure, page?.records.map(({ id }) => id) ?? []] as const),
  );
const linkOf = (externalId: string, seen: string | null = lacking) => storedLink({ externalId, seen });

test("those that came without it are asked for by their ids, in one go", () => {
  const run = waiting([{ link: linkOf("A1") }, { link: linkOf("A2", whole) }, { link: linkOf("A3") }, { link: null }]);
  expect(askedOf(run)).toEqual([[true, ["A1", "A3"]]]);
  expect(run.sources.map(({ nodeId }) => nodeId)).toEqual([source.nodeId]);
});

test("what was just written may not be shown yet: it is asked for once it would be", () => {
  const after = (writtenForMs: number) => askedOf(waiting([{ link: linkOf("A1"), writtenForMs }]));
  expect(after(SHOWN_AFTER_MS - 1)).toEqual([]);
  expect(after(SHOWN_AFTER_MS)).toEqual([[true, ["A1"]]]);
});

test("nobody is asked where single records can't be asked for, or nothing is read", () => {
  const blind = plan.sources.map((one) => ({ ...one, canGetById: false }));
  expect(askedOf(waiting([{ link: linkOf("A1") }], { ...plan, sources: blind }))).toEqual([]);
  const [, other] = plan.sources;
  expect(askedOf(waiting([{ link: linkOf("A1") }], { ...plan, sources: other ? [other] : [] }))).toEqual([]);
});

test("people learn of each field that is waited for, and by how many records", () => {
  const run = waiting([{ link: linkOf("A1") }, { link: null, recordId: "r7" }]);
  expect(run.problems).toMatchObject([{ severity: "warning", targetId: "phone", count: 2, detail: "A1" }]);
  expect(waiting([{ link: null, recordId: "r7" }]).problems).toMatchObject([{ detail: "r7", count: 1 }]);
  expect(waiting([]).problems).toEqual([]);
});
