/** Writing rows: found by id wherever they stand, compared right before, values as they are, each record with its outcome. */
import { type ConnectContext, hashValue, type WriteOperation } from "@accord/connector-sdk";
import { entityNamed, sendPlainly } from "@accord/connector-sdk/test-kit";
import type { Values } from "@accord/contracts/data/values";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cell, newTab, sortBy, type GridTab } from "../../../test-systems/vendors/google/grid.ts";
import { startGoogle, type Google } from "../../../test-systems/vendors/google/google.ts";
import {
  cellAt,
  COLUMN,
  connectSheets,
  contactsOf,
  contactsTab,
  CONTACTS,
  startContacts,
} from "../contacts.fixtures.ts";

let google: Google;
beforeEach(async () => void (google = await startContacts(12)));
afterEach(() => google.stop());

const tab = (): GridTab => google.tabs[0] ?? contactsTab(0);
let keys = 0;
const update = (id: string, values: Values, expected?: Record<string, string>): WriteOperation => ({
  kind: "update",
  id,
  values,
  idempotencyKey: `k${(keys += 1)}`,
  ...(expected && { expected }),
});
const remove = (id: string): WriteOperation => ({ kind: "delete", id, idempotencyKey: `k${(keys += 1)}` });
const create = (values: Values, idempotencyKey = `k${(keys += 1)}`): WriteOperation => ({
  kind: "create",
  values,
  idempotencyKey,
});

async function write(operations: WriteOperation[], world: Partial<ConnectContext> = {}) {
  const connection = connectSheets(google, {}, world);
  const entity = await entityNamed(connection, CONTACTS);
  google.calls.length = 0;
  return (await connection.write?.({ entity, operations })) ?? [];
}
const writes = (): number => google.count(/:batchUpdate/);
const reads = (): number => google.count(/batchGetByDataFilter/);

test("texts that look like formulas, numbers, dates and boxes stay texts, letter by letter", async () => {
  const texts = ["=1+1", "00123", "'quoted", "TRUE", "03/04/2026", "+49 170", "1e5", "#N/A?", " padded "];
  await write(texts.map((name, at) => update(`c${at + 1}`, { name })));
  for (const [at, name] of texts.entries()) expect(cellAt(tab(), `c${at + 1}`, "name")).toEqual({ value: name });
});

test("only the cells that are mapped are written: formulas, formats and other columns stay as they are", async () => {
  const before = JSON.stringify(tab().rows[4]?.filter((_, at) => at !== COLUMN["name"]));
  expect(await write([update("c4", { name: "New" })])).toEqual([{ status: "done", id: "c4", values: { name: "New" } }]);
  expect(JSON.stringify(tab().rows[4]?.filter((_, at) => at !== COLUMN["name"]))).toBe(before);
  expect(tab().rows[4]?.[7]?.formula).toBeDefined();
});

test("rows that were sorted since they were read are found by their ids", async () => {
  sortBy(tab(), COLUMN["name"] ?? 1, -1);
  await write([update("c2", { visits: 200 }), update("c11", { visits: 1100 }), remove("c7")]);
  expect(cellAt(tab(), "c2", "visits")?.value).toBe(200);
  expect(cellAt(tab(), "c11", "visits")?.value).toBe(1100);
  expect(cellAt(tab(), "c7", "id")).toBeUndefined();
  expect(tab().rows).toHaveLength(12);
});

test("what a person edited since it was read is not overwritten, and the others of the batch are written", async () => {
  const row = tab().rows[3];
  if (row) row[1] = cell("By hand");
  const expected = (name: string) => ({ name: hashValue(name) });
  const outcomes = await write([
    update("c2", { name: "Two" }, expected("Contact 2")),
    update("c3", { name: "Three" }, expected("Contact 3")),
    update("c4", { name: "Four" }, expected("Contact 4")),
  ]);
  expect(outcomes).toMatchObject([
    { status: "done", id: "c2" },
    { status: "conflict", record: { id: "c3", values: { name: "By hand" } } },
    { status: "done", id: "c4" },
  ]);
  expect(cellAt(tab(), "c3", "name")?.value).toBe("By hand");
});

