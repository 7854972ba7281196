/** Whether an external record has another key by now, so that what waits for the former one may be created. */
import { expect, test } from "vitest";
import { twoSystems } from "../../protocol/fixtures/stored.ts";
import { writtenFingerprint } from "../../state/fingerprint.ts";
import { keyChange } from "./key-changes.ts";

const { sink } = twoSystems();
const keyed = { ...sink, matchOn: "email" };
const holding = (values: object): string => writtenFingerprint(sink.place.writeFields, { ...values });
const changed = (before: string | null, after: string | null, at = keyed) => keyChange(at, { before, after }, 700);

test("another value of the field by which records are found, as soon as look-ups show it", () => {
  expect(changed(holding({ email: "a" }), holding({ email: "b" }))).toEqual({ rekeyedForMs: 700 });
  expect(changed(holding({ email: "a", name: "x" }), holding({ email: "a", name: "y" }))).toEqual({});
});

test("nothing where one of the two is not known, or nothing is found by a field that is written", () => {
  expect([changed(null, holding({ email: "b" })), changed(holding({ email: "a" }), null)]).toEqual([{}, {}]);
  expect([changed(holding({}), holding({ email: "b" })), changed(holding({ email: "a" }), holding({}))]).toEqual([
    {},
    {},
  ]);
  const [before, after] = [holding({ email: "a" }), holding({ email: "b" })];
  expect(changed(before, after, { ...keyed, matchOn: "another" })).toEqual({});
  expect(keyChange({ ...sink, matchOn: null }, { before, after }, 700)).toEqual({});
});

test("each of the written fields may be the one that records are found by", () => {
  for (const field of sink.place.writeFields) {
    const at = { ...sink, matchOn: field };
    expect(keyChange(at, { before: holding({ [field]: "a" }), after: holding({ [field]: "b" }) }, 0), field).toEqual({
      rekeyedForMs: 0,
    });
  }
});
