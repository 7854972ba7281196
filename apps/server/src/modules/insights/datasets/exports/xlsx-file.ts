/** An export as an Excel workbook of one sheet, written and compressed as the rows come. */
import { EXPORT_LIMITS } from "@accord/contracts/insights/dataset-exports";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { strToU8, Zip, ZipDeflate } from "fflate";
import type { RawRow } from "../../engine/index.ts";
import { type CellKind, type ExportFile, ExportRefusal, headingOf, labeled, readable } from "./export-file.ts";
import { columnLetters, textCell, xlsxCell, XLSX_STYLES } from "./xlsx-cells.ts";

/** Of the sheet before it is compressed: a ZIP file without extensions holds 4 GB. */
const MAX_SHEET_BYTES = 4_000_000_000;

export function xlsxFile(columns: readonly DatasetColumn[], maxRows: number = EXPORT_LIMITS.xlsxRows): ExportFile {
  const headings = columns.map(headingOf);
  const letters = columns.map((_, index) => columnLetters(index));
  let ready: Uint8Array[] = [];
  let failure: Error | null = null;
  const zip = new Zip((error, bytes) => {
    if (error) failure = error;
    else ready.push(bytes);
  });
  const sheet = new ZipDeflate("xl/worksheets/sheet1.xml", { level: 4 });
  let sheetBytes = 0;
  let written = 0;
  const taken = (): Uint8Array[] => {
    if (failure) throw failure;
    const bytes = ready;
    ready = [];
    return bytes;
  };
  const push = (text: string, isLast = false): Uint8Array[] => {
    const bytes = strToU8(text);
    sheetBytes += bytes.length;
    if (sheetBytes > MAX_SHEET_BYTES) throw new ExportRefusal("bytes", { limit: EXPORT_LIMITS.bytes / 1_000_000 });
    sheet.push(bytes, isLast);
    return taken();
  };
  const rowXml = (row: RawRow, number: number, kinds: readonly CellKind[]): string => {
    const cells = row.map((value, index) =>
      xlsxCell(
        `${letters[index]}${number}`,
        value === null ? null : labeled(value, columns[index]?.labels),
        kinds[index] ?? "text",
        headings[index] ?? "",
      ),
    );
    return `<row r="${number}">${cells.join("")}</row>`;
  };
  return {
    header() {
      for (const [name, text] of Object.entries(PARTS)) {
        const part = new ZipDeflate(name);
        zip.add(part);
        part.push(strToU8(text), true);
      }
      zip.add(sheet);
      const cells = headings.map((text, index) => textCell(`${letters[index]}1`, text, text, XLSX_STYLES.heading));
      return push(`${SHEET_START}<row r="1">${cells.join("")}</row>`);
    },
    rows(rows, kinds) {
      if (written + rows.length > maxRows) throw new ExportRefusal("xlsx_rows", { limit: readable(maxRows) });
      const first = written + 2;
      written += rows.length;
      return push(rows.map((row, index) => rowXml(row, first + index, kinds)).join(""));
    },
    end() {
      const bytes = push("</sheetData></worksheet>", true);
      zip.end();
      return [...bytes, ...taken()];
    },
  };
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml";

const SHEET_START = `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/><sheetData>`;

/** All but the sheet, by their names in the archive. */
const PARTS: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
  "_rels/.rels": `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `${XML}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels": `${XML}<Relationships xmlns="${RELATIONS}"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml": `${XML}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss.000"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
};
