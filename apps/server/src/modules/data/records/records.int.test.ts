/** Tests of the data studio through HTTP: pages, filters, edits with errors per field, deletes, counts, columns. */
import type { Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import type { Predicate } from "@accord/contracts/data/predicate";
import * as api from "@accord/contracts/data/records";
import type { Values } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { recordTable } from "../schema/index.ts";
import { t, entityId, targetId, manager, field, create, setUp } from "./fixtures/records.ts";

setUp();

const save = (record: api.Record, values: Values, version = record.version) =>
  manager().call(api.saveRecord, { params: { entityId, recordId: record.accordId }, body: { values, version } });

/** An entity of its own with `count` records `n` = 0, 1, … made at once. */
async function numbered(count: number): Promise<Id<"entity">> {
  const entity = await manager().call(createEntity, {
    body: {
      apiName: `N${t.deps.newId()}`,
      displayName: "Number",
      publish: true,
      fields: [field("n", { dataType: "integer" })],
    } as never,
  });
  await t.deps.dataPool.query(
    `INSERT INTO ${recordTable(t.instanceId, entity.apiName)} (accord_id, n) SELECT lpad(to_hex(i), 24, '0'), i FROM generate_series(0, $1::integer - 1) AS i`,
    [count],
  );
  return entity.id;
}

test("[PLT-117] 250 records are three pages forward and back; a predicate sent as plain text narrows them", async () => {
  const params = { entityId: await numbered(250) };
  const page = (query: object) => manager().call(api.listRecords, { params, query: { sort: "n", ...query } });
  const numbers = (found: api.RecordPage) => found.records.map(({ values }) => values["n"]);
  const first = await page({});
  const second = await page({ cursor: first.pageInfo.nextCursor! });
  const third = await page({ cursor: second.pageInfo.nextCursor! });
  expect([first, second, third].map((found) => found.records.length)).toEqual([100, 100, 50]);
  expect([first, second, third].flatMap(numbers)).toEqual(Array.from({ length: 250 }, (_, n) => n));
  expect(first.pageInfo.previousCursor).toBeNull();
  expect(third.pageInfo.nextCursor).toBeNull();
  const back = await page({ cursor: third.pageInfo.previousCursor!, direction: "previous" });
  expect(numbers(back)).toEqual(numbers(second));
  const begin = await page({ cursor: back.pageInfo.previousCursor!, direction: "previous" });
  expect(numbers(begin)).toEqual(numbers(first));
  expect(begin.pageInfo.previousCursor).toBeNull();

  const predicate: Predicate = {
    type: "condition",
    left: { kind: "field", field: "n" },
    operator: "between",
    right: [
      { kind: "literal", value: 10 },
      { kind: "literal", value: 12 },
    ],
  };
  const found = await manager().call(api.searchRecords, {
    params,
    query: { sort: "-n" },
    body: JSON.stringify(predicate),
  });
  expect(numbers(found)).toEqual([12, 11, 10]);
});

test("[PLT-057] a record carries its id, values with isDeleted, and deleted; a list carries pageInfo and metadata", async () => {
  const made = await create({ name: "Shape", tags: ["a", "b"] });
  expect(made).toMatchObject({
    deleted: false,
    version: 1,
    values: { name: "Shape", tags: ["a", "b"], isDeleted: false },
  });
  expect(made.accordId).toMatch(/^[0-9a-f]{24}$/);
  const page = await manager().call(api.listRecords, { params: { entityId }, query: { search: "shape" } });
  expect(page.records).toEqual([made]);
  expect(page.pageInfo).toEqual({ nextCursor: null, previousCursor: null });
  expect(page.metadata.fields).toHaveLength(12);
  expect(page.metadata.selectedColumns).toEqual([
    "name",
    "code",
    "amount",
    "pieces",
    "stage",
    "closed",
    "active",
    "owner",
  ]);
});

test("[PLT-012] the choice of columns is kept per person and entity", async () => {
  const columns = ["stage", "name"];
  await manager().call(api.saveRecordColumns, { params: { entityId }, body: { columns: [...columns, "gone"] } });
  const own = await manager().call(api.listRecords, { params: { entityId }, query: {} });
  expect(own.metadata.selectedColumns).toEqual(columns);
  const other = await t.as("VIEWER").call(api.listRecords, { params: { entityId }, query: {} });
  expect(other.metadata.selectedColumns).toHaveLength(8);
});

test("[PLT-118] detail, edit, and a value the server refuses: an errors map per field, and nothing is stored", async () => {
  const made = await create({ name: "Before", pieces: 1 });
  const { record, metadata, externalIds } = await manager().call(api.getRecord, {
    params: { entityId, recordId: made.accordId },
  });
  expect(record).toEqual(made);
  expect(metadata.fields.map(({ apiName }) => apiName)).toContain("pieces");
  expect(externalIds).toEqual([]);

  const refused = await save(made, {
    name: "x".repeat(41),
    pieces: "1.5",
    closed: "soon",
    stage: "lost",
    amount: "much",
    owner: "0".repeat(24),
    gone: 1,
  });
  expect(refused.record).toBeNull();
  expect(Object.keys(refused.errors).sort()).toEqual(["amount", "closed", "gone", "name", "owner", "pieces", "stage"]);
  expect((await manager().call(api.getRecord, { params: { entityId, recordId: made.accordId } })).record).toEqual(made);

  const saved = await save(made, {
    name: "After",
    pieces: "1,200",
    amount: "12345678901234567890.10",
    active: "yes",
    stage: "Won",
    closed: "3/31/2026",
  });
  expect(saved.errors).toEqual({ pieces: expect.any(String) });
  const stored = await save(made, {
    name: "After",
    pieces: "1200",
    amount: "12345678901234567890.10",
    active: "yes",
    stage: "Won",
    closed: "3/31/2026",
  });
  expect(stored.record?.values).toMatchObject({
    name: "After",
    pieces: 1200,
    amount: "12345678901234567890.1",
    active: true,
    stage: "won",
    closed: "2026-03-31",
  });
  expect(stored.record?.version).toBe(2);
});

test("what a person may not set is refused with its reason: computed, fixed at creation, taken", async () => {
  const made = await create({ name: "Rules", code: "R-1", birth: "here" });
  const other = await create({ name: "Other" });
  const { errors } = await save(other, { computed: "x", birth: "x", code: "r-1" });
  expect(errors).toEqual({
    computed: "COMPUTED is computed and cannot be edited",
    birth: "BIRTH can only be set when a record is made",
    code: "Another record has this CODE already; it must be unique",
  });
  expect((await save(made, { code: "R-1", name: "Same code" })).errors).toEqual({});
});

test("[F16] two people who edit one record: the second hears of it, sees the newer one, and loses nothing", async () => {
  const made = await create({ name: "Mine" });
  await save(made, { name: "Yours" });
  const late = { params: { entityId, recordId: made.accordId }, body: { values: { name: "Late" }, version: 1 } };
  const { status, body } = await manager().send(api.saveRecord, late);
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: "stale_version", details: { newest: { version: 2, values: { name: "Yours" } } } });
});

