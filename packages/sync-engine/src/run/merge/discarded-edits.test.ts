/** Edits that a deletion takes along: which are said, where they were made and where they were yet to be told. */
import { expect, test } from "vitest";
import { storedRecord, twoSystems } from "../protocol/fixtures/stored.ts";
import { writtenFingerprint } from "../state/fingerprint.ts";
import { discardedEdits, unsentEdits, warningsOfDeleted } from "./discarded-edits.ts";

const { sink } = twoSystems();
const stored = storedRecord({ deleted: true, values: { name: "Ada", phone: null } });

test("of a source's record those that changed and say something else than the deleted record held", () => {
  const discarded = (values: Record<string, string | null>, ...changed: string[]) =>
    discardedEdits(values, (field) => changed.includes(field), stored);
  expect(discarded({ name: "Eve", phone: "2" }, "name")).toEqual({ name: ["Eve", "deleted"] });
  expect(discarded({ name: "Eve", phone: "2" }, "name", "phone")).toEqual({
    name: ["Eve", "deleted"],
    phone: ["2", "deleted"],
  });
  expect([discarded({ name: "Ada", phone: null }, "name", "phone"), discarded({ name: "Eve" })]).toEqual([null, null]);
  expect(discarded({ name: null }, "name"), "cleared").toEqual({ name: [null, "deleted"] });
  expect(discarded({ note: "new" }, "note"), "never held").toEqual({ note: ["new", "deleted"] });
});

test("of a place those that it was yet to be told when its record was gone; none where it was told nothing", () => {
  const lastWritten = writtenFingerprint(sink.place.writeFields, { name: "Ada", phone: "1" });
  expect(unsentEdits(sink, { lastWritten }, { name: "Eve", phone: "1" })).toEqual({ name: ["Eve", "deleted"] });
  expect(unsentEdits(sink, { lastWritten }, { name: "Ada", phone: "1" })).toBeNull();
  expect(unsentEdits(sink, { lastWritten: null }, { name: "Eve" })).toBeNull();
});

test("each field is named once, with its record", () => {
  const warnings = warningsOfDeleted(
    "n",
    { record: { id: "A1" } },
    { name: ["Eve", "deleted"], phone: ["2", "deleted"] },
  );
  expect(warnings).toMatchObject([
    { nodeId: "n", code: "edited_while_deleted", record: "A1", field: "name" },
    { nodeId: "n", code: "edited_while_deleted", record: "A1", field: "phone" },
  ]);
});
