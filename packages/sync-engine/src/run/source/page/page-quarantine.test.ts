/** What people are shown of a record that a page could not take up: which it is, why, and what it held. */
import { expect, test } from "vitest";
import { flowOf, inboundRecordOf, storedRecord, twoSystems } from "../../protocol/fixtures/stored.ts";
import { failed, unreadable, unstorable } from "./page-quarantine.ts";

const { source } = twoSystems();
const record = { id: "A1", values: { name: "Ada" } };
const SOURCE = { direction: "source", externalId: "A1" };

test("one that failed on its way names the node and the reason, and the record that it belongs to", () => {
  const failure = { nodeId: "n", code: "bad", message: "Bad" };
  const known = inboundRecordOf({
    record: { ...record, modifiedAt: "2026" },
    stored: storedRecord({ recordId: "r7" }),
  });
  expect(failed(known, flowOf({ values: { name: "changed" } }))).toEqual({
    ...{ ...SOURCE, recordId: "r7", nodeId: null, code: "unexpected", message: "" },
    ...{ payload: record.values, modifiedAt: "2026" },
  });
  const fresh = failed(inboundRecordOf({ record }), { ...flowOf(), failure });
  expect(fresh).toEqual({ ...SOURCE, recordId: null, ...failure, payload: record.values });
});

test("one that can't be stored is shown with what it holds; a deleted one holds nothing", () => {
  const shown = { ...SOURCE, recordId: null, nodeId: source.nodeId, code: "unstorable", message: "too long" };
  expect(unstorable(source, { record, reason: "too long" })).toEqual({ ...shown, payload: record.values });
  const deleted = { ...record, deleted: true, modifiedAt: "2026" };
  expect(unstorable(source, { record: deleted, reason: "too long" })).toEqual({
    ...shown,
    payload: null,
    modifiedAt: "2026",
  });
});

test("one that can't be read is named by its id, else by where it stands, which is said once", () => {
  const shown = { direction: "source", recordId: null, nodeId: source.nodeId, code: "unreadable", payload: null };
  expect(unreadable(source, { place: "line 4", message: "broken" })).toEqual({
    ...shown,
    externalId: "line 4",
    message: "broken",
  });
  expect(unreadable(source, { id: "7", place: "id 7", message: "broken" })).toEqual({
    ...shown,
    externalId: "7",
    message: "broken",
  });
  expect(unreadable(source, { id: "7", place: "line 4", message: "broken", excerpt: "7;x" })).toEqual({
    ...{ ...shown, externalId: "7", message: "line 4: broken", payload: { excerpt: "7;x" } },
  });
});
