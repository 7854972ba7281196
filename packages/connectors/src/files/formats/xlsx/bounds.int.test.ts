/** What a workbook may not do to the server that reads it, and what in it costs a row instead of the file. */
import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { workbook, zipOf } from "../../../../test-systems/workbook.ts";
import { workbookFolder } from "./workbook-folder.fixtures.ts";

const { connect, put, readAll } = workbookFolder();

const HEADER = `<row><c t="str"><v>id</v></c><c t="str"><v>n</v></c></row>`;

test("elements within elements without end are refused", async () => {
  put("deep.xlsx", workbook({ sheets: [{ name: "S", rows: `${HEADER}${"<a>".repeat(100_000)}` }] }));
  await expect(readAll("deep.S")).rejects.toMatchObject({
    kind: "configuration",
    message: expect.stringContaining("nested too deeply"),
  });
});

test("a list of styles that is larger than any program writes is refused before it is unpacked", async () => {
  const styles = "<x/>".repeat(2_400_000);
  put("styles.xlsx", workbook({ sheets: [{ name: "S", rows: HEADER }], styles }));
  await expect(readAll("styles.S")).rejects.toThrow("unpacks xl/styles.xml to 10 MB");
});

test("the format of a number is no longer than a spreadsheet takes, however many styles name it", async () => {
  const stylesOf = (code: string, count: number): string =>
    `<numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>
     <cellXfs>${`<xf numFmtId="164"/>`.repeat(count)}</cellXfs>`;
  const rows = `${HEADER}<row><c t="str"><v>1</v></c><c s="9"><v>45000</v></c></row>`;
  put("long.xlsx", workbook({ sheets: [{ name: "S", rows }], styles: stylesOf("[".repeat(900_000), 10) }));
  await expect(readAll("long.S")).rejects.toMatchObject({
    kind: "configuration",
    message: expect.stringContaining("has a number format of more than 255 characters"),
  });
  const code = `${"[".repeat(245)}dd.mm.yyyy`;
  put("many.xlsx", workbook({ sheets: [{ name: "S", rows }], styles: stylesOf(code, 30_000) }));
  expect((await readAll("many.S")).records[0]?.values["n"]).toBe("2023-03-15");
});

test("rows behind the last one that a sheet has are refused", async () => {
  const rowAt = (number: number): string => `<row r="${number}"><c t="str"><v>1</v></c></row>`;
  put("last.xlsx", workbook({ sheets: [{ name: "S", rows: `${HEADER}${rowAt(1_048_576)}` }] }));
  expect((await readAll("last.S")).records.map(({ id }) => id)).toEqual(["1"]);
  put("beyond.xlsx", workbook({ sheets: [{ name: "S", rows: `${HEADER}${rowAt(1_048_577)}` }] }));
  await expect(readAll("beyond.S")).rejects.toMatchObject({
    kind: "configuration",
    message: "It has a row 1048577: a sheet ends with row 1048576.",
  });
});

test("a page holds no more of shared texts than of texts in their cells", async () => {
  const long = "x".repeat(30_000);
  const row = (id: number) => `<row><c><v>${id}</v></c>${`<c t="s"><v>0</v></c>`.repeat(20)}</row>`;
  const names = Array.from({ length: 20 }, (_, at) => `<c t="str"><v>n${at}</v></c>`).join("");
  const rows = `<row><c t="str"><v>id</v></c>${names}</row>${Array.from({ length: 60 }, (_, at) => row(at + 1)).join("")}`;
  put("shared.xlsx", workbook({ sheets: [{ name: "S", rows }], texts: `<si><t>${long}</t></si>` }));
  const { records, drained } = await readAll("shared.S");
  // 600 kB each.
  expect([records.length, drained]).toEqual([14, false]);
  const wide = `<row><c t="str"><v>id</v></c></row><row>${`<c t="s"><v>0</v></c>`.repeat(300)}</row>`;
  put("wide.xlsx", workbook({ sheets: [{ name: "S", rows: wide }], texts: `<si><t>${long}</t></si>` }));
  await expect(readAll("wide.S")).rejects.toThrow("Row 2 is longer than 8 MB");
});

