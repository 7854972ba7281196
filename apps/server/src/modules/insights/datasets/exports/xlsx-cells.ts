/** Cells of an Excel sheet as XML. What a cell of that type can't hold exactly is written as a text; there are no formulas. */
import { EXPORT_LIMITS } from "@accord/contracts/insights/dataset-exports";
import { type CellKind, ExportRefusal, isFormulaLike, isoMoment, readable } from "./export-file.ts";

/** Positions in the `cellXfs` of the styles. */
export const XLSX_STYLES = { date: 1, moment: 2, heading: 3, quoted: 4 } as const;

const DAY_MS = 86_400_000;
/** Day 0 of Excel's calendar, which is that of the world from March 1900 on: it has a 29 February 1900. */
const EPOCH_MS = Date.UTC(1899, 11, 30);
const FIRST_MS = Date.UTC(1900, 2, 1);
const LAST_YEAR = 9999;
/** Digits that Excel keeps of a number. */
const MAX_DIGITS = 15;
/** Excel's numbers reach from 1e-307 to 9.99e307. */
const MAX_EXPONENT = 300;

/** `A`, …, `Z`, `AA`, … */
export function columnLetters(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest > 0 ? columnLetters(rest - 1) : ""}${String.fromCharCode(65 + (index % 26))}`;
}

/** The cell at a place such as `B7`; empty for no value. `column`: its heading, for what can't be written. */
export function xlsxCell(place: string, value: string | null, kind: CellKind, column: string): string {
  if (value === null) return "";
  switch (kind) {
    case "boolean":
      return `<c r="${place}" t="b"><v>${value === "t" ? 1 : 0}</v></c>`;
    case "number":
      return isExactInExcel(value) ? `<c r="${place}"><v>${value}</v></c>` : textCell(place, value, column);
    case "date": {
      const serial = serialOf(value, "00:00:00", "");
      return serial === null ? textCell(place, value, column) : serialCell(place, serial, XLSX_STYLES.date);
    }
    case "moment": {
      const parts = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?(?:\+00)?$/.exec(value);
      const [, day = "", time = "", fraction = ""] = parts ?? [];
      const serial = parts ? serialOf(day, time, fraction) : null;
      return serial === null
        ? textCell(place, isoMoment(value), column)
        : serialCell(place, serial, XLSX_STYLES.moment);
    }
    case "text":
      return textCell(place, value, column);
  }
}

const serialCell = (place: string, serial: number, style: number): string =>
  `<c r="${place}" s="${style}"><v>${serial}</v></c>`;

export function textCell(place: string, text: string, column: string, style?: number): string {
  if (text.length > EXPORT_LIMITS.xlsxCell)
    throw new ExportRefusal("xlsx_cell", { column, limit: readable(EXPORT_LIMITS.xlsxCell) });
  // Else a text that begins like a formula becomes one as soon as somebody edits its cell.
  const used = style ?? (isFormulaLike(text) ? XLSX_STYLES.quoted : 0);
  return `<c r="${place}" t="inlineStr"${used ? ` s="${used}"` : ""}><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;
}

/** Days since Excel's day 0; null for what its calendar does not hold. */
function serialOf(day: string, time: string, fraction: string): number | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (!parts) return null;
  const at = Date.parse(`${day}T${time}.${fraction.padEnd(3, "0")}Z`);
  if (!Number.isFinite(at) || at < FIRST_MS || Number(parts[1]) > LAST_YEAR) return null;
  return (at - EPOCH_MS) / DAY_MS;
}

/** Whether Excel keeps all digits of a number as PostgreSQL writes it. */
export function isExactInExcel(text: string): boolean {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/i.exec(text);
  if (!parts) return false;
  const [, whole = "", fraction = "", exponent = "0"] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, "").replace(/0+$/, "");
  const size = Math.max(whole.length, fraction.length) + Math.abs(Number(exponent));
  return digits.length <= MAX_DIGITS && size <= MAX_EXPONENT;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Characters that XML can't hold are written as `_x0000_`, and what looks like that already is protected. */
function xmlText(text: string): string {
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)
    .replace(
      /(?![\t\n\u007F-\u009F])\p{Control}|[\uFFFE\uFFFF]/gu,
      (character) => `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    );
}
