/**
 * Records that changed although their time of change does not say so: reading by time passes them over. A complete list
 * shows them with other values than were read last; they are asked for again, and the next cycle takes them as they are.
 */
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import { hashValue } from "@accord/connector-sdk/fingerprint";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { fieldOf, isKnown, isMissing, partAt } from "@accord/sync-engine/run";
import type { IdComparison } from "./deletion-detection.store.ts";
import { readSingle } from "../worker/single-records.ts";

/** Records asked for at one look; of more, others at each look. */
const MAX_RECORDS = 200;

export interface ChangedParts {
  connection: Pick<Connection, "getByIds">;
  schema: EntitySchema;
  /** In the order of what is known of a record. */
  readFields: readonly string[];
  signal: AbortSignal;
}

/** Ids of records whose values differ from those that were read last. */
export class DifferingRecords {
  readonly #ids: string[] = [];
  #seen = 0;

  /** One of a page's records; `known` is what its link says was read. Any of those found is as likely to be kept. */
  add(record: SourceRecord, known: string, readFields: readonly string[]): void {
    if (!isDifferent(record, known, readFields)) return;
    this.#seen += 1;
    if (this.#ids.length < MAX_RECORDS) this.#ids.push(record.id);
    else {
      const place = Math.floor(Math.random() * this.#seen);
      if (place < MAX_RECORDS) this.#ids[place] = record.id;
    }
  }

  get ids(): readonly string[] {
    return this.#ids;
  }
}

function isDifferent({ values }: SourceRecord, known: string, readFields: readonly string[]): boolean {
  return readFields.some((field, index) => {
    const [value, part] = [values[field], fieldOf(known, index)];
    // A field that was missing when the record was read last is back.
    if (value !== undefined && isMissing(partAt(known, index))) return true;
    return value !== undefined && isKnown(part) && part !== hashValue(value);
  });
}

/**
 * Leaves those that differ to the next cycle, which asks for them again. A list may be behind, or show less than the
 * record itself: it is the record that counts. Answers how many there are.
 */
export async function takeChanged(
  { connection, schema, readFields, signal }: ChangedParts,
  found: DifferingRecords,
  ids: IdComparison,
): Promise<number> {
  if (found.ids.length === 0 || !connection.getByIds) return 0;
  signal.throwIfAborted();
  const records = await readSingle(connection, { entity: schema, fields: readFields, ids: found.ids });
  const known = await ids.readLast(records.map(({ id }) => id));
  const changed = records.filter((record) => {
    const seen = known.get(record.id);
    return !record.deleted && seen !== undefined && isDifferent(record, seen, readFields);
  });
  await ids.readAgain(changed.map(({ id }) => id));
  return changed.length;
}
