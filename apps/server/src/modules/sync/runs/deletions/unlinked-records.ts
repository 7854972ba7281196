/**
 * Records that a system lists and no link knows: reading passed them over, as when numbered pages slid. They are read by
 * their ids, and the next cycle takes them like any other record. What came to nothing is not read again.
 */
import type { Connection, Cursor, SourceRecord } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { SealedValues } from "../../../../platform/secrets/sealed-values.ts";
import type { IdComparison } from "./deletion-detection.store.ts";

/** Records taken at one look, however many are open. */
const MAX_RECORDS = 200;
/** Their values as JSON, characters. */
const MAX_LENGTH = 8_000_000;
/** How long a source that can't be asked for single records is walked for them. */
const MAX_WALK_MS = 60_000;
const WALK_PAGE_SIZE = 1_000;

export interface UnlinkedParts {
  connection: Pick<Connection, "read" | "getByIds">;
  schema: EntitySchema;
  /** Seals values of fields that are secret. */
  seals: SealedValues;
  isAskedById: boolean;
  signal: AbortSignal;
  newId: () => string;
  monotonicMs: () => number;
}

/** Answers how many records were left to the next cycle. */
export async function takeUnlinked(parts: UnlinkedParts, ids: IdComparison): Promise<number> {
  await ids.forgetReviewed();
  const unlinked = await ids.unlinked(MAX_RECORDS);
  if (unlinked.length === 0) return 0;
  const { records, isComplete } = parts.isAskedById ? await askFor(parts, unlinked) : await walkFor(parts, unlinked);
  const taken = upToLength(records);
  await ids.reclaim(
    taken.map((record) => ({ ...record, values: parts.seals.sealAll(record.values) })),
    parts.newId,
  );
  const isOpen = new Set(records.slice(taken.length).map(({ id }) => id));
  // What its system does not hand out need not be asked for at each look.
  if (isComplete) await ids.review(unlinked.filter((id) => !isOpen.has(id)));
  else await ids.review(taken.map(({ id }) => id));
  return taken.length;
}

interface Answered {
  records: SourceRecord[];
  /** Every id was asked for. */
  isComplete: boolean;
}

const fieldsOf = ({ schema }: UnlinkedParts): string[] =>
  schema.fields.filter(({ status }) => status === "ACTIVE").map(({ apiName }) => apiName);

async function askFor(parts: UnlinkedParts, ids: string[]): Promise<Answered> {
  const { connection, schema } = parts;
  const records = (await connection.getByIds?.({ entity: schema, fields: fieldsOf(parts), ids })) ?? [];
  return { records: records.filter(({ deleted }) => !deleted), isComplete: true };
}

async function walkFor(parts: UnlinkedParts, ids: string[]): Promise<Answered> {
  const { connection, schema, signal, monotonicMs } = parts;
  const wanted = new Set(ids);
  const records = new Map<string, SourceRecord>();
  const until = monotonicMs() + MAX_WALK_MS;
  for (let cursor: Cursor | null = null; ;) {
    const request = { entity: schema, fields: fieldsOf(parts), mode: "all" as const, pageSize: WALK_PAGE_SIZE, signal };
    const page = await connection.read({ ...request, cursor });
    for (const record of page.records) if (wanted.has(record.id) && !record.deleted) records.set(record.id, record);
    if (page.drained) return { records: [...records.values()], isComplete: true };
    if (records.size === wanted.size || monotonicMs() > until)
      return { records: [...records.values()], isComplete: false };
    cursor = page.cursor;
  }
}

function upToLength(records: readonly SourceRecord[]): SourceRecord[] {
  const taken: SourceRecord[] = [];
  let length = 0;
  for (const record of records) {
    length += JSON.stringify(record.values).length;
    if (taken.length > 0 && length > MAX_LENGTH) break;
    taken.push(record);
  }
  return taken;
}