test("a write that has to wait reads again before it leaves: an edit meanwhile is seen", async () => {
  let waited = 0;
  const world: Partial<ConnectContext> = {
    now: () => new Date(Date.now() + waited),
    send(request) {
      if (request.url.endsWith(":batchUpdate") && waited === 0) {
        waited = 3_000;
        const row = tab().rows[1];
        if (row) row[1] = cell("By hand, meanwhile");
      }
      return sendPlainly(request);
    },
  };
  const outcomes = await write([update("c1", { name: "Ours" }, { name: hashValue("Contact 1") })], world);
  expect(outcomes).toMatchObject([{ status: "conflict", record: { values: { name: "By hand, meanwhile" } } }]);
  expect(cellAt(tab(), "c1", "name")?.value).toBe("By hand, meanwhile");
});

test("many records are written in two or three calls, each with its own outcome", async () => {
  const operations = [
    ...Array.from({ length: 200 }, (_, at) => create({ id: `n${at}`, name: `New ${at}`, visits: at })),
    ...Array.from({ length: 12 }, (_, at) => update(`c${at + 1}`, { budget: at })),
    remove("nobody"),
  ];
  const outcomes = await write(operations);
  expect(outcomes.map(({ status }) => status)).toEqual([...operations.slice(1).map(() => "done"), "missing"]);
  expect([writes(), reads()]).toEqual([1, 2]);
  expect(tab().rows).toHaveLength(213);
  expect(cellAt(tab(), "n199", "visits")?.value).toBe(199);
});

test("a record that Google refuses costs itself alone, and says why in Google's words", async () => {
  tab().protectedIds.add("c3");
  const outcomes = await write([1, 2, 3, 4, 5].map((at) => update(`c${at}`, { name: `Name ${at}` })));
  expect(outcomes.map(({ status }) => status)).toEqual(["done", "done", "rejected", "done", "done"]);
  expect(outcomes[2]).toMatchObject({ message: expect.stringContaining("protected") });
  expect(cellAt(tab(), "c3", "name")?.value).toBe("Contact 3");
  expect(cellAt(tab(), "c5", "name")?.value).toBe("Name 5");
});

test.each([
  ["too many calls", { status: 429, body: {} }, { kind: "rateLimited", retryAfterMs: 60_000 }],
  ["a permission that is gone", { status: 403, body: {} }, { kind: "permission" }],
])("%s between reading and writing: nothing was done, and all of it is tried again", async (_, reply, error) => {
  google.before(/:batchUpdate/, () => reply);
  await expect(write([update("c1", { name: "New" }), create({ name: "Also new" })])).rejects.toMatchObject(error);
  expect(tab().rows).toHaveLength(13);
  expect(writes()).toBe(1);
});