test("an edit that changes nothing makes no new version", async () => {
  const made = await create({ name: "Quiet", pieces: 3, tags: ["x"] });
  expect((await save(made, { name: "Quiet", pieces: "3", tags: ["x"] })).record).toEqual(made);
});

test("a new record needs at least one value", async () => {
  const empty = await manager().send(api.createRecord, {
    params: { entityId },
    body: { values: { name: "", pieces: null } },
  });
  expect(empty.body).toMatchObject({ code: "validation_failed", errors: [{ message: "Fill in at least one field" }] });
});

test("a password is never shown, filtered, sorted or searched; sent back unchanged it stays", async () => {
  const made = await create({ name: "Keeper", secret: "hunter2" });
  expect(made.values["secret"]).toBe(api.PASSWORD_MASK);
  const saved = await save(made, { secret: api.PASSWORD_MASK, name: "Keeper 2" });
  expect(saved.record?.values["secret"]).toBe(api.PASSWORD_MASK);
  const { rows } = await t.deps.dataPool.query(
    `SELECT secret FROM ${recordTable(t.instanceId, "Deal")} WHERE accord_id = $1`,
    [made.accordId],
  );
  expect(rows[0].secret).not.toContain("hunter2");
  expect(t.deps.secrets.openValue(t.instanceId, rows[0].secret)).toBe(JSON.stringify("hunter2"));
  const guess = {
    type: "condition",
    left: { kind: "field", field: "secret" },
    operator: "startsWith",
    right: [{ kind: "literal", value: "h" }],
  };
  expect((await manager().send(api.searchRecords, { params: { entityId }, body: JSON.stringify(guess) })).status).toBe(
    400,
  );
  expect((await manager().send(api.listRecords, { params: { entityId }, query: { sort: "secret" } })).status).toBe(400);
  const searched = await manager().call(api.listRecords, { params: { entityId }, query: { search: "hunter2" } });
  expect(searched.records).toEqual([]);
});

