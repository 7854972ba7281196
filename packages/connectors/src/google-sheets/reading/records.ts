/** Rows as records: values in Accord's form, rows without an id of their own distinguished from the others. */
import {
  ConnectorError,
  TypeMismatchError,
  valueParser,
  type BadField,
  type BadRecord,
  type SourceRecord,
} from "@accord/connector-sdk";
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import type { EntitySchema, FieldSchema } from "@accord/contracts/data/schema";
import type { Value, Values } from "@accord/contracts/data/values";
import { googleSheets } from "@accord/contracts/messages/en/synapses/google-sheets";
import { fill } from "@accord/contracts/messages/fill";
import { isBlank } from "../header.ts";
import { dayOf, momentOf } from "../serial-dates.ts";
import { columnNamed, type Row, type TabContent } from "./tab.ts";

const words = googleSheets.rows;

interface ReadRow {
  row: Row;
  record: SourceRecord;
}

export interface Records {
  /** Rows whose id is theirs alone, by it. */
  byId: Map<string, ReadRow>;
  /** Rows, several of which have the same id. */
  doubled: Map<string, Row[]>;
  /** Rows that hold something and no id. */
  lost: BadRecord[];
}

/** @throws ConnectorError where the tab has no id column. */
export function idFieldOf({ fields, displayName }: EntitySchema): FieldSchema {
  const field = fields.find(({ isIdField, status }) => isIdField && status === "ACTIVE");
  if (field) return field;
  throw new ConnectorError("configuration", fill(googleSheets.tabs.noId, { tab: displayName }), {
    hint: googleSheets.tabs.noIdHint,
  });
}

const placeOf = ({ title }: TabContent, { index }: Row): string => fill(words.place, { tab: title, row: index + 1 });

/** `fields`: those wanted; the id is always read. */
export function recordsOf(content: TabContent, entity: EntitySchema, fields: readonly string[]): Records {
  const id = idFieldOf(entity);
  const wanted = new Set([...fields, id.apiName]);
  const readers = entity.fields
    .filter(({ apiName, status }) => wanted.has(apiName) && status === "ACTIVE")
    .map((field) => readerOf(field, content));
  const readId = readerOf(id, content);
  const rows = new Map<string, Row[]>();
  const lost: BadRecord[] = [];
  for (const row of content.rows) {
    const found = idIn(row, readId);
    if ("id" in found) rows.set(found.id, [...(rows.get(found.id) ?? []), row]);
    else lost.push({ place: placeOf(content, row), message: found.reason, excerpt: excerptOf(row) });
  }
  const byId = new Map<string, ReadRow>();
  const doubled = new Map<string, Row[]>();
  for (const [found, those] of rows) {
    const [row, ...others] = those;
    if (others.length > 0) doubled.set(found, those);
    else if (row) byId.set(found, { row, record: recordOf(found, row, readers, placeOf(content, row)) });
  }
  return { byId, doubled, lost };
}

const excerptOf = ({ cells }: Row): string => JSON.stringify(cells).slice(0, 300);

export const doubledRecords = (content: TabContent, { doubled }: Records): BadRecord[] =>
  [...doubled].map(([id, rows]) => {
    const numbers = rows.map(({ index }) => index + 1).join(", ");
    return {
      place: fill(words.places, { tab: content.title, rows: numbers }),
      id,
      message: fill(words.doubled, { rows: numbers, id }),
      ...(rows[0] && { excerpt: excerptOf(rows[0]) }),
    };
  });

/** A record that is there and can't be read: which of its rows is meant nobody can say. */
export const unreadableRecord = (id: string, { fields }: EntitySchema): SourceRecord => {
  const idField = fields.find(({ isIdField }) => isIdField)?.apiName ?? "";
  const badFields = fields
    .filter(({ apiName, status }) => apiName !== idField && status === "ACTIVE")
    .map(({ apiName }) => ({ field: apiName, message: words.doubledField }));
  return { id, values: { [idField]: id }, badFields };
};

interface Reader {
  field: FieldSchema;
  read(row: Row): Value;
}

function idIn(row: Row, { field, read }: Reader): { id: string } | { reason: string } {
  try {
    const value = read(row);
    if (value === null || value === "") return { reason: fill(words.noId, { column: field.displayName }) };
    return { id: String(value) };
  } catch (error) {
    if (!(error instanceof TypeMismatchError)) throw error;
    return { reason: fill(words.badId, { column: field.displayName, reason: error.message }) };
  }
}

function recordOf(id: string, row: Row, readers: readonly Reader[], place: string): SourceRecord {
  const values: Values = {};
  const badFields: BadField[] = [];
  for (const { field, read } of readers) {
    try {
      values[field.apiName] = read(row);
    } catch (error) {
      if (!(error instanceof TypeMismatchError)) throw error;
      badFields.push({ field: field.apiName, message: error.message });
    }
  }
  return { id, values, ...(badFields.length > 0 && { badFields }), place };
}

/** What a cell shows whose formula fails. */
const ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|ERROR!)$/;
const ISO = /^\d{4}-\d\d-\d\d/;

function readerOf(field: FieldSchema, content: TabContent): Reader {
  const { index } = columnNamed(content, field.apiName);
  const conform = valueParser(field);
  const isDate = field.dataType === "date" || field.dataType === "datetime";
  return {
    field,
    read({ cells, serials }) {
      const value = cells[index] ?? null;
      if (isBlank(value)) return null;
      if (typeof value === "string" && ERROR.test(value))
        throw new TypeMismatchError(fill(words.error, { error: value }));
      return isDate ? dateIn(field.dataType, value, serials[index] ?? null, content.timeZone) : conform(value);
    },
  };
}

const numberOf = (value: Value): number | null => {
  const plain = isExactNumber(value) ? Number(plainNumber(value)) : value;
  return typeof plain === "number" ? plain : null;
};

/**
 * A date is shown as a text and counted as a number; what is the same both ways is a number or a text that somebody wrote.
 * Such a text is a date only where it names the year first: which number of 03/04/2026 is the day it does not say.
 */
function dateIn(type: string, shown: Value, counted: Value, zone: string): Value {
  const serial = typeof shown === "string" ? numberOf(counted) : null;
  const noDate = (): TypeMismatchError => new TypeMismatchError(fill(words.noDate, { value: JSON.stringify(shown) }));
  if (serial === null) {
    if (typeof shown !== "string" || !ISO.test(shown)) throw noDate();
    return valueParser({ dataType: type === "date" ? "date" : "datetime", isMultiValueField: false })(shown);
  }
  const found = type === "date" ? dayOf(serial) : momentOf(serial, zone);
  if (found === null) throw Number.isInteger(serial) ? noDate() : new TypeMismatchError(words.time);
  return found;
}

/** The cell is a date already: writing another one keeps how it is shown. */
export const isDateCell = ({ cells, serials }: Row, index: number): boolean =>
  typeof cells[index] === "string" && numberOf(serials[index] ?? null) !== null;
