/** Changes people make in the data studio: records, ledger and deliveries in one transaction, then the pipeline is woken. */
import type { Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import { BY_USER, type LedgerEntry, type Origin, type StoredRecord } from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import type { ManualChange, ManualOutcome } from "../../../data/records/index.ts";
import {
  columnList,
  columnType,
  fieldColumn,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
  selectList,
  SYSTEM_COLUMNS,
  toParameter,
  toValues,
} from "../../../data/schema/index.ts";
import { ensureLedgerMonths } from "../storage/prepare.store.ts";
import { numberEntity } from "../storage/entity-number.store.ts";
import { releaseFreed } from "../storage/deliveries/freed-records.store.ts";
import { enqueueSql } from "../storage/deliveries/enqueue-deliveries.store.ts";

export interface EditScope {
  instanceId: string;
  pipelineId: string;
  entity: RecordEntity;
  actor: { userId: string; name: string };
  /** Places of destinations of the running version. */
  sinkPlaces: readonly number[];
  /** UTC ISO-8601. */
  now: string;
}

/** All or nothing, in order. Records that a cycle is changing at the same moment are waited for. */
export async function applyUserEdits(
  pool: Pool,
  scope: EditScope,
  changes: readonly ManualChange[],
): Promise<ManualOutcome[]> {
  await ensureLedgerMonths(pool, scope.instanceId);
  return transaction(
    pool,
    async ({ client }) => {
      const schema = quoteIdentifier(instanceSchema(scope.instanceId));
      const hand: EditContext = {
        client,
        schema,
        scope,
        records: recordTable(scope.instanceId, scope.entity.apiName),
        entityNumber: await numberEntity(client, schema, scope.pipelineId),
      };
      const outcomes: ManualOutcome[] = [];
      for (const change of changes) outcomes.push(await apply(hand, change));
      return outcomes;
    },
    { retries: 3 },
  );
}

interface EditContext {
  client: PoolClient;
  schema: string;
  scope: EditScope;
  records: string;
  entityNumber: number;
}

async function apply(hand: EditContext, change: ManualChange): Promise<ManualOutcome> {
  if (change.kind === "create") return create(hand, change.recordId, change.values);
  const record = await lock(hand, change.recordId);
  if (!record) return { status: "missing" };
  switch (change.kind) {
    case "update":
      return update(hand, record, change.values, change.expectedVersion);
    case "restore":
      return record.deleted ? restore(hand, record) : { status: "unchanged", version: record.version };
    case "delete":
      return change.deleteInEndSystems ? softDelete(hand, record) : remove(hand, record);
  }
}

async function lock({ client, records, scope }: EditContext, recordId: string): Promise<StoredRecord | null> {
  const { rows } = await client.query(
    `SELECT accord_id, accord_version, accord_deleted, accord_origin, ${selectList(scope.entity.fields)}
     FROM ${records} WHERE accord_id = $1 FOR UPDATE`,
    [recordId],
  );
  const row: QueryResultRow | undefined = rows[0];
  return row
    ? {
        recordId,
        version: row[SYSTEM_COLUMNS.version],
        deleted: row[SYSTEM_COLUMNS.deleted],
        origin: row[SYSTEM_COLUMNS.origin],
        values: toValues(scope.entity.fields, row),
      }
    : null;
}

async function create(hand: EditContext, recordId: string, values: Values): Promise<ManualOutcome> {
  const { client, records, scope } = hand;
  const fields = scope.entity.fields.filter(({ apiName }) => apiName in values);
  const params = fields.map((field, index) => `, $${index + 3}::${columnType(field)}`).join("");
  const columns = fields.length > 0 ? `, ${columnList(fields)}` : "";
  await client.query(`INSERT INTO ${records} (accord_id, accord_origin${columns}) VALUES ($1, $2${params})`, [
    recordId,
    JSON.stringify(originOf(scope, {}, Object.keys(values))),
    ...fields.map((field) => toParameter(field, values[field.apiName])),
  ]);
  const changes: LedgerEntry["changes"] = {};
  for (const field in values) if (values[field] !== null) changes[field] = [null, values[field] ?? null];
  await note(hand, recordId, "create", changes);
  await enqueueToAll(hand, recordId);
  return { status: "done", version: 1 };
}

async function update(
  hand: EditContext,
  record: StoredRecord,
  wanted: Values,
  expectedVersion: number | undefined,
): Promise<ManualOutcome> {
  if (expectedVersion !== undefined && expectedVersion !== record.version) {
    return { status: "stale", version: record.version };
  }
  const values: Values = {};
  for (const field in wanted) {
    if (!sameValue(wanted[field] ?? null, record.values[field] ?? null)) values[field] = wanted[field] ?? null;
  }
  if (Object.keys(values).length === 0) return { status: "unchanged", version: record.version };
  return write(hand, record, { values, deleted: record.deleted, operation: "update" });
}

async function softDelete(hand: EditContext, record: StoredRecord): Promise<ManualOutcome> {
  if (record.deleted) return { status: "unchanged", version: record.version };
  return write(hand, record, { values: {}, deleted: true, operation: "delete" });
}

/** A record that was merged away and is wanted back is something else than the one it was merged into. */
async function restore(hand: EditContext, record: StoredRecord): Promise<ManualOutcome> {
  await hand.client.query(`UPDATE ${hand.schema}.merged_record SET undone = true WHERE loser_id = $1`, [
    record.recordId,
  ]);
  return write(hand, record, { values: {}, deleted: false, operation: "restore" });
}

/**
 * Without end systems: the record goes for good, the external records stay as they are. Its links are kept: they say that
 * these are its copies, and no records of their own. So are creations without an answer, which may be copies too.
 */
async function remove(hand: EditContext, record: StoredRecord): Promise<ManualOutcome> {
  const { client, schema, records, scope } = hand;
  const { recordId, version } = record;
  await client.query(`DELETE FROM ${records} WHERE accord_id = $1`, [recordId]);
  await client.query(`INSERT INTO ${schema}.let_go_record (record_id, pipeline_id, version) VALUES ($1, $2, $3)`, [
    recordId,
    scope.pipelineId,
    version,
  ]);
  await client.query(`DELETE FROM ${schema}.delivery WHERE record_id = $1 AND intent IS DISTINCT FROM 'create'`, [
    recordId,
  ]);
  await client.query(`DELETE FROM ${schema}.conflict WHERE record_id = $1`, [recordId]);
  const { rows } = await client.query(
    `SELECT place, external_id FROM ${schema}.link WHERE record_id = $1 AND NOT dead`,
    [recordId],
  );
  // Its copies are free for whoever waits for them.
  const copies = rows.map((row) => ({ placeId: row.place, externalId: row.external_id }));
  await releaseFreed(client, schema, copies);
  // Should it come back it is a record of its own.
  await client.query(`DELETE FROM ${schema}.merged_record WHERE loser_id = $1`, [recordId]);
  await note(hand, recordId, "delete", {});
  return { status: "done", version: version + 1 };
}

async function write(
  hand: EditContext,
  record: StoredRecord,
  change: { values: Values; deleted: boolean; operation: LedgerEntry["operation"] },
): Promise<ManualOutcome> {
  const { client, records, scope } = hand;
  const { recordId, version } = record;
  const fields = scope.entity.fields.filter(({ apiName }) => apiName in change.values);
  const sets = fields.map((field, index) => `, ${fieldColumn(field)} = $${index + 4}::${columnType(field)}`).join("");
  await client.query(
    `UPDATE ${records} SET accord_version = accord_version + 1, accord_updated_at = now(), accord_deleted = $2,
            accord_origin = $3${sets} WHERE accord_id = $1`,
    [
      recordId,
      change.deleted,
      JSON.stringify(originOf(scope, record.origin, Object.keys(change.values))),
      ...fields.map((field) => toParameter(field, change.values[field.apiName])),
    ],
  );
  const changes: LedgerEntry["changes"] = {};
  for (const field in change.values) changes[field] = [record.values[field] ?? null, change.values[field] ?? null];
  await note(hand, recordId, change.operation, changes);
  await enqueueToAll(hand, recordId);
  return { status: "done", version: version + 1 };
}

function originOf(scope: EditScope, before: Origin, fields: readonly string[]): Origin {
  const origin = { ...before };
  for (const field of fields) origin[field] = { by: BY_USER, at: scope.now };
  return origin;
}

async function note(
  { client, schema, scope, entityNumber }: EditContext,
  recordId: string,
  operation: LedgerEntry["operation"],
  changes: LedgerEntry["changes"],
): Promise<void> {
  await client.query(
    `INSERT INTO ${schema}.ledger (entity, record_id, operation, user_id, user_name, changes)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [entityNumber, recordId, operation, scope.actor.userId, scope.actor.name, JSON.stringify(changes)],
  );
}

async function enqueueToAll({ client, schema, scope }: EditContext, recordId: string): Promise<void> {
  if (scope.sinkPlaces.length === 0) return;
  await client.query(enqueueSql(`${schema}.delivery`), [scope.sinkPlaces, scope.sinkPlaces.map(() => recordId)]);
  // A person is waiting: ahead of whatever a resync has queued, but not of an attempt whose outcome is in doubt.
  await client.query(
    `UPDATE ${schema}.delivery SET next_at = now() - interval '1 day'
     WHERE record_id = $1 AND place = ANY($2) AND intent IS NULL`,
    [recordId, scope.sinkPlaces],
  );
}
