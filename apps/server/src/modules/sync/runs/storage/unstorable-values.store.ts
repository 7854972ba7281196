/** What our own database can't keep or compare because of a value: which field it is, and what limit it goes beyond. */
import { fill } from "@accord/contracts/messages/fill";
import { storageTexts as words } from "@accord/contracts/messages/en/storage";
import type { Value, Values } from "@accord/contracts/data/values";
import type { CommitBatch, Effect, Input } from "@accord/sync-engine/run";
import { toArrays } from "../../../data/schema/index.ts";
import type { StoredRows } from "./stored-rows.store.ts";

/** Bytes that a btree takes of one entry. */
export const INDEXED_BYTES = 2_704;
const TOO_LARGE = "54000";
/** Longer texts may be what an index refuses: a shorter one fits whatever it is made of. */
const SHORT_TEXT = INDEXED_BYTES / 4;

/** A value of the page can't be kept; the message is for people. */
export class UnstorableValue extends Error {
  override name = "UnstorableValue";
}

/** What the engine hears when a value of a page can't be kept or compared; other errors go on. */
export function asUnstorable(effect: Effect, error: unknown): Input {
  const isOfPage = effect.kind === "match" || effect.kind === "commit";
  if (!isOfPage || !(error instanceof UnstorableValue)) throw error;
  return { kind: "unstorable", nodeId: effect.nodeId, reason: error.message };
}

interface DataError extends Error {
  code: string;
}

/** Errors of PostgreSQL that come of what a record holds: classes 22 (data exception) and 54 (limit exceeded). */
export const isDataError = (error: unknown): error is DataError =>
  error instanceof Error && "code" in error && /^(22|54)/.test(String(error.code));

/** Whether an index refused an entry for its length. */
export const isTooLargeToIndex = (error: unknown): boolean => isDataError(error) && error.code === TOO_LARGE;

type Described = Pick<StoredRows, "pool" | "fields" | "records">;

/** The error of a page's commit for people: it names the field where the page is down to one record. */
export async function unstorableOfPage(
  stored: Described,
  batch: Pick<CommitBatch, "creates" | "updates" | "links">,
  error: DataError,
): Promise<UnstorableValue> {
  const [record, another] = [...batch.creates, ...batch.updates];
  if (record && another) return new UnstorableValue(refused(error));
  return isTooLargeToIndex(error)
    ? new UnstorableValue((await tooLarge(stored, record?.values ?? {}, batch.links)) ?? refused(error))
    : unstorableAmong(stored, record?.values ?? {}, error);
}

/** The error for people; it names the first of the fields whose value the database can't read. */
export async function unstorableAmong(stored: Described, values: Values, error: DataError): Promise<UnstorableValue> {
  for (const field of stored.fields) {
    const value = values[field.apiName];
    if (value === undefined || value === null) continue;
    const reason = await refusalOf(stored, field, value);
    if (reason !== null) return new UnstorableValue(fill(words.valueRefused, { field: field.apiName, reason }));
  }
  return new UnstorableValue(refused(error));
}

const refused = ({ message }: Error): string => fill(words.recordRefused, { reason: message });

/** What the database says to the value alone; null when it takes it. */
async function refusalOf(
  { pool }: Described,
  field: StoredRows["fields"][number],
  value: Value,
): Promise<string | null> {
  try {
    for (const { type, array } of toArrays([field], [{ [field.apiName]: value }]))
      await pool.query(`SELECT $1::${type}`, [array]);
    return null;
  } catch (error) {
    if (isDataError(error)) return error.message;
    throw error;
  }
}

async function tooLarge(stored: Described, values: Values, links: CommitBatch["links"]): Promise<string | null> {
  const longest = await longestIndexed(stored, values);
  if (longest) return longest.message;
  const isLongId = links.some(({ externalId }) => externalId.length > SHORT_TEXT);
  return isLongId ? fill(words.idTooLong, { limit: INDEXED_BYTES.toLocaleString("en") }) : null;
}

/** The longest of the texts that are held in an index, and what to say of it; null when none of them is long. */
export async function longestIndexed(
  { pool, records }: Pick<Described, "pool" | "records">,
  values: Values,
): Promise<{ field: string; message: string } | null> {
  const { rows } = await pool.query(
    `SELECT DISTINCT a.attname AS field FROM pg_index i
     JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = i.indexrelid AND d.refobjid = i.indrelid
     JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = d.refobjsubid
     WHERE i.indrelid = $1::regclass`,
    [records],
  );
  const [longest] = rows
    .map(({ field }) => ({ field: String(field), length: lengthOf(values[field]) }))
    .sort((left, right) => right.length - left.length);
  if (!longest || longest.length <= SHORT_TEXT) return null;
  const { field, length } = longest;
  const facts = { field, limit: INDEXED_BYTES.toLocaleString("en"), length: length.toLocaleString("en") };
  return { field, message: fill(words.tooLongToCompare, facts) };
}

const lengthOf = (value: Value | undefined): number => (typeof value === "string" ? value.length : 0);
