/** XLSX workbooks as spreadsheet programs write them, and as nobody should: awkward cells, merged names, archives that are traps. */
import { entityNamed, readToEnd } from "@accord/connector-sdk/test-kit";
import { expect, test } from "vitest";
import { workbook, workbookOf, zipOf } from "../../../../test-systems/workbook.ts";
import { XLSX_LIMITS } from "./archive.ts";
import { shownByCode } from "./workbook.ts";
import { workbookFolder } from "./workbook-folder.fixtures.ts";

const { connect, put, readAll, remove } = workbookFolder();
const names = async (): Promise<string[]> => {
  const found: string[] = [];
  for await (const { entity } of connect().discover({})) found.push(entity.apiName);
  return found;
};

test("each visible sheet is an entity, its types come from its cells", async () => {
  put(
    "shop.xlsx",
    workbookOf({
      Orders: [
        ["id", "name", "paid", "total"],
        [1, "A <b> & c", true, 12.5],
        [2, "01234", false, 3],
      ],
      "Stock & more": [["sku"], ["x"]],
    }),
  );
  put("hidden.xlsx", workbook({ sheets: [{ name: "Secret", rows: "", state: "veryHidden" }] }));
  expect(await names()).toEqual(["shop.Orders", "shop.Stock & more"]);
  const { entity, records } = await readAll("shop.Orders");
  expect(entity.fields.map(({ dataType }) => dataType)).toEqual(["integer", "string", "boolean", "double", "string"]);
  expect(records.map(({ id, values }) => [id, values["name"], values["paid"], values["total"]])).toEqual([
    ["1", "A <b> & c", true, 12.5],
    ["2", "01234", false, 3],
  ]);
});

test("shared and rich texts, formulas by their stored value, dates of each kind, gaps between cells and rows", async () => {
  const styles = `<numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy&quot; h&quot;"/><numFmt numFmtId="165" formatCode="[h]:mm"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="22"/><xf numFmtId="165"/><xf numFmtId="20"/></cellXfs>`;
  const texts = `<si><t>id</t></si><si><r><t xml:space="preserve">Rich </t></r><r><rPr/><t>text</t></r><rPh sb="0"><t>spoken</t></rPh></si><si><t>line_x000D_break</t></si>`;
  const rows = `
    <row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="str"><v>text</v></c><c r="D3" t="inlineStr"><is><t>day</t></is></c>
      <c r="E3" t="str"><v>at</v></c><c r="F3" t="str"><v>took</v></c><c r="G3" t="str"><v>time</v></c><c r="H3" t="str"><v>sum</v></c></row>
    <row r="5"><c r="B5"><v>1</v></c><c r="C5" t="s"><v>1</v></c><c r="D5" s="1"><v>45000</v></c><c r="E5" s="2"><v>45000.75</v></c>
      <c r="F5" s="3"><v>1.5</v></c><c r="G5" s="4"><v>0.375</v></c><c r="H5"><f>B5*2</f><v>0.30000000000000004</v></c></row>
    <row r="6"/>
    <row r="9"><c r="B9"><v>2</v></c><c r="C9" t="s"><v>2</v></c><c r="H9"><v>1E-3</v></c></row>`;
  put("book.xlsx", workbook({ sheets: [{ name: "S", rows }], texts, styles }));
  const { entity, records } = await readAll("book.S");
  const types = Object.fromEntries(entity.fields.map(({ apiName, dataType }) => [apiName, dataType]));
  expect(types).toMatchObject({ column_1: "string", id: "integer", day: "date", at: "datetime", took: "double" });
  expect(records[0]?.values).toMatchObject({
    ...{ column_1: null, id: 1, text: "Rich text", day: "2023-03-15", at: "2023-03-15T18:00:00.000Z" },
    ...{ took: 1.5, time: "09:00:00", sum: 0.30000000000000004, _row: "book.xlsx:5" },
  });
  expect(records[1]?.values).toMatchObject({ id: 2, text: "line\rbreak", day: null, sum: 0.001, _row: "book.xlsx:9" });
});

test("workbooks that count days from 1904, and the day of 1900 that never was", async () => {
  const styles = `<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>`;
  const rows = (days: number) =>
    `<row><c t="str"><v>id</v></c><c t="str"><v>day</v></c></row><row><c><v>1</v></c><c s="1"><v>${days}</v></c></row>`;
  put("mac.xlsx", workbook({ sheets: [{ name: "S", rows: rows(1) }], styles, isFrom1904: true }));
  put("old.xlsx", workbook({ sheets: [{ name: "S", rows: rows(59) }], styles }));
  put("never.xlsx", workbook({ sheets: [{ name: "S", rows: rows(60) }], styles }));
  expect((await readAll("mac.S")).records[0]?.values["day"]).toBe("1904-01-02");
  expect((await readAll("old.S")).records[0]?.values["day"]).toBe("1900-02-28");
  expect((await readAll("never.S")).bad?.[0]?.message).toContain("29 February 1900");
});

