/** Tables that can't be read beside others that can, ids that can't be listed, and columns called like our own. */
import type { UploadedFile } from "@accord/connector-sdk";
import { connectTo, entityNamed, fieldNames } from "@accord/connector-sdk/test-kit";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { workbook } from "../../test-systems/workbook.ts";
import { filesConnector } from "./index.ts";

let root = mkdtempSync(join(tmpdir(), "accord-left-"));
const logged: unknown[] = [];
beforeEach(() => {
  rmSync(root, { recursive: true });
  root = mkdtempSync(join(tmpdir(), "accord-left-"));
  logged.length = 0;
});
afterAll(() => rmSync(root, { recursive: true }));

const put = (name: string, content: string | Buffer) => writeFileSync(join(root, name), content);
const connect = () =>
  connectTo(filesConnector, {
    config: { place: "folder" },
    credentials: {},
    world: {
      resolveFolder: async () => root,
      log: (level, _, facts) => void logged.push([level, facts?.["table"]]),
    },
  });
const discover = async (only?: string[]): Promise<string[]> => {
  const names: string[] = [];
  for await (const { entity } of connect().discover(only ? { only } : {})) names.push(entity.apiName);
  return names;
};
const rows = `<row r="1"><c t="str"><v>id</v></c></row><row r="2"><c><v>1</v></c></row>`;
const merged = { name: "Cover", rows, after: `<mergeCells><mergeCell ref="A1:D1"/></mergeCells>` };

test("a cover sheet, and a workbook that is none, are left out and logged; the other tables are there", async () => {
  put("report.xlsx", workbook({ sheets: [merged, { name: "Data", rows }] }));
  put("locked.xlsx", Buffer.from("as a program that asks for a password writes it"));
  put("people.csv", "id\n1\n");
  await connect().check();
  expect(logged).toEqual([["warn", "locked.xlsx"]]);
  expect(await discover()).toEqual(["people", "report.Data"]);
  expect(logged.slice(1)).toEqual([["warn", "report.Cover"]]);
  // Whoever asks for one of them learns why it is not there.
  await expect(discover(["report.Cover"])).rejects.toThrow("A1:D1 of sheet Cover are merged");
  await expect(discover(["locked.S"])).rejects.toThrow("locked.xlsx: The file is no XLSX workbook");
  expect(await discover(["gone"])).toEqual([]);
});

test("where no table can be read, the first problem is the answer", async () => {
  put("report.xlsx", workbook({ sheets: [merged] }));
  await expect(discover()).rejects.toThrow("are merged");
  put("report.xlsx", Buffer.from("nothing"));
  await expect(connect().check()).rejects.toThrow("report.xlsx: The file is no XLSX workbook");
});

test("values of a column called _row are kept beside the place of each row", async () => {
  put("own.csv", "id,_row\n1,mine\n");
  put("lines.jsonl", '{"id":1,"_row":"mine","_row_2":"other"}\n');
  const read = async (name: string) => {
    const connection = connect();
    const entity = await entityNamed(connection, name);
    const request = { entity, fields: fieldNames(entity), cursor: null, mode: "all" as const, pageSize: 10 };
    return (await connection.read(request)).records[0]?.values;
  };
  expect(await read("own")).toEqual({ id: 1, _row_2: "mine", _row: "own.csv:2" });
  expect(await read("lines")).toEqual({ id: 1, _row_2: "other", _row_3: "mine", _row: "lines.jsonl:1" });
});

/** One file as the server lends it; `replace` puts a newer version in its place. */
function uploaded(text: string) {
  let version = 0;
  let content = Buffer.from(text);
  const file = (): UploadedFile => {
    const [bytes, modified] = [content, version];
    return {
      ...{ name: "stock.csv", size: bytes.length, modified },
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    };
  };
  const connection = connectTo(filesConnector, {
    config: { place: "uploaded" },
    credentials: {},
    world: { uploadedFiles: { list: async () => [file()] } },
  });
  const replace = (next: string): void => {
    version += 1;
    content = Buffer.from(next);
  };
  return { connection, replace };
}

