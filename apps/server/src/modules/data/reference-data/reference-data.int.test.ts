/** Reference data through HTTP: uploads, what is refused, looking up, switching off. */
import * as api from "@accord/contracts/data/reference-data";
import { makeUpload } from "@accord/contracts/upload";
import { expect, test } from "vitest";
import { CallError, testApp } from "../../../../test-kit/index.ts";
import { findReferenceRows } from "./index.ts";

const t = await testApp();
const manager = t.as("SYNC_MANAGER");
const file = (text: string | Buffer, fileName = "list.csv") =>
  makeUpload({ fileName, contentType: "text/csv", bytes: Buffer.from(text) });
const create = (name: string, text: string) =>
  manager.call(api.createReferenceData, { body: { name, csvFile: file(text) } });
const problemOf = async (text: string | Buffer): Promise<string> => {
  const body = { name: `bad ${t.deps.newId()}`, csvFile: file(text) };
  const answer = await manager.send(api.createReferenceData, { body });
  expect(answer.status).toBe(400);
  return JSON.stringify(answer.body);
};
const ask = (list: string, column: string, texts: string[], more: { caseSensitive?: boolean; limit?: number } = {}) =>
  findReferenceRows(t.deps.dataPool, t.instanceId, { list, column, texts, caseSensitive: false, limit: 10, ...more });

test("[PLT-125] a list of 200 rows is uploaded and previewed at 50", async () => {
  const rows = Array.from({ length: 200 }, (_, at) => `K${at};Name, number ${at}`);
  const list = await create("Industries", `code;name\r\n${rows.join("\r\n")}\r\n`);
  expect(list).toMatchObject({
    name: "Industries",
    fileName: "list.csv",
    status: "ACTIVE",
    standard: false,
    columns: ["code", "name"],
    totalRecords: 200,
    usedInPipelines: [],
  });
  const preview = await manager.call(api.previewReferenceData, { params: { listId: list.id } });
  expect(preview.headerColumns).toEqual(["code", "name"]);
  expect(preview.rows).toHaveLength(50);
  expect(preview.rows[49]).toEqual(["K49", "Name, number 49"]);
  const { lists } = await manager.call(api.listReferenceData);
  expect(lists[0]).toEqual(list);
});

test("a wrong file is refused with the line that is wrong, and leaves nothing behind", async () => {
  const before = (await manager.call(api.listReferenceData)).lists.length;
  expect(await problemOf("")).toContain("The file is empty");
  expect(await problemOf("a,b\n1,2\n1,2,3\n")).toContain("Line 3 has 3 values, the header has 2");
  expect(await problemOf("a,A\n1,2\n")).toContain("Two columns are named a");
  expect(await problemOf("a,,c\n1,2,3\n")).toContain("Column 2 has no name");
  expect(await problemOf(Buffer.from([0x61, 0x0a, 0xff, 0xfe]))).toContain("Line 2 is not UTF-8 text");
  expect(await problemOf('a,b\n"1,2\n')).toMatch(/Line 2/);
  expect((await manager.call(api.listReferenceData)).lists).toHaveLength(before);
  await create("Twice", "a\n1\n");
  await expect(create("tWICE", "a\n1\n")).rejects.toThrow(CallError);
});

test("any column answers many texts at once, in the order of the file", async () => {
  const { id } = await create("Sales areas", "area,city\nNorth,Oslo\nSouth,Rome\nNorth,Bergen\n,Nowhere\n");
  const found = await ask(id, "area", ["north", "South", "west", ""]);
  expect(found?.get("north")?.map(({ city }) => city)).toEqual(["Oslo", "Bergen"]);
  expect(found?.get("South")).toEqual([{ area: "South", city: "Rome" }]);
  expect(found?.has("west")).toBe(false);
  expect(found?.get("")?.[0]?.city).toBe("Nowhere");
  expect((await ask(id, "area", ["north"], { caseSensitive: true }))?.size).toBe(0);
  expect((await ask(id, "area", ["North"], { limit: 1 }))?.get("North")).toHaveLength(1);
  expect(await ask(id, "region", ["North"])).toBeNull();
});

test("a list larger than any other body is taken, all of it", async () => {
  const rows = Array.from({ length: 25_000 }, (_, at) => `key-${at},${"x".repeat(50)}`);
  const { id, totalRecords } = await create("Large", `key,text\n${rows.join("\n")}`);
  expect(totalRecords).toBe(25_000);
  expect((await ask(id, "key", ["KEY-0", "KEY-24999", "key-25000"]))?.size).toBe(2);
});

test("a list of another instance answers nobody", async () => {
  const { id } = await create("Ours alone", "a\n1\n");
  const other = await t.build.instance();
  const question = { list: id, column: "a", texts: ["1"], caseSensitive: true, limit: 1 };
  expect(await findReferenceRows(t.deps.dataPool, other, question)).toBeNull();
});

test("standard lists are there, answer, and can't be changed", async () => {
  const { lists } = await manager.call(api.listReferenceData);
  const countries = lists.find(({ name }) => name === "Countries");
  if (!countries) throw new Error("no list of countries");
  expect(countries).toMatchObject({ standard: true, totalRecords: 249 });
  expect((await ask(countries.id, "code", ["ch"]))?.get("ch")).toEqual([{ code: "CH", name: "Switzerland" }]);
  const { rows } = await manager.call(api.previewReferenceData, { params: { listId: countries.id } });
  expect(rows).toHaveLength(50);
  await expect(manager.call(api.deleteReferenceData, { params: { listId: countries.id } })).rejects.toThrow(
    "comes with the product",
  );
});

test("[PLT-082] a list is switched off and on; what uses it already still gets its answers", async () => {
  const { id: listId } = await create("On and off", "a\n1\n");
  expect((await manager.call(api.deactivateReferenceData, { params: { listId } })).status).toBe("DEACTIVATED");
  expect((await ask(listId, "a", ["1"]))?.get("1")).toHaveLength(1);
  expect((await manager.call(api.activateReferenceData, { params: { listId } })).status).toBe("ACTIVE");
});

test("a new file replaces all rows, unless somebody was faster", async () => {
  const { id: listId, version } = await create("Replaced", "a\n1\n2\n");
  const params = { listId };
  const saved = await manager.call(api.saveReferenceData, {
    params,
    body: { name: "Replaced", version, csvFile: file("b,c\nx,y\n", "new.csv") },
  });
  expect(saved).toMatchObject({ columns: ["b", "c"], totalRecords: 1, fileName: "new.csv" });
  expect(await ask(listId, "a", ["1"])).toBeNull();
  expect((await ask(listId, "b", ["X"]))?.get("X")).toEqual([{ b: "x", c: "y" }]);
  const late = await manager.send(api.saveReferenceData, { params, body: { name: "Late", version } });
  expect(late.status).toBe(409);
  const renamed = await manager.call(api.saveReferenceData, {
    params,
    body: { name: "Renamed", version: saved.version },
  });
  expect(renamed).toMatchObject({ name: "Renamed", totalRecords: 1 });
});
