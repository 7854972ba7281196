/** The tables of simulated Airtable's base: their fields, what values these take and what they make of them. */
import { isObject } from "../kit.ts";
import { createHash, randomBytes } from "node:crypto";

export interface Choice {
  id: string;
  name: string;
  color: string;
}

export interface Field {
  id: string;
  name: string;
  type: string;
  options?: Record<string, unknown>;
}

export interface Refusal {
  type: string;
  message: string;
}

export interface WriteRules {
  typecast: boolean;
  /** Whether a table of this id has this record. */
  hasRecord(tableId: string, id: string): boolean;
}

const COMPUTED = new Set(["formula", "createdTime", "lastModifiedTime"]);

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function newId(prefix: string, from: Buffer = randomBytes(14)): string {
  return prefix + [...from.subarray(0, 14)].map((byte) => LETTERS[byte % LETTERS.length]).join("");
}

/** The same id for the same text, so that a base looks the same in each test. */
export function fixedId(prefix: string, text: string): string {
  return newId(prefix, createHash("sha256").update(text).digest());
}

export function field(table: string, name: string, type: string, options?: Record<string, unknown>): Field {
  return { id: fixedId("fld", `${table}.${name}`), name, type, ...(options === undefined ? {} : { options }) };
}

export function choices(...names: string[]): { choices: Choice[] } {
  return { choices: names.map((name) => ({ id: fixedId("sel", name), name, color: "blueLight2" })) };
}

/** What is kept of a value; null: the cell is empty. */
export function valueFor(target: Field, value: unknown, rules: WriteRules): { value: unknown } | Refusal {
  if (COMPUTED.has(target.type)) {
    return invalid(`Field "${target.name}" cannot accept a value because the field is computed`);
  }
  if (value === null) return { value: null };
  const kept = VALUES[target.type]?.(target, value, rules);
  if (kept === undefined) return invalid(`Field "${target.name}" cannot accept the provided value`);
  return kept;
}

function invalid(message: string): Refusal {
  return { type: "INVALID_VALUE_FOR_COLUMN", message };
}

type Taken = { value: unknown } | Refusal | undefined;

const VALUES: Readonly<Record<string, (target: Field, value: unknown, rules: WriteRules) => Taken>> = {
  singleLineText: textValue,
  multilineText: textValue,
  email: textValue,
  number: numberValue,
  checkbox: (_target, value, { typecast }) => {
    if (typeof value === "boolean") return { value: value || null };
    return typecast ? { value: value === "true" || value === 1 || null } : undefined;
  },
  date: (_target, value) => {
    const time = timeValue(value);
    return time === undefined ? undefined : { value: time.slice(0, 10) };
  },
  dateTime: (_target, value) => {
    const time = timeValue(value);
    return time === undefined ? undefined : { value: time };
  },
  singleSelect: (target, value, rules) => (typeof value === "string" ? choice(target, value, rules) : undefined),
  multipleSelects: (target, value, rules) => listValue(value, (item) => choice(target, item, rules)),
  multipleRecordLinks: (target, value, rules) => listValue(value, (item) => link(target, item, rules)),
  multipleAttachments: (_target, value) => {
    if (!Array.isArray(value)) return undefined;
    const files = value.map(attachment);
    return files.includes(undefined) ? undefined : { value: files.length === 0 ? null : files };
  },
};

function textValue(_target: Field, value: unknown, { typecast }: WriteRules): Taken {
  if (typeof value === "string") return { value: value === "" ? null : value };
  return typecast && typeof value !== "object" ? { value: String(value) } : undefined;
}

function numberValue(target: Field, value: unknown, { typecast }: WriteRules): Taken {
  const number = typecast && typeof value === "string" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return undefined;
  return { value: Number(number.toFixed(Number(target.options?.["precision"] ?? 0))) };
}

/** Dates and times in ISO 8601; one without a zone is in UTC. */
function timeValue(value: unknown): string | undefined {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)/.test(value)) return undefined;
  const spelt = value.replace(" ", "T");
  const time = new Date(/^.{10}$|Z$|[+-]\d\d:?\d\d$/.test(spelt) ? spelt : `${spelt}Z`);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function listValue(value: unknown, each: (item: string) => { value: unknown } | Refusal): Taken {
  if (!Array.isArray(value)) return undefined;
  const kept: unknown[] = [];
  for (const item of value) {
    if (typeof item !== "string") return undefined;
    const one = each(item);
    if ("type" in one) return one;
    if (!kept.includes(one.value)) kept.push(one.value);
  }
  return { value: kept.length === 0 ? null : kept };
}

function choice(target: Field, name: string, { typecast }: WriteRules): { value: string } | Refusal {
  const known = target.options?.["choices"];
  if (!Array.isArray(known)) return invalid(`Field "${target.name}" has no options`);
  if (known.some((one: Choice) => one.name === name)) return { value: name };
  if (!typecast || name === "") {
    const message = `Insufficient permissions to create new select option "${JSON.stringify(name)}"`;
    return { type: "INVALID_MULTIPLE_CHOICE_OPTIONS", message };
  }
  known.push({ id: newId("sel"), name, color: "grayLight2" });
  return { value: name };
}

function link(target: Field, id: string, { hasRecord }: WriteRules): { value: string } | Refusal {
  if (!/^rec[A-Za-z0-9]{14}$/.test(id)) {
    return { type: "INVALID_RECORD_ID", message: `Value "${id}" is not a valid record ID.` };
  }
  if (hasRecord(String(target.options?.["linkedTableId"]), id)) return { value: id };
  return { type: "ROW_DOES_NOT_EXIST", message: `Record ID ${id} does not exist` };
}

function attachment(given: unknown): Record<string, unknown> | undefined {
  if (!isObject(given)) return undefined;
  const { url, filename, id } = given;
  if (typeof id === "string") return { id, url: `https://v5.airtableusercontent.com/${id}`, filename: "kept.png" };
  if (typeof url !== "string" || !URL.canParse(url)) return undefined;
  const name = typeof filename === "string" ? filename : (new URL(url).pathname.split("/").at(-1) ?? "file");
  return { id: newId("att"), url: `https://v5.airtableusercontent.com/${newId("f")}`, filename: name, size: 26 };
}