test("ids are not listed where a row has none, or their column has another name now", async () => {
  const { connection, replace } = uploaded("id,n\n1,a\n2,b\n");
  const entity = await entityNamed(connection, "stock");
  const list = () => connection.listIds?.({ entity, cursor: null, pageSize: 10 });
  expect((await list())?.ids).toEqual(["1", "2"]);
  replace("id,n\n1,a\n,b\n");
  await expect(list()).rejects.toMatchObject({
    kind: "configuration",
    message: "stock.csv, line 3: The id column id is empty. Which rows are gone can't be said.",
  });
  replace("number,n\n1,a\n2,b\n");
  await expect(list()).rejects.toThrow("The id column id is empty.");
});

test("ids are not listed where a quotation mark that is never closed may hide rows, whatever id its row shows", async () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `${from + at},part ${from + at},3\n`).join("");
  const { connection, replace } = uploaded(`id,name,n\n${rows(1, 10_001)}`);
  const entity = await entityNamed(connection, "stock");
  const list = () => connection.listIds?.({ entity, cursor: null, pageSize: 20_000 });
  const badRows = async () => {
    const request = { entity, fields: ["name"], cursor: null, mode: "all" as const, pageSize: 20_000 };
    return (await connection.read(request)).bad?.map(({ id, message }) => [id, message]);
  };
  expect((await list())?.ids).toHaveLength(10_000);
  replace(`id,name,n\n${rows(1, 8_000)}8000,"12 inch pipe,3\n${rows(8_001, 10_001)}`);
  await expect(list()).rejects.toMatchObject({
    kind: "configuration",
    message:
      "stock.csv, line 8001: The line can't be used: a quotation mark that opens in it is never closed. Which rows are gone can't be said.",
  });
  expect(await badRows()).toEqual([
    ["8000", "The line can't be used: a quotation mark that opens in it is never closed."],
  ]);
  // With as many values as there are columns.
  replace('id,name,n\n1,a,"3\n2,b,4\n3,c,5\n');
  await expect(list()).rejects.toThrow("never closed");
  expect(await badRows()).toHaveLength(1);
  replace('id,name,n\n1,"a,2\n2,b"c,3\n3,d,4\n');
  await expect(list()).rejects.toThrow("line 2: The line can't be used: characters follow a closing quotation mark.");
  expect(await badRows()).toEqual([["1", "The line can't be used: characters follow a closing quotation mark."]]);
  replace("id,name,n\n1,a\n2,b,3\n");
  await expect(list()).rejects.toThrow("it has 2 values where 3 are expected");
  replace('id,name,"n\n1,a,1\n2,b,2\n');
  await expect(list()).rejects.toThrow("The names of the columns of stock.csv can't be read");
  await expect(badRows()).rejects.toThrow("The names of the columns of stock.csv can't be read");
  // Spaces between a quotation mark and what separates values are harmless.
  replace('id,name,n\n1,"a" ,1\n2,"b ""c""",2\n');
  expect((await list())?.ids).toEqual(["1", "2"]);
});

test("a list of ids fails where its file is replaced between two pages", async () => {
  const { connection, replace } = uploaded("id,n\n1,a\n2,b\n3,c\n");
  const entity = await entityNamed(connection, "stock");
  const first = await connection.listIds?.({ entity, cursor: null, pageSize: 2 });
  expect(first).toMatchObject({ ids: ["1", "2"], drained: false });
  replace("id,n\n1,a\n9,z\n");
  await expect(connection.listIds?.({ entity, cursor: first?.cursor ?? null, pageSize: 2 })).rejects.toMatchObject({
    kind: "unreachable",
    message: expect.stringContaining("stock.csv was replaced"),
  });
});
