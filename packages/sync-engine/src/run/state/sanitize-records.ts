/** Records as systems send them, made fit to be stored: one that can't be must not hold up the others of its page. */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { BadRecord, ReadPage, SourceRecord } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { isStorableText, isTooDeep, MAX_LEVELS, storable } from "@accord/expressions";

export interface SanitizedRecords {
  records: readonly SourceRecord[];
  bad: readonly BadRecord[];
  /** Fields in which characters were replaced. */
  replaced: readonly { id: string; field: string }[];
}

const NONE: never[] = [];

/** Characters that the values of one record may hold: a page of such records still fits into memory. */
export const MAX_RECORD_SIZE = 1_000_000;

/** Characters of an id: whatever they are, an index of our database takes them. */
export const MAX_ID_LENGTH = 800;
/** Characters of a longer id that people see. */
const SHOWN_OF_ID = 100;

/** An id as people see it, and as what is said of its record is kept under. */
export const shownId = (id: string): string =>
  id.length > MAX_ID_LENGTH ? `${id.slice(0, SHOWN_OF_ID)}… (${id.length.toLocaleString("en")} characters)` : id;

/**
 * Characters that can't be stored are replaced; a record whose id can't be stored or is too long, whose values nest too deeply, or
 * that is too large, is one that can't be read.
 */
export function sanitizeRecords(page: {
  records: readonly SourceRecord[];
  bad: ReadPage["bad"] | undefined;
}): SanitizedRecords {
  if (page.records.every(isFit)) return { records: page.records, bad: page.bad ?? NONE, replaced: NONE };
  const records: SourceRecord[] = [];
  const bad: BadRecord[] = [...(page.bad ?? NONE)];
  const replaced: { id: string; field: string }[] = [];
  for (const record of page.records) {
    const reason = unreadableFor(record);
    if (reason !== null) bad.push({ place: `id ${String(storable(shownId(record.id)))}`, ...reason });
    else if (isFit(record)) records.push(record);
    else {
      const values = Object.entries(record.values).map(([field, value]): [string, Value] => {
        const fit = storable(value);
        if (fit !== value) replaced.push({ id: record.id, field });
        return [field, fit];
      });
      records.push({ ...record, values: Object.fromEntries(values) });
    }
  }
  return { records, bad, replaced };
}

function isFit({ id, values, deleted }: SourceRecord): boolean {
  if (id.length > MAX_ID_LENGTH || !isStorableText(id)) return false;
  // What a record that is gone held is of no account.
  if (deleted) return true;
  let size = 0;
  for (const field in values) {
    const value = values[field];
    if (typeof value === "string") size += value.length;
    if (size > MAX_RECORD_SIZE || !isFitValue(value)) return false;
    if (typeof value === "object") size += sizeOf(value);
  }
  return size <= MAX_RECORD_SIZE;
}

/** Characters in a value; counting ends where it is too many. */
function sizeOf(value: Value | undefined): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let size = 0;
  for (const part of Array.isArray(value) ? value : Object.values(value)) {
    size += sizeOf(part);
    if (size > MAX_RECORD_SIZE) break;
  }
  return size;
}

function isFitValue(value: Value | undefined): boolean {
  if (typeof value === "string") return isStorableText(value);
  return typeof value !== "object" || value === null || (!isTooDeep(value) && storable(value) === value);
}

function unreadableFor({ id, values, deleted }: SourceRecord): Pick<BadRecord, "id" | "message"> | null {
  if (id.length > MAX_ID_LENGTH) return { message: fill(runTexts.idTooLong, { limit: MAX_ID_LENGTH }) };
  if (!isStorableText(id)) return { message: runTexts.idNotStorable };
  if (deleted) return null;
  const deep = Object.keys(values).find((field) => isTooDeep(values[field]));
  if (deep === undefined && sizeOf(values) > MAX_RECORD_SIZE)
    return { id, message: fill(runTexts.recordTooLarge, { limit: MAX_RECORD_SIZE.toLocaleString("en") }) };
  return deep === undefined ? null : { id, message: fill(runTexts.fieldTooDeep, { field: deep, limit: MAX_LEVELS }) };
}
