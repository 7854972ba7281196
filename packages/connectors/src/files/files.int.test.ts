/** The files connector on real folders: the conformance kit for CSV and JSON Lines, and files as people really make them. */
import { connectTo, entityNamed, fieldNames, readToEnd, testConnector } from "@accord/connector-sdk/test-kit";
import type { SystemUnderTest } from "@accord/connector-sdk/test-kit";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { filesConnector } from "./index.ts";
import { storedFile } from "./places/folder.ts";

const world = (root: string) => ({ resolveFolder: async (path: string) => join(root, path) });

interface Format {
  file: string;
  head: string;
  line(id: number, name: string): string;
}
const CSV: Format = {
  file: "people.csv",
  head: "id,name,born,weight,member,note\r\n",
  line: (id, name) =>
    `${id},"${name}, ""the ${id}""",1990-02-${String((id % 28) + 1).padStart(2, "0")},${id}.5,true,"two\nlines"\r\n`,
};
const JSONL: Format = {
  file: "people.jsonl",
  head: "",
  line: (id, name) =>
    `${JSON.stringify({ id, name, born: "1990-02-01", weight: id + 0.5, member: true, note: "ü" })}\n`,
};

async function startFolder(format: Format): Promise<SystemUnderTest> {
  const root = mkdtempSync(join(tmpdir(), "accord-files-"));
  const path = join(root, format.file);
  writeFileSync(
    path,
    format.head + Array.from({ length: 30 }, (_, at) => format.line(at + 1, `Person ${at + 1}`)).join(""),
  );
  writeFileSync(join(root, "nobody.csv"), "id;name\n");
  let last = 30;
  /** As a person saving the file anew would. */
  const rewrite = (id: string, line: (old: string) => string): void => {
    const text = readFileSync(path, "utf8");
    const start = text.search(new RegExp(format === CSV ? `^${id},` : `^\\{"id":${id},`, "m"));
    if (start < 0) return;
    const end = format === CSV ? text.indexOf("\r\n", start) + 2 : text.indexOf("\n", start) + 1;
    writeFileSync(path, text.slice(0, start) + line(text.slice(start, end)) + text.slice(end));
  };
  return {
    config: { folder: "" },
    credentials: {},
    world: world(root),
    entity: "people",
    seeded: 30,
    emptyEntity: "nobody",
    expected: {
      idField: "id",
      types: { id: "integer", name: "string", born: "date", weight: "double", member: "boolean", note: "string" },
    },
    outside: {
      async create() {
        last += 1;
        appendFileSync(path, format.line(last, `Added ${last}`));
        return String(last);
      },
      update: async (id) => rewrite(id, () => format.line(Number(id), `Renamed ${(last += 1)}`)),
      remove: async (id) => rewrite(id, () => ""),
    },
    faults: { unreachable: { folder: "not-there" } },
    stop: async () => rmSync(root, { recursive: true }),
  };
}

describe.each([
  ["CSV", CSV],
  ["JSON Lines", JSONL],
])("%s", (_, format) => {
  testConnector({ definition: filesConnector, start: () => startFolder(format) });
});

