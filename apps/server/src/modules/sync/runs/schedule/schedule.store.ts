/** Which pipelines are published, what is due, who holds the lease, and how the last cycle went: one row a pipeline. */
import { cycleRequests, WAKE_CHANNEL } from "./cycle-requests.store.ts";
import { cycleStarts } from "./cycle-starts.store.ts";
import { resyncTurns } from "./resync-requests.store.ts";
import type { CycleSummary, Signal } from "@accord/sync-engine/run";
import type { PoolClient } from "pg";
import type { Pool } from "../../../../platform/db/db.ts";
import { prepared } from "../../../../platform/db/prepared.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { type AfterCycle, endCycle, type HeldCycle, keepingWarnings, lastCycleOf } from "./cycle-ends.store.ts";
import { ASKED, LEASE_SECONDS, signalIn } from "../storage/lease-guard.store.ts";
import {
  type Acquired,
  COLUMNS,
  type HeldUp,
  type PipelineRow,
  readAcquired,
  readPipeline,
  type ResyncRow,
  SELF,
} from "./pipeline-rows.store.ts";

/** What the worker `$1`, which runs `$2`, may take now, except `$3`. */
const DUE = `due_at <= now() AND (NOT paused OR probing)
  AND (owner IS NULL OR lease_until < now() OR (owner = $1 AND NOT instance_id || '/' || pipeline_id = ANY($2::text[])))
  AND NOT instance_id || '/' || pipeline_id || '/' || version_number = ANY($3::text[])`;

/**
 * Parts of a statement that ask for a cycle of each of these `pipelines` (an array) where its part `kept` has a row:
 * `woken` has their ids. Of those whose row nobody holds: a statement that keeps something must not wait for a cycle.
 */
export const wakeSql = (kept: string, instanceId: string, pipelines: string): string => `free AS MATERIALIZED (
    SELECT s.instance_id, s.pipeline_id FROM ${kept}, sync_pipeline s
    WHERE s.instance_id = ${instanceId} AND s.pipeline_id = ANY(${pipelines}::text[]) FOR NO KEY UPDATE OF s SKIP LOCKED
  ), woken AS (
    UPDATE sync_pipeline p SET poked = true, due_at = least(p.due_at, now()) FROM free
    WHERE p.instance_id = free.instance_id AND p.pipeline_id = free.pipeline_id
    RETURNING p.pipeline_id, pg_notify('${WAKE_CHANNEL}', '')
  )`;

