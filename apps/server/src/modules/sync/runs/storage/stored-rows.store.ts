/** How a pipeline's records and links stand in their tables, and how their rows are read and written. */
import type { Values } from "@accord/contracts/data/values";
import type { ActionCall } from "@accord/sync-engine/actions";
import type { LinkWrite, StoredLink, StoredRecord } from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import {
  selectList,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
  SYSTEM_COLUMNS,
  toValues,
} from "../../../data/schema/index.ts";
import type { StoredCall } from "../../actions/index.ts";
import type { Referrer } from "./pages/repoint-references.store.ts";

/** Which pipeline's storage, and how its records are kept. */
export interface StorageScope {
  instanceId: string;
  pipelineId: string;
  /** Number of the core entity in this instance's ledger. */
  entityNumber: number;
  entity: RecordEntity;
  /** Fields of core entities that hold ids of this one's records. */
  referrers: () => Promise<readonly Referrer[]>;
  /** Values as the engine works with them, of those that are stored: where there are secret fields. */
  opened?: (values: Values) => Values;
  /** Actions as they are written down: where there are secret fields. */
  sealedCall?: (call: ActionCall) => StoredCall;
}

/** The tables of one pipeline's storage and how their rows read. */
export type StoredRows = ReturnType<typeof storedRows>;

export function storedRows(pool: Pool, scope: StorageScope) {
  const schema = quoteIdentifier(instanceSchema(scope.instanceId));
  const table = (name: string): string => `${schema}.${name}`;
  const records = recordTable(scope.instanceId, scope.entity.apiName);
  const { fields } = scope.entity;
  const recordColumns = `r.accord_id, r.accord_version, r.accord_deleted, r.accord_origin, ${selectList(fields, "r")}`;

  const readRecord = (row: QueryResultRow): StoredRecord => ({
    recordId: row[SYSTEM_COLUMNS.id],
    version: row[SYSTEM_COLUMNS.version],
    deleted: row[SYSTEM_COLUMNS.deleted],
    origin: row[SYSTEM_COLUMNS.origin],
    values: scope.opened ? scope.opened(toValues(fields, row)) : toValues(fields, row),
  });

  async function readRecords(recordIds: readonly string[]): Promise<StoredRecord[]> {
    if (recordIds.length === 0) return [];
    const { rows } = await pool.query(`SELECT ${recordColumns} FROM ${records} r WHERE r.accord_id = ANY($1::text[])`, [
      recordIds,
    ]);
    return rows.map(readRecord);
  }

  /** As they stand, until the transaction ends. */
  async function lockRecords(client: PoolClient, recordIds: readonly string[]): Promise<StoredRecord[]> {
    const { rows } = await client.query(
      `SELECT ${recordColumns} FROM ${records} r WHERE r.accord_id = ANY($1::text[]) ORDER BY r.accord_id FOR UPDATE`,
      [recordIds],
    );
    return rows.map(readRecord);
  }

  return { pool, scope, schema, table, records, fields, recordColumns, readRecord, readRecords, lockRecords };
}

export const linkColumns = (links: readonly LinkWrite[]): unknown[] => [
  links.map(({ externalId }) => externalId),
  links.map(({ recordId }) => recordId),
  links.map(({ seen }) => seen),
  links.map(({ lastWritten }) => lastWritten),
  links.map(({ refused }) => refused),
  links.map(({ modifiedAt }) => modifiedAt),
  links.map(({ dead }) => dead),
  links.map(({ respelled }) => respelled),
];

/** Columns of a link as `l`, as `readLink` reads them. */
export const LINK_COLUMNS = `l.external_id AS l_external_id, l.record_id AS l_record_id, l.seen AS l_seen, l.told AS l_told,
  l.refused AS l_refused, l.respelled AS l_respelled, l.modified_at AS l_modified_at, l.dead AS l_dead, l.held_back AS l_held_back`;

export const readLink = (row: QueryResultRow): StoredLink => ({
  externalId: row["l_external_id"],
  recordId: row["l_record_id"],
  seen: row["l_seen"],
  lastWritten: row["l_told"],
  refused: row["l_refused"],
  respelled: row["l_respelled"],
  modifiedAt: row["l_modified_at"],
  dead: row["l_dead"],
  ...(row["l_held_back"] ? { heldBack: row["l_held_back"] } : {}),
});

/** Fingerprints of attempts as one column holds them. */
export const splitWritten = (text: string | null): string[] => (text ? text.split(" ") : []);
