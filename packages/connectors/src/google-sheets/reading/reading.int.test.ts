/** Reading tabs: nothing is guessed of headers and ids, dates and numbers are exact, and moving rows changes nothing. */
import type { Cursor, ReadPage, ReadRequest } from "@accord/connector-sdk";
import { entityNamed, fieldNames, latestById, readToEnd } from "@accord/connector-sdk/test-kit";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cell, newTab, sortBy, type GridCell, type GridTab } from "../../../test-systems/vendors/google/grid.ts";
import { startGoogle, type Google } from "../../../test-systems/vendors/google/google.ts";
import {
  COLUMN,
  connectSheets,
  contactRow,
  CONTACTS,
  contactsOf,
  contactsTab,
  startContacts,
} from "../contacts.fixtures.ts";

let google: Google;
beforeEach(async () => void (google = await startContacts(12)));
afterEach(() => google.stop());

const tab = (): GridTab => google.tabs[0] ?? contactsTab(0);
const readAll = (entity: EntitySchema, more: object = {}) =>
  readToEnd(connectSheets(google), { entity, cursor: null, pageSize: 100, ...more });
const firstPage = (entity: EntitySchema, fields = fieldNames(entity), cursor: null = null) =>
  connectSheets(google).read({ entity, fields, cursor, mode: "changes", pageSize: 100 });

async function only(...rows: GridCell[][]): Promise<EntitySchema> {
  await google.stop();
  google = await startGoogle([newTab(0, "Contacts", rows)]);
  return contactsOf(connectSheets(google));
}

test("blank and doubled names are not read and named with their columns, the other columns are read", async () => {
  const entity = await only(
    [cell("id"), cell("name"), cell(null), cell("name"), cell(" city "), cell(null), cell("constructor")],
    [cell("a"), cell("Ann"), cell("?"), cell("Anna"), cell("Oslo"), cell(null), cell("x")],
  );
  expect(fieldNames(entity)).toEqual(["id", "city"]);
  const page = await firstPage(entity);
  expect(page.records).toEqual([{ id: "a", values: { id: "a", city: "Oslo" } }]);
  const messages = page.warnings?.map(({ message }) => message).join("\n") ?? "";
  expect(messages).toContain("column C has values and no name");
  expect(messages).toContain("columns B, D are both named name");
  expect(messages).toContain("column G can't be named constructor");
  expect(entity.description).toContain("columns B, D are both named name");
});

test("a spreadsheet without names in any first row is refused with what is wrong", async () => {
  await google.stop();
  google = await startGoogle([
    newTab(0, "Notes", [
      [cell(null), cell(null)],
      [cell("free text"), cell(null)],
    ]),
  ]);
  await expect(connectSheets(google).check()).rejects.toMatchObject({
    kind: "configuration",
    message: expect.stringContaining("Notes column A has values and no name"),
  });
});

test("rows without an id and rows with the same id are reported with their rows, and none of them is guessed", async () => {
  const entity = await contactsOf(connectSheets(google));
  tab().rows.splice(2, 0, contactRow(null, "No id", 3));
  tab().rows.push(contactRow("c1", "Twice", 4));
  const page = await firstPage(entity);
  expect(page.records.map(({ id }) => id)).not.toContain("c1");
  expect(page.records).toHaveLength(11);
  expect(page.bad).toMatchObject([
    { place: "Contacts, rows 2, 15", id: "c1" },
    { place: "Contacts, row 3", message: "The id column id is empty." },
  ]);
  // Nobody can say which rows are gone while one has no id.
  const listed = connectSheets(google).listIds?.({ entity, cursor: null, pageSize: 10 });
  await expect(listed).rejects.toMatchObject({ kind: "configuration", message: expect.stringContaining("row 3") });
});

test("a doubled id is neither gone nor readable", async () => {
  const entity = await contactsOf(connectSheets(google));
  tab().rows.push(contactRow("c1", "Twice", 4));
  const page = await connectSheets(google).listIds?.({ entity, cursor: null, pageSize: 10 });
  expect(page?.ids).toContain("c1");
  const found = await connectSheets(google).getByIds?.({ entity, fields: ["name"], ids: ["c1"] });
  expect(found?.[0]).toMatchObject({ id: "c1", values: { id: "c1" } });
  expect(found?.[0]?.badFields?.map(({ field }) => field)).toContain("name");
});

test("rows that hold boxes nobody ticked and formulas alone are no rows yet", async () => {
  const entity = await contactsOf(connectSheets(google));
  const [blankRow] = [contactRow(null, "", 0)];
  if (blankRow) for (const at of [1, 2, 3, 5, 6]) blankRow[at] = { value: null };
  if (blankRow) blankRow[4] = { value: false };
  tab().rows.push(blankRow ?? []);
  const page = await firstPage(entity);
  expect(page.bad).toBeUndefined();
  expect(page.records).toHaveLength(12);
});