export function scheduleStore(pool: Pool) {
  const one = async (text: string, values: unknown[]): Promise<PipelineRow | null> => {
    const { rows } = await pool.query(`${text} RETURNING ${COLUMNS}`, values);
    return rows[0] ? readPipeline(rows[0]) : null;
  };
  const wake = (client: Pool | PoolClient): Promise<unknown> => client.query(`NOTIFY ${WAKE_CHANNEL}`);

  return {
    /**
     * Takes the lease of the pipeline that has been due for longest and is owned by nobody alive; null when there is
     * none. `running`: those that this worker runs; `except`: those it will not take now, each with its version.
     */
    async acquire(owner: string, running: readonly string[], except: readonly string[] = []): Promise<Acquired | null> {
      const { rows } = await pool.query(
        prepared(
          `UPDATE sync_pipeline p SET owner = $1, epoch = p.epoch + 1, poked = false, read_all = false, cycle_began_at = now(),
                      heard_at = now(), held_up = '[]',
                      lease_until = now() + interval '${LEASE_SECONDS} seconds',
                      cycle_number = nextval('sync_cycle_number'), resync_turn = NOT p.resync_turn
               FROM (SELECT instance_id, pipeline_id, poked OR owner IS NOT NULL AS was_poked, owner IS NOT NULL AS was_held, read_all AS was_read_all, resync_turn AS was_turn FROM sync_pipeline
                     WHERE ${DUE} ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
               WHERE p.instance_id = due.instance_id AND p.pipeline_id = due.pipeline_id
               RETURNING (extract(epoch FROM now()) * 1000)::float8 AS acquired_at, due.was_poked, due.was_held, due.was_read_all, due.was_turn,
                 EXISTS (SELECT FROM sync_pipeline WHERE ${DUE} AND (instance_id, pipeline_id) <> (p.instance_id, p.pipeline_id)) AS is_more_due,
                 ${COLUMNS.replaceAll(/\b(instance_id|pipeline_id)\b/g, "p.$1")}`,
          [owner, running, except],
        ),
      );
      return rows[0] ? readAcquired(rows[0]) : null;
    },

    /** Gives a pipeline back as if it had not been taken: another one goes first. */
    async putBack({ instanceId, pipelineId, epoch, wasRequested, wasHeld, isReadAll }: Acquired): Promise<void> {
      await pool.query(
        `UPDATE sync_pipeline SET owner = CASE WHEN $6 THEN owner END, lease_until = CASE WHEN $6 THEN now() END,
           poked = poked OR $4, read_all = read_all OR $5, resync_turn = NOT resync_turn WHERE ${SELF} AND epoch = $3`,
        [instanceId, pipelineId, epoch, wasRequested, isReadAll, wasHeld],
      );
    },

    /**
     * The pipeline's cycle broke off: it is due again after `dueInMs`, and whoever takes it knows that it was not given
     * back. `summary` is told in place of the last cycle's, with what stands of that; `error` stops it until a probe gets through. Nothing
     * happens once somebody else owns it.
     */
    async putOff(
      { instanceId, pipelineId, epoch }: Acquired,
      {
        dueInMs,
        summary,
        error,
        standing,
      }: Pick<AfterCycle, "dueInMs" | "error" | "standing"> & {
        summary: CycleSummary | null;
      },
    ): Promise<void> {
      await pool.query(
        `UPDATE sync_pipeline SET due_at = now() + $4 * interval '1 millisecond', lease_until = now(), activity = 'Waiting',
           broken_times = broken_times + 1, broken_since = coalesce(broken_since, now()),
           last_cycle = CASE WHEN $5::jsonb IS NULL THEN last_cycle ELSE ${keepingWarnings("$5::jsonb")} END, error = coalesce($6::jsonb, error),
           paused = paused OR $6::jsonb IS NOT NULL, probing = probing OR ($6::jsonb IS NOT NULL AND NOT paused)
         WHERE ${SELF} AND epoch = $3`,
        [
          instanceId,
          pipelineId,
          epoch,
          dueInMs,
          summary === null ? null : lastCycleOf(summary, { standing }),
          error === null ? null : JSON.stringify(error),
        ],
      );
    },

    /**
     * What people asked for meanwhile; `lost` once another worker owns the pipeline. `hasGotOn`: something happened
     * since the last renewal; `heldUp`: what it waits for. `isRequested`: another cycle follows this one at once.
     */
    async renew(
      {
        instanceId,
        pipelineId,
        epoch,
        versionNumber,
      }: Pick<Acquired, "instanceId" | "pipelineId" | "epoch" | "versionNumber">,
      { activity, hasGotOn, heldUp = [] }: { activity: string; hasGotOn: boolean; heldUp?: readonly HeldUp[] },
    ): Promise<{ signal: Signal | "lost"; isRequested: boolean }> {
      const { rows } = await pool.query(
        `UPDATE sync_pipeline SET lease_until = now() + interval '${LEASE_SECONDS} seconds', activity = $4,
           heard_at = CASE WHEN $5 THEN now() ELSE heard_at END, held_up = $6
         WHERE ${SELF} AND epoch = $3 RETURNING ${ASKED}, poked`,
        [instanceId, pipelineId, epoch, activity, hasGotOn, JSON.stringify(heldUp)],
      );
      const [row] = rows;
      return { signal: row ? signalIn(row, versionNumber) : "lost", isRequested: row?.["poked"] === true };
    },

    /** Ends a cycle and gives the lease back. Says nothing when it was lost. */
    async finish(cycle: HeldCycle, summary: CycleSummary, next: AfterCycle): Promise<void> {
      await transaction(pool, ({ client }) => endCycle(client, cycle, summary, next));
    },

    async find(instanceId: string, pipelineId: string): Promise<PipelineRow | null> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline WHERE ${SELF}`, [instanceId, pipelineId]);
      return rows[0] ? readPipeline(rows[0]) : null;
    },

    async list(instanceId: string): Promise<PipelineRow[]> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline WHERE instance_id = $1`, [instanceId]);
      return rows.map(readPipeline);
    },

    async listAll(): Promise<PipelineRow[]> {
      const { rows } = await pool.query(`SELECT ${COLUMNS} FROM sync_pipeline`);
      return rows.map(readPipeline);
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
           probing = false, broken_times = 0, broken_since = NULL,
           resync = coalesce(EXCLUDED.resync, sync_pipeline.resync),
           whole_sources = CASE WHEN EXCLUDED.resync IS NULL THEN '{}' ELSE sync_pipeline.whole_sources END`,
        [at.instanceId, at.pipelineId, at.versionId, at.versionNumber, resync === null ? null : JSON.stringify(resync)],
      );
      await wake(pool);
    },

    async unpublish(instanceId: string, pipelineId: string): Promise<void> {
      await pool.query(`DELETE FROM sync_pipeline WHERE ${SELF}`, [instanceId, pipelineId]);
    },

    pause: (instanceId: string, pipelineId: string, by: string) =>
      one(`UPDATE sync_pipeline SET paused = true, probing = false, paused_by = $3 WHERE ${SELF}`, [
        instanceId,
        pipelineId,
        by,
      ]),

    async resume(instanceId: string, pipelineId: string): Promise<PipelineRow | null> {
      const row = await one(
        `UPDATE sync_pipeline SET paused = false, probing = false, paused_by = NULL, error = NULL, failures = '{}', due_at = now(),
           broken_times = 0, broken_since = NULL, poked = true WHERE ${SELF}`,
        [instanceId, pipelineId],
      );
      await wake(pool);
      return row;
    },

    /** Takes pipelines away from workers whose cycles have not got on for `seconds`; answers how many. */
    async releaseStalled(seconds: number): Promise<number> {
      const { rowCount } = await pool.query(
        // The owner stays: who takes the lease over knows that it was not given back.
        `UPDATE sync_pipeline SET lease_until = now(), heard_at = now(), epoch = epoch + 1, stalled_at = now(),
           activity = 'Waiting', due_at = now(), poked = true
         WHERE owner IS NOT NULL AND lease_until > now() AND heard_at < now() - $1 * interval '1 second'`,
        [seconds],
      );
      if (rowCount) await wake(pool);
      return rowCount ?? 0;
    },

    ...cycleRequests(pool, wake),
    ...resyncTurns(pool, one, wake),
    ...cycleStarts(pool),
  };
}

export type ScheduleStore = ReturnType<typeof scheduleStore>;
