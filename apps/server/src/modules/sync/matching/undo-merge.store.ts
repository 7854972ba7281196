/** Takes a merge back in one transaction: records, links, references and history as before, and everybody told. */
import type { Values } from "@accord/contracts/data/values";
import { sameValue } from "@accord/expressions";
import type { Origin } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import {
  selectList,
  columnType,
  fieldColumn,
  quoteIdentifier,
  type RecordEntity,
  recordTable,
  SYSTEM_COLUMNS,
  toParameter,
  toValues,
} from "../../data/schema/index.ts";
import {
  noteRepointed,
  numberEntity,
  transferUncertain,
  RENEW_DELIVERY_SQL,
  type Repointed,
  fenceRun,
} from "../runs/index.ts";
import type { MergeRow } from "./merges.store.ts";

export type UndoRefusal = "notMerged" | "mergedOn";

export interface UndoScope {
  instanceId: string;
  entity: RecordEntity;
  actor: { userId: string; name: string };
  merge: MergeRow;
}

interface Undoing extends UndoScope {
  client: PoolClient;
  schema: string;
  records: string;
  entityNumber: number;
}

/** Null when it was done. Values that somebody changed since the merge stay as they are. */
export function undoMerge(pool: Pool, scope: UndoScope): Promise<UndoRefusal | null> {
  const schema = quoteIdentifier(instanceSchema(scope.instanceId));
  const records = recordTable(scope.instanceId, scope.entity.apiName);
  return transaction(
    pool,
    async ({ client }) => {
      const { merge } = scope;
      await fenceRun(client, scope.instanceId, merge.pipelineId);
      const undone = await client.query(
        `UPDATE ${schema}.merge SET status = 'UNDONE', undone_at = now(), undone_by = $2 WHERE id = $1 AND status = 'MERGED'`,
        [merge.id, scope.actor.name],
      );
      if (undone.rowCount === 0) return "notMerged";
      const { rowCount: later } = await client.query(
        `SELECT FROM ${schema}.merged_record WHERE loser_id = $1 AND NOT undone`,
        [merge.winnerId],
      );
      if (later) throw new Later();
      const entityNumber = await numberEntity(client, schema, merge.pipelineId);
      const undoing: Undoing = { ...scope, client, schema, records, entityNumber };
      await restoreWinner(undoing);
      await restoreLosers(undoing);
      await moveLinksBack(undoing);
      await pointBack(undoing);
      await client.query(`UPDATE ${schema}.merged_record SET undone = true WHERE merge_id = $1`, [merge.id]);
      await enqueueToAll(undoing);
      await passDoubtsBack(undoing);
      return null;
    },
    { retries: 3 },
  ).catch((error: unknown) => {
    if (error instanceof Later) return "mergedOn" as const;
    throw error;
  });
}

/** The winner lost a later merge: everything said so far is taken back. */
class Later extends Error {}

async function restoreWinner(undoing: Undoing): Promise<void> {
  const { client, records, entity, merge } = undoing;
  const { rows } = await client.query(
    `SELECT accord_origin, ${selectList(entity.fields)} FROM ${records} WHERE accord_id = $1 FOR UPDATE`,
    [merge.winnerId],
  );
  if (!rows[0]) return;
  const originBefore: Origin = merge.before[merge.winnerId]?.origin ?? {};
  const current = toValues(entity.fields, rows[0]);
  const origin: Origin = { ...rows[0][SYSTEM_COLUMNS.origin] };
  const values: Values = {};
  for (const [field, [from, to]] of Object.entries(merge.changes)) {
    if (sameValue(current[field] ?? null, to)) values[field] = from;
  }
  for (const field of new Set([...Object.keys(merge.origin), ...Object.keys(originBefore)])) {
    const isAsMerged = sameValue({ ...origin[field] }, { ...merge.origin[field] });
    if (!isAsMerged || (field in merge.changes && !(field in values))) continue;
    if (originBefore[field]) origin[field] = originBefore[field];
    else delete origin[field];
  }
  const fields = entity.fields.filter(({ apiName }) => apiName in values);
  const sets = fields.map((field, index) => `, ${fieldColumn(field)} = $${index + 3}::${columnType(field)}`).join("");
  await client.query(
    `UPDATE ${records} SET accord_version = accord_version + 1, accord_updated_at = now(), accord_origin = $2${sets}
     WHERE accord_id = $1`,
    [merge.winnerId, JSON.stringify(origin), ...fields.map((field) => toParameter(field, values[field.apiName]))],
  );
  const changes = Object.fromEntries(
    fields.map(({ apiName }) => [apiName, [current[apiName] ?? null, values[apiName] ?? null]]),
  );
  if (fields.length > 0) await note(undoing, "update", [merge.winnerId], changes);
}