describe("files in particular", () => {
  let root: string;
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "accord-files-"));
  });
  afterAll(() => rmSync(root, { recursive: true }));
  const connect = (config = {}) =>
    connectTo(filesConnector, { config: { folder: "", ...config }, credentials: {}, world: world(root) });
  const readAll = async (name: string, config = {}) => {
    const connection = connect(config);
    const entity = await entityNamed(connection, name);
    const page = await connection.read({
      entity,
      fields: fieldNames(entity),
      cursor: null,
      mode: "all",
      pageSize: 1000,
    });
    return { entity, ...page };
  };
  const put = (name: string, text: string | Buffer) => writeFileSync(join(root, name), text);

  test("a file without a header gets numbered columns, and rows are identified by file and line", async () => {
    put("plain.csv", "1,Kiel,2.5\n2,Bonn,3\n");
    const { entity, records } = await readAll("plain");
    expect(entity.fields.map((field) => field.apiName)).toEqual(["column_1", "column_2", "column_3", "_row"]);
    expect(entity.fields.find((field) => field.isIdField)?.apiName).toBe("_row");
    expect(records[1]).toMatchObject({ id: "plain.csv:2", values: { column_1: 2, column_2: "Bonn", column_3: 3 } });
  });

  test("long rows make short pages, and all of them are read", async () => {
    const long = "x".repeat(900_000);
    put("long.csv", `id,text\n${Array.from({ length: 30 }, (_, index) => `${index + 1},${long}\n`).join("")}`);
    const connection = connect();
    const entity = await entityNamed(connection, "long");
    const counts: number[] = [];
    const { records } = await readToEnd(connection, { entity, cursor: null, pageSize: 2000 }, async (page) => {
      counts.push(page.length);
    });
    expect(records.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => String(index + 1)));
    expect(Math.max(...counts)).toBeLessThanOrEqual(10);
    rmSync(join(root, "long.csv"));
  });

  test("a folder of too many files is refused instead of being remembered file by file", async () => {
    mkdirSync(join(root, "crowded", "daily"), { recursive: true });
    for (let index = 0; index <= 10_000; index += 1) writeFileSync(join(root, "crowded", "daily", `${index}.csv`), "");
    await expect(connect({ folder: "crowded" }).check()).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("10000"),
      hint: expect.any(String),
    });
    rmSync(join(root, "crowded"), { recursive: true });
  });

  test("[SYN-106] a range of time leaves out rows that changed at another one, where a column says when", async () => {
    put("dated.csv", "id,changed\n1,2026-01-01T10:00:00Z\n2,2026-01-02T10:00:00Z\n3,\n4,2026-01-03T10:00:00Z\n");
    const connection = connect();
    const discovered = await entityNamed(connection, "dated");
    const fields = discovered.fields.map((field) => ({ ...field, isWatermarkField: field.apiName === "changed" }));
    const entity = { ...discovered, fields };
    const [since, until] = [new Date("2026-01-02T00:00:00Z"), new Date("2026-01-03T00:00:00Z")];
    const read = async (range: { since?: Date; until?: Date }) => {
      const page = { entity, fields: [], cursor: null, mode: "all" as const, pageSize: 10 };
      return (await connection.read({ ...page, ...range })).records.map(({ id }) => id);
    };
    expect(await read({ since })).toEqual(["2", "3", "4"]);
    expect(await read({ since, until })).toEqual(["2", "3"]);
    expect(await read({})).toHaveLength(4);
  });

  test("ragged rows, text in a number column, an id twice and an empty id are reported by line; the rest is read", async () => {
    const rows = Array.from({ length: 1000 }, (_, at) => `${at + 1},${at}`).join("\n");
    put("ragged.csv", `id,amount\n${rows}\n2000\n2001,1,2\n2002,many\n7,1\n,5\n2003,9\n`);
    const connection = connect();
    const entity = await entityNamed(connection, "ragged");
    const page = await connection.read({ entity, fields: ["amount"], cursor: null, mode: "all", pageSize: 5000 });
    expect(page.records).toHaveLength(1001);
    expect(page.bad?.map(({ place, message }) => [place, message])).toEqual([
      ["ragged.csv, line 1002", "The line can't be used: it has 1 values where 2 are expected."],
      ["ragged.csv, line 1003", "The line can't be used: it has 3 values where 2 are expected."],
      ["ragged.csv, line 1004", 'Amount: "many" is not a whole number.'],
      ["ragged.csv, line 1005", "The id 7 was there before."],
      ["ragged.csv, line 1006", "The id column id is empty."],
    ]);
    // Under these they are found again once somebody has mended them.
    expect(page.bad?.map(({ id }) => id)).toEqual(["2000", "2001", "2002", undefined, undefined]);
  });

  test("semicolons, tabs, a byte order mark, quotes with line breaks and a last line without an end", async () => {
    put("semi.csv", '\uFEFFid;text\n1;"a;b\nc ""d"""\n2;plain "quotes" inside');
    const { records } = await readAll("semi");
    expect(records.map((record) => record.values["text"])).toEqual(['a;b\nc "d"', 'plain "quotes" inside']);
    put("tabs.tsv", "id\tname\n1\tA\n");
    expect((await readAll("tabs")).records[0]?.values).toMatchObject({ id: 1, name: "A" });
  });

  test("codes with leading zeros and very long numbers stay text", async () => {
    put("codes.csv", "id,zip,iban\n1,01234,12345678901234567890\n2,99999,1\n");
    const { entity } = await readAll("codes");
    expect(entity.fields.filter((field) => field.dataType === "string").map((field) => field.apiName)).toEqual([
      "zip",
      "iban",
      "_row",
    ]);
  });

  test("text in another encoding is told, and read when the encoding is chosen", async () => {
    put("west.csv", Buffer.from("id,name\n1,Z\xfcrich\n", "latin1"));
    await expect(readAll("west")).rejects.toMatchObject({
      kind: "configuration",
      message: expect.stringContaining("Line 2"),
    });
    expect((await readAll("west", { encoding: "windows-1252" })).records[0]?.values["name"]).toBe("Zürich");
    rmSync(join(root, "west.csv"));
  });

  test("a quotation mark that is never closed costs its line, not the file", async () => {
    put(
      "open.csv",
      `id,name\n1,A\n2,"never closed\n${Array.from({ length: 60_000 }, (_, at) => `${at + 3},some ordinary text`).join("\n")}\n`,
    );
    const connection = connect();
    const entity = await entityNamed(connection, "open");
    const pass = await readToEnd(connection, { entity, cursor: null, pageSize: 20_000 });
    expect(pass.records.length).toBe(60_001);
    rmSync(join(root, "open.csv"));
  });

  test("a subfolder is one entity; files added, grown and replaced are read, unchanged ones are not", async () => {
    mkdirSync(join(root, "orders"));
    put("orders/1.csv", "id,n\n1,1\n2,2\n");
    put("orders/2.csv", "id,n\n3,3\n");
    const connection = connect();
    const entity = await entityNamed(connection, "orders");
    const read = async (cursor: null | object) => {
      const pass = await readToEnd(connection, { entity, cursor: cursor as never, pageSize: 2 });
      return { cursor: pass.cursor as object, ids: pass.records.map((record) => record.id) };
    };
    const first = await read(null);
    expect(first.ids).toEqual(["1", "2", "3"]);
    expect((await read(first.cursor)).ids).toEqual([]);
    appendFileSync(join(root, "orders/1.csv"), "4,4\n");
    put("orders/3.csv", "id,n\n5,5\n");
    const second = await read(first.cursor);
    expect(second.ids).toEqual(["4", "5"]);
    put("orders/2.csv", "id,n\n3,33\n6,6\n");
    expect((await read(second.cursor)).ids).toEqual(["3", "6"]);
  });

  test("a file that is replaced by one of equal size while it is read is read anew", async () => {
    const path = join(root, "same.csv");
    const text = (name: string): string => `id,n\n${[1, 2, 3, 4].map((id) => `${id},${name}${id}\n`).join("")}`;
    put("same.csv", text("old"));
    const connection = connect();
    const entity = await entityNamed(connection, "same");
    const request = { entity, fields: ["id", "n"], mode: "changes" as const, pageSize: 2 };
    const first = await connection.read({ ...request, cursor: null });
    expect(first.records).toHaveLength(2);
    put("same.csv", text("new"));
    utimesSync(path, new Date(), new Date(Date.now() + 5_000));
    const rest = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 2 });
    const after = await readToEnd(connection, { entity, cursor: rest.cursor, pageSize: 2 });
    const values = [...rest.records, ...after.records].map((record) => record.values["n"]);
    expect(values).toEqual(["new1", "new2", "new3", "new4"]);
  });

  test("a line still being written is read again when it is complete", async () => {
    put("log.jsonl", '{"id":1,"a":"x"}\n{"id":2,"a":"y"}');
    const connection = connect();
    const entity = await entityNamed(connection, "log");
    const first = await readToEnd(connection, { entity, cursor: null, pageSize: 10 });
    expect(first.records.map((record) => record.id)).toEqual(["1", "2"]);
    appendFileSync(join(root, "log.jsonl"), '\n{"id":3,"a":"z"}\n{"id":4');
    const second = await readToEnd(connection, { entity, cursor: first.cursor, pageSize: 10 });
    expect(second.records.map((record) => record.id)).toEqual(["2", "3"]);
    appendFileSync(join(root, "log.jsonl"), ',"a":"w"}\n');
    const third = await readToEnd(connection, { entity, cursor: second.cursor, pageSize: 10 });
    expect(third.records.map((record) => record.id)).toEqual(["4"]);
  });

  test("links that lead out of the folder are not followed", async () => {
    const outside = mkdtempSync(join(tmpdir(), "accord-outside-"));
    writeFileSync(join(outside, "secret.csv"), "id\n1\n");
    symlinkSync(join(outside, "secret.csv"), join(root, "secret.csv"));
    symlinkSync(outside, join(root, "linked"));
    const names: string[] = [];
    for await (const { entity } of connect().discover({})) names.push(entity.apiName);
    expect(names).not.toContain("secret");
    expect(names).not.toContain("linked");
    // A file that became a link after it was listed.
    const swapped = storedFile("secret.csv", join(root, "secret.csv"));
    await expect(swapped.open()).rejects.toThrow("secret.csv is a link");
    rmSync(outside, { recursive: true });
  });
});