test("references show the name of the record they point to", async () => {
  const { record: owner } = await manager().call(api.createRecord, {
    params: { entityId: targetId },
    body: { values: { name: "Ada" } },
  });
  const made = await create({ name: "Owned", owner: owner!.accordId });
  const { metadata } = await manager().call(api.getRecord, { params: { entityId, recordId: made.accordId } });
  expect(metadata.references).toEqual({ [owner!.accordId]: { entityId: targetId, name: "Ada" } });
});

test("[PLT-079] deleted with its outside records it stays, marked; without them it leaves the list for good", async () => {
  const [kept, gone] = [await create({ name: "Kept del" }), await create({ name: "Gone del" })];
  const remove = (recordId: Id<"record">, deleteInEndSystems: string) =>
    manager().call(api.deleteRecord, { params: { entityId, recordId }, query: { deleteInEndSystems } });
  expect((await remove(kept.accordId, "true")).record).toMatchObject({ deleted: true, values: { isDeleted: true } });
  expect((await remove(gone.accordId, "false")).record).toBeNull();
  const names = async (deleted: "hide" | "show" | "only") =>
    (await manager().call(api.listRecords, { params: { entityId }, query: { search: "del", deleted } })).records.map(
      ({ values }) => values["name"],
    );
  expect(await names("hide")).toEqual([]);
  expect(await names("show")).toEqual(["Kept del"]);
  expect(await names("only")).toEqual(["Kept del"]);
  const edit = await manager().send(api.saveRecord, {
    params: { entityId, recordId: kept.accordId },
    body: { values: { name: "x" }, version: 2 },
  });
  expect(edit.body).toMatchObject({ code: "record_deleted" });
  const { record } = await manager().call(api.restoreRecord, {
    params: { entityId, recordId: kept.accordId },
    body: {},
  });
  expect(record.deleted).toBe(false);
  expect(await names("hide")).toEqual(["Kept del"]);
});

test("the lineage tells who changed what from what to what, of the record and of one field", async () => {
  const made = await create({ name: "Line", pieces: 1, secret: "one" });
  const renamed = (await save(made, { name: "Line 2" })).record!;
  await save(renamed, { pieces: 2, secret: "two" });
  const lineage = (query: object) =>
    manager().call(api.getRecordLineage, { params: { entityId, recordId: made.accordId }, query });
  const { entries, nextCursor } = await lineage({});
  expect(nextCursor).toBeNull();
  expect(entries.map(({ operation }) => operation)).toEqual(["update", "update", "create"]);
  expect(entries[1]).toMatchObject({
    actor: { kind: "user", name: "Test Person" },
    changes: [{ field: "name", from: "Line", to: "Line 2" }],
  });
  expect(JSON.stringify(entries)).not.toContain("two");
  const ofName = await lineage({ field: "name" });
  expect(ofName.entries).toHaveLength(2);
  const first = await lineage({ count: "1" });
  const rest = await lineage({ count: "5", cursor: first.nextCursor! });
  expect([...first.entries, ...rest.entries]).toEqual(entries);
});

test("up to 500 records are deleted at once; 501 are refused", async () => {
  const of = await numbered(501);
  const ids = Array.from({ length: 501 }, (_, n) => n.toString(16).padStart(24, "0"));
  const remove = (recordIds: string[]) =>
    manager().send(api.deleteRecords, { params: { entityId: of }, body: { recordIds } });
  expect((await remove(ids)).status).toBe(400);
  expect((await remove(ids.slice(0, 500))).body).toEqual({ deleted: 500 });
  expect(await manager().call(api.countRecords, { params: { entityId: of }, query: {}, body: "" })).toEqual({
    count: 1,
    precision: "exact",
  });
});

test("[SYN-135] counts by entity, active and deleted; deleting a record moves them", async () => {
  const of = await numbered(3);
  const apiName = (await manager().call(api.getRecordCounts, { query: {} })).countMap;
  const name = Object.keys(apiName).find((each) => each.startsWith("N") && apiName[each]?.active.count === 3)!;
  const counts = () => manager().call(api.getRecordCounts, { query: { entityApiNames: `${name},Deal` } });
  const before = await counts();
  expect(Object.keys(before.countMap).sort()).toEqual(["Deal", name].sort());
  expect(before.countMap[name]).toMatchObject({ active: { count: 3, precision: "exact" }, deleted: { count: 0 } });
  const recordId = "000000000000000000000001" as Id<"record">;
  await manager().call(api.deleteRecord, {
    params: { entityId: of, recordId },
    query: { deleteInEndSystems: "true" },
  });
  const after = await counts();
  expect(after.countMap[name]).toMatchObject({ active: { count: 2 }, deleted: { count: 1 } });
  expect(after.totals.active.count).toBe(before.totals.active.count - 1);
});
