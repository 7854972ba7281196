/** Requests to read a connector's schema. Each counts: what is found for one is not kept once there is another. */
import type { Id } from "@accord/contracts";
import { sql, type RawBuilder } from "kysely";
import type { Db } from "../../../../platform/db/db.ts";

type InstanceId = Id<"instance">;

/** The request's number; null where the connector's state allows none. */
async function request(
  db: Db,
  at: InstanceId,
  connectorId: string,
  isAllowed: RawBuilder<boolean>,
): Promise<number | null> {
  const { rows } = await sql<{ request: number }>`
    UPDATE connector SET schema_status = 'PROCESSING', progress = NULL, schema_request = schema_request + 1
     WHERE instance_id = ${at} AND id = ${connectorId} AND ${isAllowed} RETURNING schema_request AS request`.execute(
    db,
  );
  return rows[0]?.request ?? null;
}

/** Of one in use whose schema nobody reads yet. */
export const requestIdle = (db: Db, at: InstanceId, connectorId: string): Promise<number | null> =>
  request(db, at, connectorId, sql`status = 'ACTIVE' AND schema_status <> 'PROCESSING'`);

/** Of one in use, also while its schema is being read. */
export const requestActive = (db: Db, at: InstanceId, connectorId: string): Promise<number | null> =>
  request(db, at, connectorId, sql`status = 'ACTIVE'`);

/** The same of one that is being activated, or failed while it was in use. */
export const requestUsed = (db: Db, at: InstanceId, connectorId: string): Promise<number | null> =>
  request(
    db,
    at,
    connectorId,
    sql`(status IN ('ACTIVE', 'ACTIVATING') OR (status = 'ERROR' AND activated_at IS NOT NULL))`,
  );

/** Whether this is the latest request; there is no other one for the rest of the transaction then. */
export async function holdRequest(tx: Db, at: InstanceId, connectorId: string, latest: number): Promise<boolean> {
  const { rows } = await sql`
    SELECT 1 AS held FROM connector
     WHERE instance_id = ${at} AND id = ${connectorId} AND schema_request = ${latest} AND status <> 'DELETED'
       FOR NO KEY UPDATE`.execute(tx);
  return rows.length > 0;
}

export interface AutoRefreshing {
  id: Id<"connector">;
  instance_id: InstanceId;
  auto_schema_entities: string[];
}

/** Connectors of all instances whose chosen entities refresh themselves. */
export async function readAutoRefreshing(db: Db): Promise<AutoRefreshing[]> {
  const { rows } = await sql<AutoRefreshing>`
    SELECT id, instance_id, auto_schema_entities FROM connector
     WHERE status = 'ACTIVE' AND jsonb_array_length(auto_schema_entities) > 0`.execute(db);
  return rows;
}
