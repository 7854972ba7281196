/** The lease as every write of a run sees it: renewed under its epoch, or nothing is written. */
import type { CommitResult, Signal } from "@accord/sync-engine/run";
import type { PoolClient, QueryResultRow } from "pg";
import { prepared } from "../../../../platform/db/prepared.ts";

/** The run on whose behalf something is written. */
export interface RunIdentity {
  epoch: number;
  cycleNumber: number;
  versionNumber: number;
}

/** Lease time of a worker, renewed by every write. */
export const LEASE_SECONDS = 30;
export const LEASE_MS = LEASE_SECONDS * 1000;

/** What people asked for meanwhile, as columns and as the engine names it. */
export const ASKED = "paused AND NOT probing AS paused, version_number AS version, resync->>'status' AS resync";
/** A newer version than the one the run is pinned to ends it like a pause, after its page. */
export const signalIn = (row: QueryResultRow, versionNumber: number): Signal =>
  row["paused"] || row["version"] !== versionNumber
    ? "pause"
    : row["resync"] === "CANCEL_REQUESTED"
      ? "cancelResync"
      : "none";

const ASYNC = ", set_config('synchronous_commit', 'off', true)";

const CONFLICT_CODES: ReadonlySet<string> = new Set(["23505", "40001", "40P01"]);

export class Refused extends Error {
  readonly reason: "lost" | "conflict";
  constructor(reason: "lost" | "conflict") {
    super(reason);
    this.reason = reason;
  }
}

/** Renews the lease of `$1`, `$2` under the epoch `$3`; says what people asked for meanwhile, and nothing once it is lost. */
export const GUARD = `UPDATE sync_pipeline SET lease_until = greatest(lease_until, now() + interval '${LEASE_SECONDS} seconds')
  WHERE instance_id = $1 AND pipeline_id = $2 AND epoch = $3 RETURNING ${ASKED}`;

export type LeaseGuard = ReturnType<typeof leaseGuard>;

export function leaseGuard(scope: { instanceId: string; pipelineId: string }) {
  /**
   * Renews the lease, or refuses; answers what people asked for meanwhile. A page does not wait for its commit to reach
   * the disk: whatever is told outside is preceded by an intent that does, and the log keeps their order.
   */
  return async function guard(
    client: PoolClient,
    run: RunIdentity,
    what: "page" | "promise" = "promise",
  ): Promise<Signal> {
    const { rows } = await client.query(
      prepared(what === "page" ? `${GUARD}${ASYNC}` : GUARD, [scope.instanceId, scope.pipelineId, run.epoch]),
    );
    const [row] = rows;
    if (!row) throw new Refused("lost");
    return signalIn(row, run.versionNumber);
  };
}

/** Turns a refusal into an answer; other errors go on. */
export function refusal(error: unknown): CommitResult {
  if (error instanceof Refused) return error.reason === "lost" ? { status: "lost" } : { status: "conflict" };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (CONFLICT_CODES.has(code)) return { status: "conflict" };
  throw error;
}
