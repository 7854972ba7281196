/** Writes XLSX workbooks for tests: plain tables, or parts of an archive as spreadsheet programs make them. */
import { strToU8, zipSync } from "fflate";

type Cell = string | number | boolean | null;

const NS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export const zipOf = (parts: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    zipSync(
      Object.fromEntries(
        Object.entries(parts).map(([name, part]) => [name, typeof part === "string" ? strToU8(part) : part]),
      ),
    ),
  );

export interface SheetParts {
  name: string;
  /** What stands in `sheetData`. */
  rows: string;
  /** What stands behind it: `<mergeCells>`. */
  after?: string;
  state?: string;
}

export interface WorkbookParts {
  sheets: readonly SheetParts[];
  /** What stands in `sst`. */
  texts?: string;
  /** What stands in `styleSheet`. */
  styles?: string;
  isFrom1904?: boolean;
}

export function workbook({ sheets, texts, styles, isFrom1904 = false }: WorkbookParts): Buffer {
  const entries = sheets.map(
    ({ name, state = "visible" }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`,
  );
  const relations = sheets.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${REL}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  return zipOf({
    "xl/workbook.xml": `<?xml version="1.0"?><workbook xmlns="${NS}" xmlns:r="${REL}"><workbookPr date1904="${isFrom1904}"/><sheets>${entries.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships>${relations.join("")}</Relationships>`,
    ...(texts !== undefined && { "xl/sharedStrings.xml": `<sst xmlns="${NS}">${texts}</sst>` }),
    ...(styles !== undefined && { "xl/styles.xml": `<styleSheet xmlns="${NS}">${styles}</styleSheet>` }),
    ...Object.fromEntries(
      sheets.map(({ rows, after = "" }, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        `<worksheet xmlns="${NS}"><sheetData>${rows}</sheetData>${after}</worksheet>`,
      ]),
    ),
  });
}

const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

const cellOf = (value: Cell): string => {
  if (value === null) return "<c/>";
  if (typeof value === "number") return `<c><v>${value}</v></c>`;
  if (typeof value === "boolean") return `<c t="b"><v>${value ? 1 : 0}</v></c>`;
  return `<c t="inlineStr"><is><t xml:space="preserve">${escaped(value)}</t></is></c>`;
};

/** By the names of its sheets; the first row of each is the header. */
export const workbookOf = (sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>): Buffer =>
  workbook({
    sheets: Object.entries(sheets).map(([name, rows]) => ({
      name,
      rows: rows.map((row) => `<row>${row.map(cellOf).join("")}</row>`).join(""),
    })),
  });
