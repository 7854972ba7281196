/** Cells of exports: no value is rounded or cut, and none becomes a formula. */
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { csvCell, csvFile } from "./csv-file.ts";
import { headingOf, isoMoment, kindOfType, labeled } from "./export-file.ts";
import { columnLetters, isExactInExcel, xlsxCell } from "./xlsx-cells.ts";
import { xlsxFile } from "./xlsx-file.ts";

const column = (displayName: string, dataType: DatasetColumn["dataType"] = "string"): DatasetColumn => ({
  name: displayName,
  displayName,
  dataType,
});

describe("[INS-134] cells of a CSV file", () => {
  test.each(["=1+1", "+1", "-1", "@sum", "\tx"])("a text like %j gets an apostrophe", (text) => {
    expect(csvCell(text)).toBe(`'${text}`);
  });

  test("a text that begins with a carriage return gets an apostrophe inside its quotes", () => {
    expect(csvCell("\r=1")).toBe('"\'\r=1"');
  });

  test("numbers, dates and truth values stay what they are", () => {
    expect([csvCell("-0.0000001", "number"), csvCell("1e-07", "number"), csvCell("NaN", "number")]).toEqual([
      "-0.0000001",
      "1e-07",
      "NaN",
    ]);
    expect([csvCell("2026-01-05", "date"), csvCell("t", "boolean"), csvCell("f", "boolean")]).toEqual([
      "2026-01-05",
      "true",
      "false",
    ]);
  });

  test("quotes are doubled, and commas and line breaks stand in quotes", () => {
    expect(csvCell('a "b", c\nd')).toBe('"a ""b"", c\nd"');
  });

  test("an empty text and no value differ", () => {
    expect([csvCell(""), csvCell(null)]).toEqual(['""', ""]);
  });

  test("headings say the zone of times and are no formulas either", () => {
    const [header] = csvFile([column("=a"), column("Closed", "datetime")]).header();
    expect(Buffer.from(header!).toString("utf8")).toBe("\ufeff'=a,Closed (UTC)\r\n");
    expect(headingOf(column("Day", "date"))).toBe("Day");
  });

  test("more rows than the limit are refused, not left out", () => {
    const file = csvFile([column("a")], 2);
    file.rows([["1"], ["2"]], ["text"]);
    expect(() => file.rows([["3"]], ["text"])).toThrow("more than 2 rows");
  });
});

describe("values of PostgreSQL", () => {
  test("times become ISO-8601 with all their digits; what is none stays", () => {
    expect(isoMoment("2026-11-21 10:26:27.123456+00")).toBe("2026-11-21T10:26:27.123456Z");
    expect(isoMoment("2026-11-21 10:26:27+00")).toBe("2026-11-21T10:26:27Z");
    expect([isoMoment("infinity"), isoMoment("0044-03-15 12:00:00+00 BC")]).toEqual([
      "infinity",
      "0044-03-15 12:00:00+00 BC",
    ]);
  });

  test("ids of choices are shown by their names, in lists too", () => {
    const labels = { a: "Open", b: "Won" };
    expect([
      labeled("a", labels),
      labeled("c", labels),
      labeled('["a", "c", null]', labels),
      labeled("a", undefined),
    ]).toEqual(["Open", "c", '["Open","c",null]', "a"]);
  });

  test("kinds follow the types of the database", () => {
    expect([20, 1700, 701, 16, 1082, 1184, 25, 3802].map(kindOfType)).toEqual([
      "number",
      "number",
      "number",
      "boolean",
      "date",
      "moment",
      "text",
      "text",
    ]);
  });
});

describe("[INS-134] cells of an Excel sheet", () => {
  const cell = (value: string | null, kind: Parameters<typeof xlsxCell>[2] = "text") =>
    xlsxCell("A2", value, kind, "a");

  test("numbers of up to 15 digits are numbers, longer ones texts", () => {
    const exact = [
      "0.0000001",
      "123456789012345",
      "-1.5",
      "1000000000000000000000",
      "1e-07",
      "0.000000000000123456789012345",
    ];
    expect(exact.map((text) => [text, isExactInExcel(text)])).toEqual(exact.map((text) => [text, true]));
    const inexact = ["1234567890123456", "0.30000000000000004", "1e+301", "NaN", "Infinity", `1${"0".repeat(310)}`];
    expect(inexact.map((text) => [text, isExactInExcel(text)])).toEqual(inexact.map((text) => [text, false]));
    expect(cell("1234567890123456", "number")).toContain("<is><t");
  });

  test("days and times are Excel's, as far as its calendar and its digits reach", () => {
    expect(cell("1900-03-01", "date")).toBe('<c r="A2" s="1"><v>61</v></c>');
    expect(cell("2026-01-05", "date")).toBe('<c r="A2" s="1"><v>46027</v></c>');
    expect(cell("2026-01-05 12:00:00+00", "moment")).toBe('<c r="A2" s="2"><v>46027.5</v></c>');
    expect(cell("1900-02-28", "date")).toContain(">1900-02-28<");
    expect(cell("10000-01-01", "date")).toContain(">10000-01-01<");
    expect(cell("2026-01-05 12:00:00.000001+00", "moment")).toContain(">2026-01-05T12:00:00.000001Z<");
    expect(cell("infinity", "moment")).toContain(">infinity<");
  });

  test("a text like a formula is a text, and stays one when it is edited", () => {
    expect(cell("=1+1")).toBe('<c r="A2" t="inlineStr" s="4"><is><t xml:space="preserve">=1+1</t></is></c>');
  });

  test("a text that no cell holds fails with CSV as the way out", () => {
    expect(() => cell("x".repeat(32_768))).toThrow(/“a” has more than 32,767 characters.*CSV/);
    expect(cell("x".repeat(32_767))).toContain("xxx");
  });

  test("columns are lettered as Excel does", () => {
    expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(["A", "Z", "AA", "ZZ", "AAA"]);
  });

  test("a workbook unpacks to its parts; more rows than a sheet holds are refused", () => {
    const file = xlsxFile([column("a"), column("b", "decimal")], 2);
    const pieces = [file.header(), file.rows([["x", "1"]], ["text", "number"]), file.end()].flat();
    const parts = unzipSync(Buffer.concat(pieces));
    expect(Object.keys(parts).toSorted()).toEqual([
      "[Content_Types].xml",
      "_rels/.rels",
      "xl/_rels/workbook.xml.rels",
      "xl/styles.xml",
      "xl/workbook.xml",
      "xl/worksheets/sheet1.xml",
    ]);
    expect(strFromU8(parts["xl/worksheets/sheet1.xml"]!)).toMatch(/<row r="2">.*<v>1<\/v><\/c><\/row><\/sheetData>/);
    const small = xlsxFile([column("a")], 1);
    small.header();
    expect(() => small.rows([["1"], ["2"]], ["text"])).toThrow(/holds 1 rows.*CSV/);
  });
});
