/** The row of a published pipeline: what runs, who holds it, what is asked of it, and how its last cycle went. */
import type { Id } from "@accord/contracts";
import type { CycleSummary, FailureRecord, ResyncStart } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";

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

/** A system that has held the cycle under way up for long. */
export interface HeldUp {
  connectorId: string;
  /** It takes no calls for now; else it has not answered one. */
  isLimited: boolean;
  /** UTC milliseconds. */
  since: number;
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
  /** Paused in error by an outage: a cycle now and then finds out whether it is over. */
  isProbing: boolean;
  dueAt: string;
  isRunning: boolean;
  /** Held by a worker that has not been heard of for this long, milliseconds; 0 while it is alive. */
  silentMs: number;
  /** When its cycle was found stuck; null once one has ended since. */
  stalledAt: string | null;
  /** Cycles in a row that broke off before their end, and when the first of them did: UTC milliseconds. */
  brokenTimes: number;
  brokenSince: number | null;
  epoch: number;
  cycleNumber: number | null;
  activity: string;
  /** Of the cycle that runs; empty while none does. */
  heldUp: HeldUp[];
  failures: { [placeId: number]: FailureRecord };
  lastCycle: CycleSummary | null;
  lastFinishedAt: string | null;
  lastCycleMs: number | null;
  resync: ResyncRow | null;
  lastResyncAt: string | null;
  /** Node ids of sources whose systems were read from beginning to end. */
  wholeSources: string[];
}

/** A pipeline that this worker now owns. */
export interface Acquired extends PipelineRow {
  cycleNumber: number;
  /** When the lease was taken, by the database's clock: UTC milliseconds. */
  acquiredAt: number;
  /** Somebody asked for this cycle: every source has its turn. */
  wasRequested: boolean;
  /** It was taken from somebody who had not given it back, and may have been sending until now. */
  wasHeld: boolean;
  /** A person asked that every source be read, whatever its schedule. */
  isReadAll: boolean;
  isResyncTurn: boolean;
  /** Others were due as well, whoever may take them. */
  isMoreDue: boolean;
}

export const COLUMNS = `instance_id, pipeline_id, version_id, version_number, published_at, paused, paused_by, error, probing, due_at,
  owner IS NOT NULL AND lease_until > now() AS running,
  CASE WHEN owner IS NULL THEN 0 ELSE greatest(0, extract(epoch FROM now() - lease_until) * 1000) END AS silent_ms,
  stalled_at, broken_times, (extract(epoch FROM broken_since) * 1000)::float8 AS broken_since, epoch, cycle_number, activity,
  CASE WHEN owner IS NOT NULL AND lease_until > now() THEN held_up ELSE '[]' END AS held_up, failures, last_cycle, last_finished_at, last_cycle_ms, resync, last_resync_at, whole_sources`;

export const readPipeline = (row: QueryResultRow): PipelineRow => ({
  instanceId: row["instance_id"],
  pipelineId: row["pipeline_id"],
  versionId: row["version_id"],
  versionNumber: row["version_number"],
  publishedAt: row["published_at"],
  isPaused: row["paused"],
  pausedBy: row["paused_by"],
  error: row["error"],
  isProbing: row["probing"],
  dueAt: row["due_at"],
  isRunning: row["running"],
  silentMs: Number(row["silent_ms"]),
  stalledAt: row["stalled_at"],
  brokenTimes: row["broken_times"],
  brokenSince: row["broken_since"],
  epoch: row["epoch"],
  cycleNumber: row["cycle_number"],
  activity: row["activity"],
  heldUp: row["held_up"],
  failures: row["failures"],
  lastCycle: row["last_cycle"],
  lastFinishedAt: row["last_finished_at"],
  lastCycleMs: row["last_cycle_ms"],
  resync: row["resync"],
  lastResyncAt: row["last_resync_at"],
  wholeSources: row["whole_sources"],
});

export const readAcquired = (row: QueryResultRow): Acquired => ({
  ...readPipeline(row),
  cycleNumber: row["cycle_number"],
  acquiredAt: row["acquired_at"],
  wasRequested: row["was_poked"],
  wasHeld: row["was_held"],
  isReadAll: row["was_read_all"],
  isResyncTurn: row["was_turn"],
  isMoreDue: row["is_more_due"],
});

export const SELF = "instance_id = $1 AND pipeline_id = $2";
