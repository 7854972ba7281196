/** What the simulated Salesforce makes of values that it is sent: their types, lengths and lists of choices. */
import type { SalesforceField } from "./fields.ts";
import { parseId } from "./ids.ts";
import { refuse } from "./refusals.ts";

/** Times in answers: whole seconds, with an offset without a colon. */
export const salesforceTime = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}.000+0000`;

const TOKENS: Readonly<Record<string, string>> = { string: "VALUE_STRING", boolean: "VALUE_BOOLEAN" };

function wrongType({ type }: SalesforceField, value: unknown): never {
  const kind =
    value === null
      ? "VALUE_NULL"
      : typeof value === "number"
        ? Number.isInteger(value)
          ? "VALUE_NUMBER_INT"
          : "VALUE_NUMBER_FLOAT"
        : (TOKENS[typeof value] ?? (Array.isArray(value) ? "START_ARRAY" : "START_OBJECT"));
  return refuse(
    400,
    "JSON_PARSER_ERROR",
    `Cannot deserialize instance of ${type} from ${kind} value ${String(value)} or request may be missing a required field at [line:1, column:2]`,
  );
}

const isNumeric = (type: string): boolean => ["currency", "double", "percent", "int"].includes(type);

/** The value as it is kept; what can't be read as the field's type at all is refused before anything else is looked at. */
export function readValue(field: SalesforceField, value: unknown): unknown {
  const { type } = field;
  if (type === "boolean") {
    if (typeof value === "boolean") return value;
    return value === "true" ? true : value === "false" ? false : wrongType(field, value);
  }
  if (value === null) return null;
  if (isNumeric(type)) return readNumber(field, value);
  if (typeof value !== "string") return wrongType(field, value);
  if (type === "date" || type === "datetime") return readTime(field, value);
  // White space around a text is not kept, and an empty text is none.
  const text = value.trim();
  return text === "" ? null : text;
}

function readNumber(field: SalesforceField, value: unknown): unknown {
  if (value === "") return null;
  const isSpelt = typeof value === "string" && /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value);
  const number = typeof value === "number" ? value : isSpelt ? Number(value) : NaN;
  if (Number.isNaN(number)) return wrongType(field, value);
  if (field.type === "int") return Number.isInteger(number) ? number : wrongType(field, value);
  const factor = 10 ** field.scale;
  return field.scale > 10 ? number : (Math.sign(number) * Math.round(Math.abs(number) * factor)) / factor;
}

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

function readTime(field: SalesforceField, value: string): unknown {
  if (value === "") return null;
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const at = Date.parse(value);
  if ((!isDay && !MOMENT.test(value)) || Number.isNaN(at)) return wrongType(field, value);
  // `2026-02-31` is a date to nobody.
  if (isDay && new Date(at).toISOString().slice(0, 10) !== value) return wrongType(field, value);
  return field.type === "date" ? new Date(at).toISOString().slice(0, 10) : salesforceTime(at);
}

/** Refuses a value of the right type that the field does not take; answers it as it is kept. */
export function checkValue(field: SalesforceField, value: unknown): unknown {
  const { label, name, type, length, picklist } = field;
  if (typeof value === "number") return checkNumber(field, value);
  if (typeof value !== "string") return value;
  if (type === "reference") return checkReference(field, value);
  if (type === "email" && !/^[^\s@,;]+@[^\s@,;]+\.[^\s@,;.]+$/.test(value))
    return refuse(400, "INVALID_EMAIL_ADDRESS", `${label}: invalid email address: ${value}`, [name]);
  if (length > 0 && value.length > length) {
    const message = `${label}: data value too large: ${value} (max length=${length})`;
    return refuse(400, "STRING_TOO_LONG", message, [name]);
  }
  if (type !== "picklist" && type !== "multipicklist") return value;
  const chosen = type === "multipicklist" ? value.split(";").map((one) => one.trim()) : [value];
  const kept = chosen.map((one) => picklist.find((known) => known.toLowerCase() === one.toLowerCase()) ?? one);
  const unknown = kept.find((one) => !picklist.includes(one));
  if (field.restricted && unknown !== undefined) {
    const message = `${label}: bad value for restricted picklist field: ${unknown}`;
    return refuse(400, "INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST", message, [name]);
  }
  if (type === "picklist") return kept[0];
  // Several choices are answered in the order of the list, whatever order they came in.
  const rank = (one: string) => (picklist.includes(one) ? picklist.indexOf(one) : picklist.length);
  return [...new Set(kept)].toSorted((one, other) => rank(one) - rank(other)).join(";");
}

function checkNumber({ label, name, type, precision, scale }: SalesforceField, value: number): number {
  const most = type === "int" ? 99_999_999 : 10 ** (precision - scale) - 1;
  if (Math.abs(value) <= most) return value;
  const message = `${label}: value outside of valid range on numeric field: ${value}`;
  return refuse(400, "NUMBER_OUTSIDE_VALID_RANGE", message, [name]);
}

function checkReference({ label, name }: SalesforceField, value: string): string {
  return parseId(value) ?? refuse(400, "MALFORMED_ID", `${label}: id value of incorrect type: ${value}`, [name]);
}
