/** Values of cells: numbers with the digits that the file has, dates by their style, texts as they stand. */
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import { XLSX_LIMITS } from "./archive.ts";
import type { Shown } from "./workbook.ts";
import { unescaped } from "./xml.ts";

export interface CellContext {
  texts: readonly string[];
  styles: readonly Shown[];
  isFrom1904: boolean;
}

/** A cell as the file has it. */
export interface RawCell {
  type: string;
  style: number;
  text: string;
}

/** A value, or why there is none. */
export type CellValue = { value: Value } | { problem: string };

export function cellValue({ type, style, text }: RawCell, context: CellContext): CellValue {
  switch (type) {
    case "s":
      return sharedText(text.trim(), context.texts);
    case "str":
    case "inlineStr":
      return textValue(unescaped(text));
    case "b":
      return { value: text.trim() === "1" };
    case "e":
      return { problem: `holds the error ${text}` };
    case "d":
      return { value: text.trim() };
    default:
      return numberValue(text.trim(), context.styles[style] ?? "number", context.isFrom1904);
  }
}

const textValue = (text: string): CellValue =>
  text.length > XLSX_LIMITS.textLength
    ? { problem: `holds a text of more than ${XLSX_LIMITS.textLength.toLocaleString("en")} characters` }
    : { value: text };

function sharedText(index: string, texts: readonly string[]): CellValue {
  const text = /^\d{1,9}$/.test(index) ? texts[Number(index)] : undefined;
  return text === undefined
    ? { problem: `names the text ${index.slice(0, 40)}, which the workbook has not` }
    : textValue(text);
}

function numberValue(digits: string, shown: Shown, isFrom1904: boolean): CellValue {
  if (digits === "") return { value: null };
  if (!/^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d{1,3})?$/i.test(digits))
    return { problem: `holds ${digits.slice(0, 40)}, which is no number` };
  return shown === "number" ? { value: parseExactJson(digits) } : dateValue(Number(digits), shown, isFrom1904);
}

const DAY_MS = 86_400_000;
const BEGIN_1900 = Date.UTC(1899, 11, 30);
const BEGIN_1904 = Date.UTC(1904, 0, 1);
const LAST_DAY = 2_958_466;

/** Days since the calendar of the workbook begins, the part after the point as time of day, to the millisecond. */
function dateValue(days: number, shown: Shown, isFrom1904: boolean): CellValue {
  if (days < 0 || days >= LAST_DAY) return { problem: `holds ${days}, which is no day of its calendar` };
  // Excel's calendar has a 29 February 1900, which never was; its days before are one off.
  if (!isFrom1904 && days >= 60 && days < 61) return { problem: "holds 29 February 1900, a day that never was" };
  const early = !isFrom1904 && days < 60 ? 1 : 0;
  const moment = (isFrom1904 ? BEGIN_1904 : BEGIN_1900) + Math.round((days + early) * DAY_MS);
  const iso = new Date(moment).toISOString();
  if (shown === "time" && days < 1) return { value: iso.slice(11, -1).replace(/\.000$/, "") };
  return { value: shown === "date" && Number.isInteger(days) ? iso.slice(0, 10) : iso };
}

/** `BC12` → 54: columns are counted from 0. */
export function columnOf(reference: string): number {
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) - 64;
    if (code < 1 || code > 26) break;
    column = column * 26 + code;
  }
  return column - 1;
}