test("a failure of Google's own between reading and writing leaves in doubt what was sent, and nothing else", async () => {
  google.before(/:batchUpdate/, () => ({ status: 500, body: {} }));
  const outcomes = await write([
    update("c1", { name: "New" }),
    update("gone", { name: "X" }),
    create({ name: "Also" }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["unknown", "missing", "unknown"]);
});

test("a creation that is repeated after its answer got lost is one row", async () => {
  google.loseAnswers(true, /:batchUpdate$/);
  const [lost] = await write([create({ name: "Once", visits: 5 }, "key-1")]);
  expect(lost?.status).toBe("unknown");
  google.loseAnswers(false);
  const [again] = await write([create({ name: "Once", visits: 5 }, "key-1")]);
  expect(again).toMatchObject({ status: "done", values: { name: "Once", visits: 5 } });
  expect(tab().rows).toHaveLength(14);
  expect(tab().rows.filter((row) => row[1]?.value === "Once")).toHaveLength(1);
});

test("ids that are mapped are kept: one that is taken by another record is refused", async () => {
  expect(await write([create({ id: "mine", name: "M" }), create({ id: "c1", name: "Not Contact 1" })])).toMatchObject([
    { status: "done", id: "mine" },
    { status: "rejected", code: "duplicate", field: "id" },
  ]);
  expect(await write([update("c2", { id: "other" })])).toMatchObject([{ status: "rejected", code: "id_stays" }]);
});

test("where ids are numbers none is made up", async () => {
  await google.stop();
  google = await startGoogle([
    newTab(0, "Contacts", [
      [cell("id"), cell("name")],
      [cell(1), cell("A")],
    ]),
  ]);
  const outcomes = await write([create({ name: "B" }), create({ id: 2, name: "C" })]);
  expect(outcomes).toMatchObject([
    { status: "rejected", code: "id_missing" },
    { status: "done", id: "2" },
  ]);
  expect(tab().rows[2]?.map(({ value }) => value)).toEqual([2, "C"]);
});

test("of rows with the same id none is written or deleted", async () => {
  tab().rows.push([cell("c1"), cell("Twice")]);
  expect(await write([update("c1", { name: "X" }), remove("c1")])).toMatchObject([
    { status: "rejected", code: "doubled_id" },
    { status: "rejected", code: "doubled_id" },
  ]);
  expect(await write([update("c1", { name: "X" }, { name: hashValue("Contact 1") })])).toMatchObject([
    { status: "conflict", record: { id: "c1" } },
  ]);
  expect(tab().rows).toHaveLength(14);
});

test.each([
  ["more digits than a cell keeps", { visits: "12345678901234567891" }],
  ["no number", { budget: "NaN" }],
  ["a text that is too long", { name: "x".repeat(50_001) }],
  ["a list", { name: ["a"] }],
  ["a moment that clocks there show twice", { seen: "2026-10-25T00:30:00.000Z" }],
  ["the value of a formula", { twice: 5 }],
])("%s is refused for its field before anything is sent", async (_, values: Values) => {
  const [field] = Object.keys(values);
  const outcomes = await write([update("c1", values), update("c2", { name: "Fine" })]);
  expect(outcomes).toMatchObject([
    { status: "rejected", field, message: expect.stringMatching(/\w{3}/) },
    { status: "done" },
  ]);
  expect(writes()).toBe(1);
});

test("dates are dates in new rows too, and the formats of other columns are those of the row above", async () => {
  const last = tab().rows[12];
  if (last?.[3]) last[3].format = { type: "CURRENCY", pattern: "0.00 €" };
  await write([create({ id: "new", name: "N", budget: 3, since: "2026-02-28", seen: "2026-07-01T10:20:30.456Z" })]);
  const serial = (iso: string): number => (Date.parse(iso) - Date.UTC(1899, 11, 30)) / 86_400_000;
  expect(cellAt(tab(), "new", "since")).toEqual({ value: serial("2026-02-28T00:00:00Z"), format: { type: "DATE" } });
  expect(cellAt(tab(), "new", "seen")?.format).toEqual({ type: "DATE_TIME" });
  expect(cellAt(tab(), "new", "budget")).toEqual({ value: 3, format: { type: "CURRENCY", pattern: "0.00 €" } });
  const connection = connectSheets(google);
  const [record] =
    (await connection.getByIds?.({ entity: await contactsOf(connection), fields: ["since", "seen"], ids: ["new"] })) ??
    [];
  expect(record?.values).toEqual({ id: "new", since: "2026-02-28", seen: "2026-07-01T10:20:30.456Z" });
});

test("a date that is changed keeps the format that people chose; a blank cell becomes a date", async () => {
  const [row, other] = [tab().rows[1], tab().rows[2]];
  if (row?.[5]) row[5].format = { type: "DATE", pattern: "dd.mm.yy" };
  if (other) other[5] = { value: null };
  await write([update("c1", { since: "2026-03-01" }), update("c2", { since: "2026-03-02" })]);
  expect(cellAt(tab(), "c1", "since")?.format).toEqual({ type: "DATE", pattern: "dd.mm.yy" });
  expect(cellAt(tab(), "c2", "since")?.format).toEqual({ type: "DATE" });
});

test("all rows of a tab that was cut to its size can be deleted", async () => {
  tab().rowCount = 13;
  const outcomes = await write(Array.from({ length: 12 }, (_, at) => remove(`c${at + 1}`)));
  expect(outcomes.every(({ status }) => status === "done")).toBe(true);
  expect(tab().rows).toHaveLength(1);
  expect(tab().rowCount).toBe(13);
});

test("operations on one record in one batch follow each other", async () => {
  const outcomes = await write([
    update("c1", { name: "First" }),
    update("c1", { name: "Second" }, { name: hashValue("First") }),
    create({ id: "x", name: "New" }),
    update("x", { visits: 3 }),
    remove("c2"),
    create({ id: "c2", name: "Again" }),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["done", "done", "done", "done", "done", "done"]);
  expect(cellAt(tab(), "c1", "name")?.value).toBe("Second");
  expect(cellAt(tab(), "x", "visits")?.value).toBe(3);
  expect(cellAt(tab(), "c2", "name")?.value).toBe("Again");
  expect(tab().rows).toHaveLength(14);
});
