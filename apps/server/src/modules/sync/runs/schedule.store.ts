/** Which pipelines are published, what is due, who holds the lease, and how the last cycle went: one row a pipeline. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { CycleSummary, FailureRecord, PlaceNeed, ResyncStart, Signal } from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../data/schema/index.ts";
import { type AfterCycle, endCycle, type HeldCycle } from "./cycle-ends.store.ts";
import { numberEntity } from "./entity-number.store.ts";
import { ASKED, LEASE_SECONDS, signalIn } from "./lease-guard.store.ts";

/** Wakes workers in every process. */
export const WAKE_CHANNEL = "accord_sync";

export interface ResyncRow extends ResyncStart {
  status: "NEW" | "PROCESSING" | "CANCEL_REQUESTED";
  scope: "all" | "after" | "between";
  requestedAt: string;
  /** In cycles that have ended, and in the one under way. */
  recordsRead: number;
  reading?: number;
  /** About how many there are; null when nobody knows. */
  about?: number | null;
}

export interface PipelineRow {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  versionId: string;
  versionNumber: number;
  publishedAt: string;
  isPaused: boolean;
  pausedBy: string | null;
  error: { message: string; detail: string | null } | null;
  dueAt: string;
  isRunning: boolean;
  /** Held by a worker that has not been heard of for this long, milliseconds; 0 while it is alive. */
  silentMs: number;
  /** When its cycle was found stuck; null once one has ended since. */
  stalledAt: string | null;
  epoch: number;
  cycleNumber: number | null;
  activity: string;
  failures: { [placeId: number]: FailureRecord };
  lastCycle: CycleSummary | null;
  lastFinishedAt: string | null;
  lastCycleMs: number | null;
  resync: ResyncRow | null;
  lastResyncAt: string | null;
}

/** A pipeline that this worker now owns. */
export interface Acquired extends PipelineRow {
  cycleNumber: number;
  /** When the lease was taken, by the database's clock: UTC milliseconds. */
  acquiredAt: number;
  /** Somebody asked for this cycle: every source has its turn. */
  wasPoked: boolean;
  /** A person asked that every source be read, whatever its schedule. */
  isReadAll: boolean;
  isResyncTurn: boolean;
}

const COLUMNS = `instance_id, pipeline_id, version_id, version_number, published_at, paused, paused_by, error, due_at,
  owner IS NOT NULL AND lease_until > now() AS running,
  CASE WHEN owner IS NULL THEN 0 ELSE greatest(0, extract(epoch FROM now() - lease_until) * 1000) END AS silent_ms,
  stalled_at,   epoch, cycle_number, activity, failures, last_cycle, last_finished_at, last_cycle_ms, resync, last_resync_at`;

const read = (row: QueryResultRow): PipelineRow => ({
  instanceId: row["instance_id"],
  pipelineId: row["pipeline_id"],
  versionId: row["version_id"],
  versionNumber: row["version_number"],
  publishedAt: row["published_at"],
  isPaused: row["paused"],
  pausedBy: row["paused_by"],
  error: row["error"],
  dueAt: row["due_at"],
  isRunning: row["running"],
  silentMs: Number(row["silent_ms"]),
  stalledAt: row["stalled_at"],
  epoch: row["epoch"],
  cycleNumber: row["cycle_number"],
  activity: row["activity"],
  failures: row["failures"],
  lastCycle: row["last_cycle"],
  lastFinishedAt: row["last_finished_at"],
  lastCycleMs: row["last_cycle_ms"],
  resync: row["resync"],
  lastResyncAt: row["last_resync_at"],
});

const readAcquired = (row: QueryResultRow): Acquired => ({
  ...read(row),
  cycleNumber: row["cycle_number"],
  acquiredAt: row["acquired_at"],
  wasPoked: row["was_poked"],
  isReadAll: row["was_read_all"],
  isResyncTurn: row["was_turn"],
});

const SELF = "instance_id = $1 AND pipeline_id = $2";

