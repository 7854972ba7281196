/** The new rows of a page: records as their columns take them, their links, and what the ledger says of both. */
import { FieldSchema } from "@accord/contracts/data/schema";
import type { CommitBatch, LedgerEntry, LinkWrite } from "@accord/sync-engine/run";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { newId, PLACE, pageOf, storeWorld } from "../../../../../../test-kit/replay/store-world.ts";
import { createTable } from "../../../../data/schema/index.ts";
import { runStorage } from "../run-storage.store.ts";

const FIELDS = [
  { apiName: "title" },
  { apiName: "count", dataType: "integer" },
  { apiName: "flag", dataType: "boolean" },
  { apiName: "day", dataType: "date" },
  { apiName: "at", dataType: "datetime" },
  { apiName: "tags", isMultiValueField: true },
] as const;
const THING = {
  apiName: "Thing",
  fields: FIELDS.map((field) => FieldSchema.parse({ displayName: field.apiName, ...field })),
};

/** A pipeline of things whose fields are of all kinds. */
async function things() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const it = await storeWorld(database);
  const { pool, instanceId, pipelineId, run, schema } = it;
  for (const statement of createTable(instanceId, THING)) await pool.query(statement);
  const storage = runStorage(pool, {
    ...{ instanceId, pipelineId, entityNumber: 1, entity: THING },
    referrers: async () => [],
  });
  const commit = async (batch: Partial<CommitBatch>) =>
    expect(await storage.commit(run, { ...pageOf(), position: null, ...batch }, newId)).toMatchObject({
      status: "done",
    });
  const rows = async (text: string) => (await pool.query(text.replaceAll("$SCHEMA", schema))).rows;
  return { commit, rows, run };
}
const linkOf = (externalId: string, recordId: string, more: Partial<LinkWrite> = {}): LinkWrite => ({
  ...{ externalId, recordId, seen: null, lastWritten: null, refused: null, respelled: null, modifiedAt: null },
  ...{ dead: false, isNew: true },
  ...more,
});

test("records go in with values of every kind, with what they lack as nothing, and with who set what", async () => {
  const { commit, rows } = await things();
  const values = {
    title: 'a "tab"\t, a line\n and a \\',
    count: 7,
    flag: false,
    day: "2026-01-31",
    at: "2026-01-31T10:30:00.000Z",
    tags: ["x", 'y"'],
  };
  const origin = { title: { by: "crm/thing", at: "2026" } };
  await commit({
    creates: [
      { recordId: "r1", values, origin },
      { recordId: "r2", values: { tags: "one", title: "" }, origin: {} },
    ],
  });
  const found = await rows(
    `SELECT accord_id, title, count::text, flag, day::text, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI') AS at,
            tags, accord_origin, accord_version, accord_deleted FROM $SCHEMA."r_Thing" ORDER BY 1`,
  );
  expect(found).toEqual([
    {
      ...{ accord_id: "r1", title: values.title, count: "7", flag: false, day: "2026-01-31", at: "2026-01-31 10:30" },
      ...{ tags: ["x", 'y"'], accord_origin: origin, accord_version: 1, accord_deleted: false },
    },
    {
      ...{ accord_id: "r2", title: "", count: null, flag: null, day: null, at: null },
      ...{ tags: "one", accord_origin: {}, accord_version: 1, accord_deleted: false },
    },
  ]);
});

test("links that are new go in as the page knows them; those that were there are no new rows", async () => {
  const { commit, rows } = await things();
  await commit({
    links: [
      linkOf("x1", "r1"),
      linkOf("x2", "r2", { seen: "s", lastWritten: "t", refused: "f", modifiedAt: "2026", dead: true }),
    ],
  });
  await commit({ links: [linkOf("x1", "r1", { isNew: false, lastWritten: "later" })] });
  const found = await rows(
    "SELECT place, external_id, record_id, seen, told, refused, modified_at, dead, seen_at <= now() AS was FROM $SCHEMA.link ORDER BY external_id",
  );
  const place = { place: PLACE, was: true };
  expect(found).toEqual([
    {
      ...place,
      external_id: "x1",
      record_id: "r1",
      seen: null,
      told: "later",
      refused: null,
      modified_at: null,
      dead: false,
    },
    {
      ...place,
      external_id: "x2",
      record_id: "r2",
      seen: "s",
      told: "t",
      refused: "f",
      modified_at: "2026",
      dead: true,
    },
  ]);
});

test("the ledger has each change from what to what, of a new record what it holds, and who did it when", async () => {
  const { commit, rows, run } = await things();
  const entry = (recordId: string, more: Partial<LedgerEntry>): LedgerEntry => ({
    ...{ recordId, operation: "update", externalId: null, changes: {}, refused: null },
    ...more,
  });
  await commit({
    ledger: [
      entry("r1", {
        operation: "create",
        externalId: "x1",
        created: { title: "a", count: 0, flag: false, day: null, tags: [] },
      }),
      entry("r2", { changes: { title: ["a", 'b"'], count: [1, null] } }),
      entry("r3", { operation: "refuse", refused: { title: ["b", "older"] } }),
    ],
  });
  const found = await rows(
    "SELECT entity, place, cycle::int, version_number, record_id, operation, external_id, changes, refused FROM $SCHEMA.ledger ORDER BY number",
  );
  const by = { entity: 1, place: PLACE, cycle: run.cycleNumber, version_number: run.versionNumber };
  expect(found).toEqual([
    {
      ...{ ...by, record_id: "r1", operation: "create", external_id: "x1", refused: null },
      changes: { title: [null, "a"], count: [null, 0], flag: [null, false], tags: [null, []] },
    },
    {
      ...{ ...by, record_id: "r2", operation: "update", external_id: null, refused: null },
      changes: { title: ["a", 'b"'], count: [1, null] },
    },
    {
      ...{ ...by, record_id: "r3", operation: "refuse", external_id: null },
      ...{ changes: {}, refused: { title: ["b", "older"] } },
    },
  ]);
});
