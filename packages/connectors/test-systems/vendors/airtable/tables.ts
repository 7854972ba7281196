/** The tables of simulated Airtable's base and its records as answers show them. */
import { choices, field, fixedId, newId, type Field } from "./fields.ts";
import type { Subject, Value } from "./formula.ts";

export const AIRTABLE_TABLE = "Contacts";
export const AIRTABLE_LINKED_TABLE = "Companies";

export interface AirtableRecord {
  id: string;
  createdTime: Date;
  lastModified: Date | null;
  /** By the field's id; what is empty is not there. */
  cells: Map<string, unknown>;
}

export interface Table {
  id: string;
  name: string;
  fields: Field[];
  records: Map<string, AirtableRecord>;
}

const TIME = {
  timeZone: "utc",
  dateFormat: { name: "iso", format: "YYYY-MM-DD" },
  timeFormat: { name: "24hour", format: "HH:mm" },
};

export function newTables(): [Table, Table] {
  const companiesId = fixedId("tbl", AIRTABLE_LINKED_TABLE);
  const of = (name: string, type: string, options?: Record<string, unknown>): Field =>
    field(AIRTABLE_TABLE, name, type, options);
  const contacts: Field[] = [
    of("Name", "singleLineText"),
    of("Notes", "multilineText"),
    of("Email", "email"),
    of("Visits", "number", { precision: 0 }),
    of("Budget", "number", { precision: 2 }),
    of("Active", "checkbox", { icon: "check", color: "greenBright" }),
    of("Birthday", "date", { dateFormat: TIME.dateFormat }),
    of("Next call", "dateTime", TIME),
    of("Stage", "singleSelect", choices("Lead", "Customer", "Former")),
    of("Interests", "multipleSelects", choices("Tea", "Coffee", "Cocoa")),
    of("Company", "multipleRecordLinks", {
      linkedTableId: companiesId,
      isReversed: false,
      prefersSingleRecordLink: false,
    }),
    of("Label", "formula", { isValid: true, formula: "UPPER({Name})", result: { type: "singleLineText" } }),
    of("Created", "createdTime", { result: { type: "dateTime", options: TIME } }),
    of("Last modified", "lastModifiedTime", { isValid: true, result: { type: "dateTime", options: TIME } }),
    of("Files", "multipleAttachments", { isReversed: false }),
  ];
  return [
    { id: fixedId("tbl", AIRTABLE_TABLE), name: AIRTABLE_TABLE, fields: contacts, records: new Map() },
    {
      id: companiesId,
      name: AIRTABLE_LINKED_TABLE,
      fields: [field(AIRTABLE_LINKED_TABLE, "Name", "singleLineText")],
      records: new Map(),
    },
  ];
}

export function thisSecond(): Date {
  return new Date(Math.floor(Date.now() / 1000) * 1000);
}

export function newRecord(table: Table, createdTime: Date): AirtableRecord {
  const record: AirtableRecord = { id: newId("rec"), createdTime, lastModified: null, cells: new Map() };
  table.records.set(record.id, record);
  return record;
}

export function subjectOf(table: Table, record: AirtableRecord): Subject {
  return {
    ...record,
    field(name) {
      const found = table.fields.find((one) => one.id === name || one.name === name);
      return found === undefined ? undefined : formulaValue(cellOf(found, table, record), found.type);
    },
  };
}

function formulaValue(value: unknown, type: string): Value {
  if (value === undefined) return null;
  if (typeof value === "string") return /^(?:date|createdTime|lastModified)/.test(type) ? new Date(value) : value;
  return typeof value === "number" || typeof value === "boolean" ? value : JSON.stringify(value);
}

export function cellOf({ id, type }: Field, table: Table, record: AirtableRecord): unknown {
  if (type === "createdTime") return record.createdTime.toISOString();
  if (type === "lastModifiedTime") return record.lastModified?.toISOString();
  if (type !== "formula") return record.cells.get(id);
  const name = table.fields[0] === undefined ? undefined : record.cells.get(table.fields[0].id);
  return typeof name === "string" ? name.toUpperCase() : undefined;
}

export function shown(
  table: Table,
  record: AirtableRecord,
  byId: boolean,
  only?: readonly string[],
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const one of table.fields) {
    const value = only?.includes(one.id) === false ? undefined : cellOf(one, table, record);
    if (value !== undefined) fields[byId ? one.id : one.name] = value;
  }
  return { id: record.id, createdTime: record.createdTime.toISOString(), fields };
}