test.each([
  ["dd.mm.yyyy", "date"],
  ["[$-407]d. mmmm yyyy;@", "date"],
  ["yyyy-mm-dd hh:mm", "datetime"],
  ["[h]:mm:ss", "number"],
  ["mm:ss.0", "time"],
  ['0.00" days"', "number"],
  ["[Red]#,##0.00", "number"],
  ["General", "number"],
  ["mmm", "date"],
])("the format %s shows a %s", (code, shown) => {
  expect(shownByCode(code)).toBe(shown);
});

test("an error in a cell, and a value beside the named columns, cost their row and are named", async () => {
  const rows = `<row><c t="str"><v>id</v></c><c t="str"><v>n</v></c></row>
    <row><c><v>1</v></c><c t="e"><v>#N/A</v></c></row><row><c><v>2</v></c><c><v>5</v></c><c><v>9</v></c></row>
    <row><c><v>3</v></c><c><v>5</v></c></row>`;
  put("errors.xlsx", workbook({ sheets: [{ name: "S", rows }] }));
  const { records, bad } = await readAll("errors.S");
  expect(records.map(({ id }) => id)).toEqual(["3"]);
  expect(bad).toMatchObject([
    {
      place: "errors.xlsx, sheet S, row 2",
      id: "1",
      message: "The line can't be used: the cell of n holds the error #N/A.",
    },
    { place: "errors.xlsx, sheet S, row 3", id: "2", message: expect.stringContaining("column 3, which has no name") },
  ]);
});

test("merged cells above or in the row of names are refused, below it they are not", async () => {
  const rows = `<row r="1"><c t="str"><v>id</v></c><c t="str"><v>n</v></c></row><row r="2"><c><v>1</v></c><c><v>2</v></c></row>`;
  const merged = (ref: string) => `<mergeCells count="1"><mergeCell ref="${ref}"/></mergeCells>`;
  put("low.xlsx", workbook({ sheets: [{ name: "S", rows, after: merged("A2:B2") }] }));
  expect((await readAll("low.S")).records).toHaveLength(1);
  put("top.xlsx", workbook({ sheets: [{ name: "S", rows, after: merged("A1:B1") }] }));
  await expect(readAll("top.S")).rejects.toMatchObject({
    kind: "configuration",
    message: "The cells A1:B1 of sheet S are merged, above or in the row of names.",
    hint: expect.stringContaining("Unmerge"),
  });
});

test("a large sheet is read page by page, each row once, also where another connection goes on", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => [at + 1, `Name ${at + 1}`]);
  put("large.xlsx", workbookOf({ S: [["id", "name"], ...many] }));
  const connection = connect();
  const entity = await entityNamed(connection, "large.S");
  const whole = await readToEnd(connection, { entity, cursor: null, pageSize: 700 });
  expect(whole.records.map(({ id }) => Number(id))).toEqual(many.map(([id]) => id));
  await connection.close();
  const request = { entity, fields: ["name"], mode: "changes" as const, pageSize: 700 };
  const [one, other] = [connect(), connect()];
  const first = await one.read({ ...request, cursor: null });
  const rest = await readToEnd(other, { entity, cursor: first.cursor, pageSize: 5_000 });
  await Promise.all([one.close(), other.close()]);
  expect([first.records.length, rest.records.length, rest.records[0]?.id]).toEqual([700, 4_300, "701"]);
});

test("archives that are traps are refused before they are unpacked", async () => {
  const sheet = (rows: string) => workbook({ sheets: [{ name: "S", rows }] });
  put("bomb.xlsx", sheet(`<row><c t="str"><v>${"a".repeat(40_000_000)}</v></c></row>`));
  await expect(readAll("bomb.S")).rejects.toThrow("more tightly than a sheet of data can be");
  remove("bomb.xlsx");
  const parts = Object.fromEntries(Array.from({ length: XLSX_LIMITS.entries + 1 }, (_, at) => [`p${at}`, ""]));
  put("many.xlsx", zipOf(parts));
  await expect(connect().check()).rejects.toThrow(
    "many.xlsx: The workbook can't be read: it has more than 10000 parts",
  );
});

test("an archive that says a part is smaller than it is, is damaged", async () => {
  const bytes = workbookOf({ S: [["id", "name"], ...Array.from({ length: 500 }, (_, at) => [at, `Name ${at}`])] });
  const central = bytes.lastIndexOf("xl/worksheets/sheet1.xml");
  // The size in the directory, 22 bytes before the name.
  bytes.writeUInt32LE(100, central - 22);
  put("lying.xlsx", bytes);
  await expect(readAll("lying.S")).rejects.toMatchObject({
    kind: "configuration",
    message: "The file is no XLSX workbook, or it is damaged.",
  });
});

test("what is no workbook is said to be none", async () => {
  put("text.xlsx", Buffer.from("id,name\n1,a\n"));
  await expect(connect().check()).rejects.toMatchObject({
    message: expect.stringContaining("text.xlsx: The file is no"),
  });
  put("text.xlsx", workbookOf({ S: [["id"], [1]] }).subarray(0, 300));
  await expect(connect().check()).rejects.toMatchObject({ kind: "configuration" });
});
