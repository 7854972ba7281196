/** Values as cells hold them, exactly as they are: a text that looks like a formula or a number stays a text. */
import { valueParser } from "@accord/connector-sdk";
import { canonicalNumber, isExactNumber } from "@accord/contracts/data/exact-number";
import type { FieldSchema } from "@accord/contracts/data/schema";
import type { Value } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { isBlank } from "../header.ts";
import { serialOfDay, serialOfMoment } from "../serial-dates.ts";

export type EnteredValue = { numberValue: number } | { stringValue: string } | { boolValue: boolean };

export interface WrittenCell {
  /** null: the cell is emptied. */
  entered: EnteredValue | null;
  /** The format without which a date would be shown as a number. */
  format: "DATE" | "DATE_TIME" | null;
  /** The value as the next reading shows it. */
  stored: Value;
}

/** What no cell can hold. */
export class UnwritableValue extends Error {
  override readonly name = "UnwritableValue";
}

const words = googleSheets.writes;
const MAX_TEXT = 50_000;

/** @throws UnwritableValue */
export function cellOf(field: FieldSchema, value: Value, zone: string): WrittenCell {
  if (isBlank(value)) return { entered: null, format: null, stored: null };
  if (typeof value === "object" && !isExactNumber(value)) throw new UnwritableValue(words.noCell);
  const text = isExactNumber(value) ? value.rawJSON : String(value);
  switch (field.dataType) {
    case "boolean":
      if (typeof value !== "boolean") throw new UnwritableValue(words.noCell);
      return { entered: { boolValue: value }, format: null, stored: value };
    case "integer":
    case "double":
      return { entered: { numberValue: numberIn(text) }, format: null, stored: valueParser(field)(value) };
    case "date":
      if (!/^\d{4}-\d\d-\d\d$/.test(text)) throw new UnwritableValue(words.noCell);
      return { entered: { numberValue: serialOfDay(text) }, format: "DATE", stored: text };
    case "datetime":
      return { entered: { numberValue: momentIn(text, zone) }, format: "DATE_TIME", stored: text };
    default:
      if (text.length > MAX_TEXT) throw new UnwritableValue(fill(words.tooLong, { count: text.length }));
      return { entered: { stringValue: text }, format: null, stored: text };
  }
}

/** A cell keeps a floating-point number: one that would come back as another is not written. */
function numberIn(text: string): number {
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    throw new UnwritableValue(fill(words.noNumber, { value: JSON.stringify(text.slice(0, 60)) }));
  if (canonicalNumber(String(number)) !== canonicalNumber(text.trim().replace(/^\+/, "")))
    throw new UnwritableValue(fill(words.losesDigits, { value: text.slice(0, 60) }));
  return number;
}

function momentIn(text: string, zone: string): number {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(?:\d{3}|\d{6})Z$/.test(text)) throw new UnwritableValue(words.noCell);
  const serial = serialOfMoment(text, zone);
  if (serial === null) throw new UnwritableValue(fill(words.twoTimes, { value: text, zone }));
  return serial;
}
