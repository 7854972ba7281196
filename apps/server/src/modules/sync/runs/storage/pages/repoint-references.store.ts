/** References of other records to merged ones: set to another record, noted in their history, told to their destinations. */
import type { PoolClient } from "pg";
import { fieldColumn, recordTable } from "../../../../data/schema/index.ts";
import { numberEntity } from "../entity-number.store.ts";
import { RENEW_DELIVERY_SQL } from "../deliveries/enqueue-deliveries.store.ts";

/** A field of some core entity that holds ids of this pipeline's records. */
export interface Referrer {
  /** Id of the entity, which is its pipeline's too. */
  entityId: string;
  apiName: string;
  field: string;
  isList: boolean;
}

export interface Repointed {
  entityId: string;
  entity: string;
  field: string;
  recordId: string;
  /** Value of the field before and after: an id, or a list of them. */
  from: unknown;
  to: unknown;
}

/** Sets references from losers ($1) to winners ($2); answers record, value before and value after. */
export function repointSql(instanceId: string, { apiName, field, isList }: Referrer): string {
  const records = recordTable(instanceId, apiName);
  const column = fieldColumn({ apiName: field });
  const pairs = "unnest($1::text[], $2::text[]) AS m(loser, winner)";
  const moved = "accord_version = r.accord_version + 1, accord_updated_at = now()";
  if (!isList) {
    return `UPDATE ${records} r SET ${column} = m.winner, ${moved} FROM ${pairs}
            WHERE r.${column} = m.loser RETURNING r.accord_id AS id, m.loser AS before, m.winner AS after`;
  }
  return `WITH found AS (
            SELECT r.accord_id, r.${column} AS before,
                   (SELECT jsonb_agg(x.item ORDER BY x.first) FROM (
                      SELECT coalesce(m.winner, e.item) AS item, min(e.ord) AS first
                      FROM jsonb_array_elements_text(r.${column}) WITH ORDINALITY AS e(item, ord)
                      LEFT JOIN ${pairs} ON m.loser = e.item GROUP BY 1) x) AS after
            FROM ${records} r WHERE r.${column} ?| $1::text[]
          )
          UPDATE ${records} r SET ${column} = f.after, ${moved} FROM found f
          WHERE r.accord_id = f.accord_id RETURNING r.accord_id AS id, f.before, f.after`;
}

/** Ledger and deliveries of records whose references were set to another record. */
export async function noteRepointed(
  client: PoolClient,
  schema: string,
  where: { entityId: string; field: string; cycle: number | null; actor?: { userId: string; name: string } },
  repointed: readonly Pick<Repointed, "recordId" | "from" | "to">[],
): Promise<void> {
  const entityNumber = await numberEntity(client, schema, where.entityId);
  await client.query(
    `INSERT INTO ${schema}.ledger (entity, record_id, operation, cycle, user_id, user_name, changes)
     SELECT $1, w.id, 'update', $2, $3, $4, w.changes FROM unnest($5::text[], $6::json[]) AS w(id, changes)`,
    [
      entityNumber,
      where.cycle,
      where.actor?.userId ?? null,
      where.actor?.name ?? null,
      repointed.map(({ recordId }) => recordId),
      repointed.map(({ from, to }) => JSON.stringify({ [where.field]: [from, to] })),
    ],
  );
  await client.query(
    `INSERT INTO ${schema}.delivery AS d (place, record_id, wanted)
     SELECT p.number, r.id, extract(epoch FROM now())::int FROM ${schema}.place p CROSS JOIN unnest($2::text[]) AS r(id)
     WHERE p.pipeline_id = $1 AND p.told_fields <> '{}'
       AND EXISTS (SELECT FROM ${schema}.link l WHERE l.place = p.number AND l.record_id = r.id AND NOT l.dead)
     ON CONFLICT (place, record_id) DO UPDATE SET ${RENEW_DELIVERY_SQL}`,
    [where.entityId, repointed.map(({ recordId }) => recordId)],
  );
}