test("a text longer than a cell may have, and one that the workbook has not, cost their row", async () => {
  const long = "x".repeat(32_768);
  const rows = `${HEADER}
    <row><c><v>1</v></c><c t="s"><v>0</v></c></row><row><c><v>2</v></c><c t="inlineStr"><is><t>${long}</t></is></c></row>
    <row><c><v>3</v></c><c t="s"><v>7</v></c></row><row><c><v>4</v></c><c t="s"><v>x</v></c></row>
    <row><c><v>5</v></c><c><v>007</v></c></row><row><c><v>6</v></c><c t="s"><v>1</v></c></row>`;
  const texts = `<si><t>${long}</t></si><si><t>fine</t></si>`;
  put("odd.xlsx", workbook({ sheets: [{ name: "S", rows }], texts }));
  const { records, bad } = await readAll("odd.S");
  expect(records.map(({ id, values }) => [id, values["n"]])).toEqual([["6", "fine"]]);
  expect(bad?.map(({ id, message }) => [id, message])).toEqual([
    ["1", "The line can't be used: the cell of n holds a text of more than 32,767 characters."],
    ["2", "The line can't be used: the cell of n holds a text of more than 32,767 characters."],
    ["3", "The line can't be used: the cell of n names the text 7, which the workbook has not."],
    ["4", "The line can't be used: the cell of n names the text x, which the workbook has not."],
    ["5", "The line can't be used: the cell of n holds 007, which is no number."],
  ]);
});

test("more shared texts than fit in memory are refused", async () => {
  // Not packed so tightly that this would be why.
  const odd = (at: number): string => createHash("sha512").update(`${at}`).digest("hex").repeat(2);
  const text = (at: number): string => `<si><t>${odd(at)}${String(at + 1_000).repeat(7_900)}</t></si>`;
  const texts = Array.from({ length: 1_100 }, (_, at) => text(at)).join("");
  put("texts.xlsx", workbook({ sheets: [{ name: "S", rows: HEADER }], texts }));
  await expect(readAll("texts.S")).rejects.toThrow("holds more than 32 MB of texts");
});

test("parts are found by what the workbook says of them, whatever the case of their names", async () => {
  const type = "http://purl.oclc.org/ooxml/officeDocument/relationships";
  const relation = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${type}/${kind}" Target="${target}"/>`;
  put(
    "strict.xlsx",
    zipOf({
      "_rels/.rels": `<Relationships>${relation("a", "officeDocument", "/Book/main.xml")}</Relationships>`,
      "book/main.xml": `<workbook><sheets><sheet name="S" r:id="s"/></sheets></workbook>`,
      "book/_rels/main.xml.rels": `<Relationships>${relation("s", "worksheet", "Sheets/One.xml")}${relation("t", "sharedStrings", "../texts/All.XML")}${relation("y", "styles", "Looks.xml")}</Relationships>`,
      "Texts/all.xml": "<sst><si><t>fine</t></si></sst>",
      "book/looks.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
      "book/sheets/one.xml": `<worksheet><sheetData>${HEADER}<row><c s="1"><v>45000</v></c><c t="s"><v>0</v></c></row></sheetData></worksheet>`,
    }),
  );
  expect((await readAll("strict.S")).records[0]?.values).toMatchObject({ id: "2023-03-15", n: "fine" });
});

test("times of day keep their fractions", async () => {
  const styles = `<cellXfs><xf numFmtId="47"/></cellXfs>`;
  const rows = `${HEADER}<row><c t="str"><v>1</v></c><c s="0"><v>${(12.345 / 86_400).toString()}</v></c></row>`;
  put("times.xlsx", workbook({ sheets: [{ name: "S", rows }], styles }));
  expect((await readAll("times.S")).records[0]?.values).toMatchObject({ id: "1", n: "00:00:12.345" });
});

test("a workbook of more sheets than anybody looks through is refused", async () => {
  const sheets = Array.from({ length: 101 }, (_, at) => ({ name: `S${at}`, rows: HEADER }));
  put("sheets.xlsx", workbook({ sheets }));
  await expect(connect().check()).rejects.toThrow("more than 100 sheets");
});