test("rows that people sort while pages are read are each read once all the same", async () => {
  const entity = await contactsOf(connectSheets(google));
  const connections = [connectSheets(google), connectSheets(google)];
  let turn = 0;
  const records: string[] = [];
  let cursor: Cursor | null = null;
  for (let drained = false; !drained; turn += 1) {
    const request: ReadRequest = { entity, fields: ["name"], cursor, mode: "all", pageSize: 5 };
    const page: ReadPage | undefined = await connections[turn % 2]?.read(request);
    records.push(...(page?.records.map(({ id }) => id) ?? []));
    sortBy(tab(), COLUMN["name"] ?? 1, turn % 2 === 0 ? 1 : -1);
    google.touch();
    drained = page?.drained ?? true;
    cursor = JSON.parse(JSON.stringify(page?.cursor ?? null));
  }
  expect(new Set(records).size).toBe(12);
  expect(records).toHaveLength(12);
});

test("what a person enters behind the place where reading stands comes with the next pass", async () => {
  const entity = await contactsOf(connectSheets(google));
  const connection = connectSheets(google);
  const first = await readToEnd(connection, { entity, cursor: null, pageSize: 5 }, async () => {
    const row = tab().rows[1];
    if (row) row[1] = cell("Late");
    google.touch();
  });
  const next = await readAll(entity, { cursor: first.cursor });
  expect(latestById([...first.records, ...next.records]).get("c1")).toMatchObject({ name: "Late" });
});

test("a page that is read after a write of the same connection shows what was written", async () => {
  const connection = connectSheets(google);
  const entity = await contactsOf(connection);
  const request: Omit<ReadRequest, "cursor"> = { entity, fields: ["name"], mode: "all", pageSize: 5 };
  const first = await connection.read({ ...request, cursor: null });
  const operation = { kind: "update", id: "c9", values: { name: "Ours" }, idempotencyKey: "k" } as const;
  await connection.write?.({ entity, operations: [operation] });
  const rest = await readToEnd(connection, { ...request, cursor: first.cursor });
  expect(latestById(rest.records).get("c9")).toMatchObject({ name: "Ours" });
});

