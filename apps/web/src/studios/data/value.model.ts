/** How a field's value reads for people, and what an editor makes of what they enter. Pure. */
import type { CoreField } from "@accord/contracts/data/entities";
import type { RecordMetadata } from "@accord/contracts/data/records";
import type { Value, Values } from "@accord/contracts/data/values";
import { parseReply } from "../../app/exact-replies.ts";

export type References = RecordMetadata["references"];

export const isEmpty = (value: Value | undefined): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Digits grouped without going through a floating-point number, so that no digit of an exact number is lost. */
export function groupDigits(text: string): string {
  const parts = /^(-?)(\d+)(\.\d+)?$/.exec(text);
  if (!parts) return text;
  const [, sign = "", whole = "", fraction = ""] = parts;
  return `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ",")}${fraction}`;
}

const DATE = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" });
const MOMENT = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeStyle: "short" });

function readable(format: Intl.DateTimeFormat, text: string): string {
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : format.format(at);
}

/** One line of text; empty for an empty value. */
export function textOf(field: CoreField, value: Value | undefined, references: References = {}): string {
  if (isEmpty(value) || value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((item) => textOf(field, item, references)).join(", ");
  switch (field.dataType) {
    case "boolean":
      return value === true ? "Yes" : "No";
    case "integer":
    case "decimal":
      return groupDigits(String(value));
    case "double":
      return typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 10 }) : String(value);
    case "date":
      return readable(DATE, `${String(value)}T00:00:00Z`);
    case "datetime":
    case "timestamp":
      return readable(MOMENT, String(value));
    case "picklist":
      return field.picklist?.find((option) => option.id === value)?.label ?? String(value);
    case "reference":
      return references[String(value)]?.name ?? String(value);
    default:
      return typeof value === "object" ? JSON.stringify(value) : String(value);
  }
}

/** The name of a record for people: its name field, else nothing. */
export function nameOf(entity: { nameField: string | null; fields: readonly CoreField[] }, values: Values): string {
  const field = entity.fields.find((other) => other.apiName === entity.nameField);
  return field ? textOf(field, values[field.apiName]) : "";
}

export const isNumeric = (field: CoreField): boolean =>
  !field.isMultiValueField && ["integer", "double", "decimal"].includes(field.dataType);

export const isSortable = (field: CoreField): boolean =>
  !field.isMultiValueField && !["object", "child", "complex", "password"].includes(field.dataType);

/** Whether a person may change the field of an existing record. */
export const isEditable = (field: CoreField): boolean =>
  field.updateable && !field.createOnly && !field.calculated && !field.isSystem;

// ── Editors ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** `2026-11-21T10:30:00.000Z` → `2026-11-21T11:30` in the browser's zone, for a date-and-time input. */
export function toLocalInput(iso: Value | undefined): string {
  const at = typeof iso === "string" ? new Date(iso) : undefined;
  if (!at || Number.isNaN(at.getTime())) return "";
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function fromLocalInput(text: string): Value {
  if (text === "") return null;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? text : at.toISOString();
}

/** What the text editors start with. */
export function editText(field: CoreField, value: Value | undefined): string {
  if (isEmpty(value) || value === undefined || value === null) return "";
  if (field.dataType === "datetime" || field.dataType === "timestamp") return toLocalInput(value);
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}

export type Entry = { ok: true; value: Value } | { ok: false; problem: "json" };

/** What was entered as text, as the value to send; the server converts and checks it. */
export function readEntry(field: CoreField, text: string): Entry {
  if (text === "") return { ok: true, value: null };
  if (field.dataType === "datetime" || field.dataType === "timestamp") return { ok: true, value: fromLocalInput(text) };
  if (["object", "child", "complex"].includes(field.dataType)) {
    try {
      return { ok: true, value: parseReply(text) as Value };
    } catch {
      return { ok: false, problem: "json" };
    }
  }
  return { ok: true, value: text };
}

// ── Groups of the record page ───────────────────────────────────────────────────────────────────────────────────

export interface FieldGroup {
  id: "main" | "references" | "other";
  fields: CoreField[];
}

/** Plain fields, related records, then long and structured ones; each in the entity's order. */
export function groupFields(fields: readonly CoreField[]): FieldGroup[] {
  const idOf = (field: CoreField): FieldGroup["id"] => {
    if (field.dataType === "reference") return "references";
    return ["object", "child", "complex"].includes(field.dataType) ? "other" : "main";
  };
  const groups = Map.groupBy(fields, idOf);
  return (["main", "references", "other"] as const).flatMap((id) => {
    const found = groups.get(id);
    return found ? [{ id, fields: found }] : [];
  });
}
