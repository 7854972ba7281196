/** Folders of synapses that were there before anybody could say how single files are written: they are read as ever. */
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { filesConnector } from "./index.ts";

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "accord-before-"));
});
afterAll(() => rmSync(root, { recursive: true }));

/** What the upgrade makes of a configuration from before it. */
const OLD = { folder: "", place: "folder", dates: "monthFirst" };
const connect = (config: object = OLD) =>
  connectTo(filesConnector, { config: { ...config }, credentials: {}, world: { resolveFolder: async () => root } });
const put = (name: string, text: string) => writeFileSync(join(root, name), text);
const readAll = async (name: string, types: Readonly<Record<string, string>> = {}, config: object = OLD) => {
  const connection = connect(config);
  const discovered = await entityNamed(connection, name);
  const fields = discovered.fields.map((field) =>
    types[field.apiName] === "double" || types[field.apiName] === "integer"
      ? { ...field, dataType: types[field.apiName] === "double" ? ("double" as const) : ("integer" as const) }
      : field,
  );
  const entity = { ...discovered, fields };
  const request = { entity, fields: fieldNames(entity), cursor: null, mode: "all" as const, pageSize: 100 };
  const typeOf = Object.fromEntries(discovered.fields.map(({ apiName, dataType }) => [apiName, dataType]));
  return { typeOf, ...(await connection.read(request)) };
};

test("numbers with more digits than a floating-point number keeps stay such numbers", async () => {
  put("sums.csv", "id,sum\n1,0.30000000000000004\n2,0.5\n3,1.2345678901234567\n");
  const { typeOf, records, bad } = await readAll("sums");
  expect(typeOf).toMatchObject({ id: "integer", sum: "double" });
  expect(bad).toBeUndefined();
  expect(records.map(({ values }) => values["sum"])).toEqual([0.30000000000000004, 0.5, 1.2345678901234567]);
});

test("a number with zeros before it is that number where the field holds numbers", async () => {
  put("parts.csv", "id,count\n007,01\n8,2\n");
  const { records, bad } = await readAll("parts", { id: "integer", count: "integer" });
  expect(bad).toBeUndefined();
  expect(records.map(({ id, values }) => [id, values["count"]])).toEqual([
    ["7", 1],
    ["8", 2],
  ]);
});

test("only dates with slashes have the month first; others with the day before the month stay texts", async () => {
  put("days.csv", "id,us,german,dashed,at\n1,2/3/2026,01.02.2026,01-02-2026,2/3/2026 14:05\n");
  put("days2.jsonl", '{"id":1,"us":"2/3/2026","german":"01.02.2026"}\n');
  const { typeOf, records } = await readAll("days");
  expect(typeOf).toMatchObject({ us: "date", german: "string", dashed: "string", at: "datetime" });
  expect(records[0]?.values).toMatchObject({
    ...{ us: "2026-02-03", german: "01.02.2026", dashed: "01-02-2026", at: "2026-02-03T14:05:00.000Z" },
  });
  const json = await readAll("days2");
  expect(json.typeOf).toMatchObject({ us: "date", german: "string" });
  expect(json.records[0]?.values).toMatchObject({ us: "2026-02-03", german: "01.02.2026" });
});

test("numbers of JSON stay floating-point numbers", async () => {
  put("json.jsonl", '{"id":1,"sum":1234567890123.456789}\n{"id":2,"sum":0.5}\n');
  const { typeOf, records, bad } = await readAll("json");
  expect([typeOf["sum"], bad]).toEqual(["double", undefined]);
  expect(records.map(({ values }) => values["sum"])).toEqual([1234567890123.4568, 0.5]);
});

test("where something was said of a file, its digits are exact and all dates are read in its order", async () => {
  put("said.csv", "id,sum,german\n1,0.30000000000000004,01.02.2026\n");
  const said = { ...OLD, files: { said: { dates: "dayFirst" } } };
  const { typeOf, records } = await readAll("said", {}, said);
  expect(typeOf).toMatchObject({ sum: "decimal", german: "date" });
  expect(records[0]?.values).toMatchObject({ sum: "0.30000000000000004", german: "2026-02-01" });
  const kept = await readAll("said", { sum: "double" }, said);
  expect(kept.bad?.[0]?.message).toContain("more digits than the field keeps exactly");
});

test("columns that are no numbers in the chosen style are texts, and every number of that style is one", async () => {
  const typesIn = async (numbers: string, cells: readonly string[]) => {
    const names = cells.map((_, at) => `c${at}`);
    put("style.csv", `id;${names.join(";")}\n1;${cells.join(";")}\n`);
    const { typeOf, records, bad } = await readAll("style", {}, { ...OLD, numbers, delimiter: "semicolon" });
    expect(bad).toBeUndefined();
    return names.map((name) => [typeOf[name], records[0]?.values[name]]);
  };
  expect(await typesIn("comma", ["1.5", "1.234,5", "1,2E-7", "12,5,1"])).toEqual([
    ["string", "1.5"],
    ["double", 1234.5],
    ["double", 1.2e-7],
    ["string", "12,5,1"],
  ]);
  expect(await typesIn("point", ["1,5", "1,234.5", "1.2e-7", ".5", "-.5"])).toEqual([
    ["string", "1,5"],
    ["double", 1234.5],
    ["double", 1.2e-7],
    ["double", 0.5],
    ["double", -0.5],
  ]);
});

test("rows whose quotation marks don't fit together are read as far as they can be", async () => {
  put("quotes.csv", 'id,name\n1,"a"b\n2,"open\n3,c\n');
  put("names.csv", 'id,"name"x\n1,a\n');
  const { records, bad } = await readAll("quotes");
  expect([records.map(({ id, values }) => [id, values["name"]]), bad]).toEqual([
    [
      ["1", "ab"],
      ["2", "open\n3,c\n"],
    ],
    undefined,
  ]);
  expect((await readAll("names")).records[0]?.values).toMatchObject({ id: 1, namex: "a" });
});

test("a file that is called like what every object has is one of which nothing was said", async () => {
  put("constructor.csv", "id,sum\n1,0.30000000000000004\n");
  const { typeOf, records } = await readAll("constructor");
  expect([typeOf["sum"], records[0]?.values["sum"]]).toEqual(["double", 0.30000000000000004]);
});