export function scheduleStore(pool: Pool) {
  const one = async (text: string, values: unknown[]): Promise<PipelineRow | null> => {
    const { rows } = await pool.query(`${text} RETURNING ${COLUMNS}`, values);
    return rows[0] ? read(rows[0]) : null;
  };
  const wake = (client: Pool | PoolClient): Promise<unknown> => client.query(`NOTIFY ${WAKE_CHANNEL}`);

  return {
    /** Takes the lease of one pipeline that is due and owned by nobody alive; null when there is none. */
    async acquire(owner: string, own: readonly string[]): Promise<Acquired | null> {
      const { rows } = await pool.query({
        name: "sync-acquire",
        text: `UPDATE sync_pipeline p SET owner = $1, epoch = p.epoch + 1, poked = false, read_all = false, cycle_began_at = now(),
                      heard_at = now(),
                      lease_until = now() + interval '${LEASE_SECONDS} seconds',
                      cycle_number = nextval('sync_cycle_number'), resync_turn = NOT p.resync_turn
               FROM (SELECT instance_id, pipeline_id, poked OR owner IS NOT NULL AS was_poked, read_all AS was_read_all, resync_turn AS was_turn FROM sync_pipeline
                     WHERE due_at <= now() AND NOT paused
                       AND (owner IS NULL OR lease_until < now()
                            OR (owner = $1 AND NOT instance_id || '/' || pipeline_id = ANY($2::text[])))
                     ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
               WHERE p.instance_id = due.instance_id AND p.pipeline_id = due.pipeline_id
               RETURNING (extract(epoch FROM now()) * 1000)::float8 AS acquired_at, due.was_poked, due.was_read_all, due.was_turn, ${COLUMNS.replaceAll(/\b(instance_id|pipeline_id)\b/g, "p.$1")}`,
        values: [owner, own],
      });
      return rows[0] ? readAcquired(rows[0]) : null;
    },

    /**
     * What people asked for meanwhile; `lost` once another worker owns the pipeline. `hasGotOn`: something happened
     * since the last renewal.
     */
    async renew(
      {
        instanceId,
        pipelineId,
        epoch,
        versionNumber,
      }: Pick<Acquired, "instanceId" | "pipelineId" | "epoch" | "versionNumber">,
      activity: string,
      hasGotOn: boolean,
    ): Promise<Signal | "lost"> {
      const { rows } = await pool.query(
        `UPDATE sync_pipeline SET lease_until = now() + interval '${LEASE_SECONDS} seconds', activity = $4,
           heard_at = CASE WHEN $5 THEN now() ELSE heard_at END
         WHERE ${SELF} AND epoch = $3 RETURNING ${ASKED}`,
        [instanceId, pipelineId, epoch, activity, hasGotOn],
      );
      return rows[0] ? signalIn(rows[0], versionNumber) : "lost";
    },

    /** Ends a cycle and gives the lease back. Says nothing when it was lost. */
    async finish(cycle: HeldCycle, summary: CycleSummary, next: AfterCycle): Promise<void> {
      await transaction(pool, ({ client }) => endCycle(client, cycle, summary, next));
    },

    async find(instanceId: string, pipelineId: string): Promise<PipelineRow | null> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline WHERE ${SELF}`, [instanceId, pipelineId]);
      return rows[0] ? read(rows[0]) : null;
    },

    async list(instanceId: string): Promise<PipelineRow[]> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline WHERE instance_id = $1`, [instanceId]);
      return rows.map(read);
    },

    async listAll(): Promise<PipelineRow[]> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline`);
      return rows.map(read);
    },

    /** A version begins to run, after the one before it has finished its page. */
    async publish(
      at: { instanceId: string; pipelineId: string; versionId: string; versionNumber: number },
      resync: ResyncRow | null,
    ): Promise<void> {
      await pool.query(
        `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number, resync)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (instance_id, pipeline_id) DO UPDATE SET version_id = EXCLUDED.version_id,
           version_number = EXCLUDED.version_number, poked = true, due_at = now(), error = NULL, paused = sync_pipeline.paused AND sync_pipeline.error IS NULL,
           resync = coalesce(EXCLUDED.resync, sync_pipeline.resync)`,
        [at.instanceId, at.pipelineId, at.versionId, at.versionNumber, resync === null ? null : JSON.stringify(resync)],
      );
      await wake(pool);
    },

    async unpublish(instanceId: string, pipelineId: string): Promise<void> {
      await pool.query(`DELETE FROM sync_pipeline WHERE ${SELF}`, [instanceId, pipelineId]);
    },

    pause: (instanceId: string, pipelineId: string, by: string) =>
      one(`UPDATE sync_pipeline SET paused = true, paused_by = $3 WHERE ${SELF}`, [instanceId, pipelineId, by]),

    async resume(instanceId: string, pipelineId: string): Promise<PipelineRow | null> {
      const row = await one(
        `UPDATE sync_pipeline SET paused = false, paused_by = NULL, error = NULL, failures = '{}', due_at = now(),
           poked = true WHERE ${SELF}`,
        [instanceId, pipelineId],
      );
      await wake(pool);
      return row;
    },

    /** Asks for a cycle now; one under way is followed by another. */
    async poke(instanceId: string, pipelineId: string, client: Pool | PoolClient = pool): Promise<void> {
      await client.query(`UPDATE sync_pipeline SET poked = true, due_at = least(due_at, now()) WHERE ${SELF}`, [
        instanceId,
        pipelineId,
      ]);
      await wake(client);
    },

    /** A cycle now that reads every source, whatever its schedule. */
    async runNow(instanceId: string, pipelineId: string): Promise<void> {
      await pool.query(`UPDATE sync_pipeline SET poked = true, read_all = true, due_at = now() WHERE ${SELF}`, [
        instanceId,
        pipelineId,
      ]);
      await wake(pool);
    },

    /** Takes pipelines away from workers whose cycles have not got on for `seconds`; answers how many. */
    async freeStalled(seconds: number): Promise<number> {
      const { rowCount } = await pool.query(
        `UPDATE sync_pipeline SET owner = NULL, lease_until = NULL, epoch = epoch + 1, stalled_at = now(),
           activity = 'Waiting', due_at = now(), poked = true
         WHERE owner IS NOT NULL AND heard_at < now() - $1 * interval '1 second'`,
        [seconds],
      );
      if (rowCount) await wake(pool);
      return rowCount ?? 0;
    },

    ...resyncTurns(pool, one, wake),

    /** Numbers a pipeline's entity and places, and lets their field lists grow by what is missing. */
    async settleIn(
      instanceId: string,
      pipelineId: string,
      needs: readonly PlaceNeed[],
    ): Promise<{ entityNumber: number; places: StoredPlace[] }> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      return transaction(pool, async ({ client }) => {
        const entityNumber = await numberEntity(client, schema, pipelineId);
        const places: StoredPlace[] = [];
        for (const need of needs) places.push(await settlePlace(client, schema, pipelineId, need));
        return { entityNumber, places };
      });
    },

    /**
     * Outside records to take before anything new is read, by place: those that a person asked to try again, as they
     * came when they failed, and those found to be gone.
     */
    async replays(instanceId: string, pipelineId: string): Promise<Map<number, SourceRecord[]>> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      const { rows } = await pool.query(
        `(SELECT place, external_id, payload, false AS deleted FROM ${schema}.quarantine
          WHERE pipeline_id = $1 AND status = 'RETRYING' AND direction = 'source' AND payload IS NOT NULL
            AND code <> 'unreadable' ORDER BY id LIMIT 1000)
         UNION ALL
         (SELECT m.place, m.external_id, '{}', true FROM ${schema}.missing_record m
          JOIN ${schema}.link l ON l.place = m.place AND l.external_id = m.external_id AND NOT l.dead
          JOIN ${schema}.place p ON p.number = m.place AND p.pipeline_id = $1 LIMIT 4000)`,
        [pipelineId],
      );
      const byPlace = new Map<number, SourceRecord[]>();
      for (const { place, external_id: id, payload, deleted } of rows) {
        byPlace.set(place, [...(byPlace.get(place) ?? []), { id, values: payload, ...(deleted ? { deleted } : {}) }]);
      }
      return byPlace;
    },

    async positions(instanceId: string, pipelineId: string): Promise<Map<string, StoredPosition>> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      const { rows } = await pool.query(
        `SELECT node_id, cursor, through, extract(epoch FROM now() - read_at) * 1000 AS age_ms
         FROM ${schema}.source_position WHERE pipeline_id = $1`,
        [pipelineId],
      );
      return new Map(
        rows.map((row) => [row.node_id, { cursor: row.cursor, isThrough: row.through, ageMs: Number(row.age_ms) }]),
      );
    },
  };
}

/** A resync is asked for, begun, and called off. */
function resyncTurns(
  pool: Pool,
  one: (text: string, values: unknown[]) => Promise<PipelineRow | null>,
  wake: (client: Pool | PoolClient) => Promise<unknown>,
) {
  return {
    /** Null when a resync is under way already. */
    async startResync(instanceId: string, pipelineId: string, resync: ResyncRow): Promise<PipelineRow | null> {
      const row = await one(
        `UPDATE sync_pipeline SET resync = $3, resync_turn = true, due_at = now(), poked = true
         WHERE ${SELF} AND resync IS NULL`,
        [instanceId, pipelineId, JSON.stringify(resync)],
      );
      await wake(pool);
      return row;
    },

    /** One that no worker has begun ends at once; else the worker ends it after its page. */
    cancelResync: (instanceId: string, pipelineId: string) =>
      one(
        `UPDATE sync_pipeline SET poked = true, due_at = now(),
           resync = CASE WHEN owner IS NULL THEN NULL ELSE jsonb_set(resync, '{status}', '"CANCEL_REQUESTED"') END
         WHERE ${SELF} AND resync IS NOT NULL`,
        [instanceId, pipelineId],
      ),

    /** As many records as the places are known to hold will be read again, unless only some are asked for. */
    async beginResync(
      { instanceId, pipelineId, epoch }: Pick<PipelineRow, "instanceId" | "pipelineId" | "epoch">,
      placeIds: readonly number[],
    ): Promise<void> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      await pool.query(
        `UPDATE sync_pipeline SET resync = resync || jsonb_build_object('status', 'PROCESSING', 'about',
           CASE WHEN resync->>'scope' = 'all' THEN nullif(
             (SELECT count(*) FROM ${schema}.link WHERE place = ANY($4::smallint[]) AND NOT dead), 0) END)
         WHERE ${SELF} AND epoch = $3 AND resync->>'status' = 'NEW'`,
        [instanceId, pipelineId, epoch, placeIds],
      );
    },
  };
}

export type ScheduleStore = ReturnType<typeof scheduleStore>;

export interface StoredPosition {
  cursor: NonNullable<CycleSummary["positions"][number]>["cursor"];
  /** Its last reading came to an end. */
  isThrough: boolean;
  ageMs: number;
}

export interface StoredPlace extends PlaceNeed {
  id: number;
}

async function settlePlace(
  client: PoolClient,
  schema: string,
  pipelineId: string,
  need: PlaceNeed,
): Promise<StoredPlace> {
  const { rows } = await client.query(
    `INSERT INTO ${schema}.place AS p (pipeline_id, connector_id, entity, read_fields, told_fields)
     VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (pipeline_id, connector_id, entity) DO UPDATE SET
       read_fields = p.read_fields || ARRAY(SELECT f FROM unnest(EXCLUDED.read_fields) f WHERE f <> ALL (p.read_fields)),
       told_fields = p.told_fields || ARRAY(SELECT f FROM unnest(EXCLUDED.told_fields) f WHERE f <> ALL (p.told_fields))
     RETURNING number, read_fields, told_fields`,
    [pipelineId, need.connectorId, need.entity, need.readFields, need.toldFields],
  );
  return { ...need, id: rows[0].number, readFields: rows[0].read_fields, toldFields: rows[0].told_fields };
}