async function restoreLosers(undoing: Undoing): Promise<void> {
  const { client, records, merge } = undoing;
  const { rows } = await client.query(
    `UPDATE ${records} SET accord_deleted = false, accord_version = accord_version + 1, accord_updated_at = now()
     WHERE accord_id = ANY($1::text[]) AND accord_deleted RETURNING accord_id`,
    [merge.loserIds],
  );
  await note(
    undoing,
    "restore",
    rows.map((row) => row[SYSTEM_COLUMNS.id]),
    {},
  );
}

async function moveLinksBack({ client, schema, merge }: Undoing): Promise<void> {
  await client.query(
    `UPDATE ${schema}.link l SET record_id = w.record_id
     FROM unnest($2::smallint[], $3::text[], $4::text[]) AS w(place, external_id, record_id)
     WHERE l.place = w.place AND l.external_id = w.external_id AND l.record_id = $1`,
    [
      merge.winnerId,
      merge.moved.map(({ place }) => place),
      merge.moved.map(({ externalId }) => externalId),
      merge.moved.map(({ from }) => from),
    ],
  );
}

/** References that still say what the merge made of them name the losers again. */
async function pointBack(undoing: Undoing): Promise<void> {
  const { client, schema, merge, actor, instanceId } = undoing;
  const byField = new Map<string, Repointed[]>();
  for (const reference of merge.repointed) {
    const key = `${reference.entity} ${reference.field}`;
    byField.set(key, [...(byField.get(key) ?? []), reference]);
  }
  for (const references of byField.values()) {
    const [first] = references;
    if (!first) continue;
    const { entity, entityId, field } = first;
    const column = `r.${fieldColumn({ apiName: field })}`;
    const { rows } = await client.query(
      `UPDATE ${recordTable(instanceId, entity)} r
       SET ${fieldColumn({ apiName: field })} = (jsonb_populate_record(r, jsonb_build_object($1::text, w.before))).${fieldColumn({ apiName: field })},
           accord_version = r.accord_version + 1, accord_updated_at = now()
       FROM unnest($2::text[], $3::jsonb[], $4::jsonb[]) AS w(id, before, after)
       WHERE r.accord_id = w.id AND to_jsonb(${column}) = w.after RETURNING r.accord_id`,
      [
        field,
        references.map(({ recordId }) => recordId),
        references.map(({ from }) => JSON.stringify(from)),
        references.map(({ to }) => JSON.stringify(to)),
      ],
    );
    const changed = new Set(rows.map((row) => row[SYSTEM_COLUMNS.id]));
    const back = references
      .filter(({ recordId }) => changed.has(recordId))
      .map(({ recordId, from, to }) => ({ recordId, from: to, to: from }));
    if (back.length > 0) await noteRepointed(client, schema, { entityId, field, cycle: null, actor }, back);
  }
}

/** Every destination of the pipeline is notified of the winner and of those who are back. */
async function enqueueToAll({ client, schema, merge }: Undoing): Promise<void> {
  await client.query(
    `INSERT INTO ${schema}.delivery AS d (place, record_id, wanted)
     SELECT p.number, r.id, extract(epoch FROM now())::int FROM ${schema}.place p CROSS JOIN unnest($2::text[]) AS r(id)
     WHERE p.pipeline_id = $1 AND p.told_fields <> '{}'
     ON CONFLICT (place, record_id) DO UPDATE SET ${RENEW_DELIVERY_SQL}`,
    [merge.pipelineId, [merge.winnerId, ...merge.loserIds]],
  );
}

/** What the winner's writes to external records that are the losers' again did is in doubt there as well. */
const passDoubtsBack = ({ client, schema, merge }: Undoing): Promise<void> =>
  transferUncertain(
    client,
    `${schema}.delivery`,
    merge.moved.map(({ place, from }) => ({ place, from: merge.winnerId, to: from })),
  );

async function note(
  { client, schema, entityNumber, actor }: Undoing,
  operation: "update" | "restore",
  recordIds: readonly string[],
  changes: object,
): Promise<void> {
  await client.query(
    `INSERT INTO ${schema}.ledger (entity, record_id, operation, user_id, user_name, changes)
     SELECT $1, id, $2, $3, $4, $5 FROM unnest($6::text[]) AS id`,
    [entityNumber, operation, actor.userId, actor.name, JSON.stringify(changes), recordIds],
  );
}