test("pages of one pass are cut from one reading", async () => {
  const connection = connectSheets(google);
  const entity = await contactsOf(connection);
  google.calls.length = 0;
  const { pages } = await readToEnd(connection, { entity, cursor: null, pageSize: 5 });
  // The zone, and the rows with dates both ways.
  expect([pages, google.count(/\/v4\//)]).toEqual([3, 3]);
});

test("rows that are gone make the ids be listed, rows that were only edited do not", async () => {
  const entity = await contactsOf(connectSheets(google));
  const { cursor } = await readAll(entity);
  const next = () =>
    connectSheets(google).read({ entity, fields: fieldNames(entity), cursor, mode: "changes", pageSize: 100 });
  const row = tab().rows[2];
  if (row) row[1] = cell("Edited");
  google.touch();
  expect((await next()).missedDeletes).toBeUndefined();
  tab().rows.splice(4, 1);
  google.touch();
  expect((await next()).missedDeletes).toBe(true);
  expect((await connectSheets(google).listIds?.({ entity, cursor: null, pageSize: 5 }))?.ids).toHaveLength(11);
});

test("formulas are read by their value and their columns are never written; an error costs its field alone", async () => {
  const connection = connectSheets(google);
  const row = tab().rows[3];
  if (row) row[7] = { value: null, formula: { text: "=1/0", of: () => "#DIV/0!" } };
  const entity = await contactsOf(connection);
  expect(entity.fields.find(({ apiName }) => apiName === "twice")).toMatchObject({
    calculated: true,
    updateable: false,
    initializable: false,
  });
  const { records } = await firstPage(entity);
  expect(records.find(({ id }) => id === "c2")?.values).toMatchObject({ visits: 2, twice: 4 });
  expect(records.find(({ id }) => id === "c3")).toMatchObject({ id: "c3", badFields: [{ field: "twice" }] });
});

test("what changes without an edit of the file, as formulas do, is read within a quarter of an hour", async () => {
  let now = new Date();
  const connect = () => connectSheets(google, {}, { now: () => now });
  const entity = await contactsOf(connect());
  const { cursor } = await readToEnd(connect(), { entity, cursor: null, pageSize: 100 });
  const row = tab().rows[1];
  if (row) row[7] = { value: null, formula: { text: "=NOW()", of: () => 99 } };
  const poll = () => connect().read({ entity, fields: fieldNames(entity), cursor, mode: "changes", pageSize: 100 });
  expect((await poll()).records).toEqual([]);
  now = new Date(now.getTime() + 15 * 60_000);
  expect(latestById((await poll()).records).get("c1")).toMatchObject({ twice: 99 });
});

test("dates and moments are exact, in the zone of the spreadsheet; what is no date there is not guessed", async () => {
  const serial = (iso: string): number => (Date.parse(iso) - Date.UTC(1899, 11, 30)) / 86_400_000;
  const entity = await only(
    [cell("id"), cell("day"), cell("at")],
    [cell("a"), cell(serial("2026-04-03T00:00:00Z"), "DATE"), cell(serial("2026-07-01T12:00:00Z"), "DATE_TIME")],
    [cell("b"), cell(serial("2000-02-29T00:00:00Z"), "DATE"), cell(serial("2026-01-01T00:00:00.123Z"), "DATE_TIME")],
  );
  tab().rows.push(
    [cell("c"), cell("03/04/2026"), cell(null)],
    [cell("d"), cell(12), cell(null)],
    [cell("e"), cell("2026-04-03"), cell(null)],
  );
  const { records } = await firstPage(entity);
  const values = latestById(records);
  expect(values.get("a")).toEqual({ id: "a", day: "2026-04-03", at: "2026-07-01T10:00:00.000Z" });
  expect(values.get("b")).toEqual({ id: "b", day: "2000-02-29", at: "2025-12-31T23:00:00.123Z" });
  expect(values.get("e")).toMatchObject({ day: "2026-04-03" });
  for (const id of ["c", "d"])
    expect(records.find((record) => record.id === id)).toMatchObject({ badFields: [{ field: "day" }] });
});

test("dates among texts are read as they are shown, and numbers to the last digit", async () => {
  const entity = await only(
    [cell("id"), cell("note"), cell("amount")],
    [cell("a"), cell("call back"), cell(0.1 + 0.2)],
    [cell("b"), cell(46_000, "DATE"), cell(1_234_567_890.123_45)],
  );
  expect(latestById((await readAll(entity)).records)).toEqual(
    new Map([
      ["a", { id: "a", note: "call back", amount: 0.30000000000000004 }],
      ["b", { id: "b", note: "09/12/2025", amount: 1_234_567_890.123_45 }],
    ]),
  );
});

test("rows that are moved between the two readings of a tab with dates are read again, not mixed up", async () => {
  const entity = await contactsOf(connectSheets(google));
  const connection = connectSheets(google);
  await connection.check();
  google.before(/batchGetByDataFilter/, () => undefined);
  google.before(/batchGetByDataFilter/, () => sortBy(tab(), COLUMN["name"] ?? 1, -1));
  const { records } = await firstPage(entity);
  const values = latestById(records);
  for (let at = 1; at <= 12; at += 1) {
    const day = new Date(Date.UTC(1899, 11, 30) + (45_000 + at) * 86_400_000).toISOString().slice(0, 10);
    expect(values.get(`c${at}`)).toMatchObject({ visits: at, since: day });
  }
});

test("the id column can be named for all tabs, in upper or lower case; without it there is none", async () => {
  await only([cell("Nr"), cell("ID"), cell("name")], [cell(7), cell("x"), cell("Ann")]);
  const idOf = async (more: object): Promise<string | undefined> =>
    (await entityNamed(connectSheets(google, { ...more }), CONTACTS)).fields.find(({ isIdField }) => isIdField)
      ?.apiName;
  expect(await idOf({})).toBe("ID");
  expect(await idOf({ idColumn: "Nr" })).toBe("Nr");
  expect(await idOf({ idColumn: "key" })).toBeUndefined();
});

test("a tab that is renamed goes on, one that is deleted says so", async () => {
  const entity = await contactsOf(connectSheets(google));
  tab().title = "Kunden";
  expect((await readAll(entity)).records).toHaveLength(12);
  google.tabs.splice(0, 1);
  google.touch();
  await expect(readAll(entity)).rejects.toMatchObject({ kind: "schemaChanged" });
});

test("columns are found by their names when people move them, and one that is gone is no blank", async () => {
  const entity = await contactsOf(connectSheets(google));
  for (const row of tab().rows) row.splice(1, 0, ...row.splice(3, 1));
  google.touch();
  expect(latestById((await readAll(entity)).records).get("c3")).toMatchObject({ name: "Contact 3", budget: 3.25 });
  const [header = []] = tab().rows;
  header[1] = cell("budget in euros");
  google.touch();
  await expect(readAll(entity)).rejects.toMatchObject({ kind: "schemaChanged", isFieldGone: true });
});
