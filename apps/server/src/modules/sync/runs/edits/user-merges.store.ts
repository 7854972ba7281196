/** Duplicates merged because a person says so: in one transaction, with everything that a merge in a page leaves behind. */
import { sinksAffectedByMerges, joinRecords } from "@accord/sync-engine/run";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { transaction } from "../../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import type { CompiledPipeline } from "../worker/plans.ts";
import { ensureLedgerMonths } from "../storage/prepare.store.ts";
import { fenceRun } from "../schedule/fence-run.store.ts";

/** Why nothing was merged. */
export type MergeRefusal = "notReported" | "gone" | "noRules";

export interface UserMerge {
  instanceId: string;
  pipelineId: string;
  /** The report that becomes a merge. */
  mergeId: string;
  winnerId: string;
  loserIds: readonly string[];
  /** What else was reported and is not merged: it stays reported, as this. */
  rest: { mergeId: string; recordIds: readonly string[] } | null;
  actor: { userId: string; name: string };
}

class Refused extends Error {
  readonly reason: MergeRefusal;
  constructor(reason: MergeRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Null when it was done. Records that a cycle is changing at the same moment are waited for. */
export async function applyUserMerge(
  pool: Pool,
  { plan, storage }: Pick<CompiledPipeline, "plan" | "storage">,
  wish: UserMerge,
): Promise<MergeRefusal | null> {
  const rules = plan.merge;
  if (!rules) return "noRules";
  await ensureLedgerMonths(pool, wish.instanceId);
  const { instanceId, pipelineId, mergeId, winnerId, loserIds, rest, actor } = wish;
  const table = `${quoteIdentifier(instanceSchema(instanceId))}.merge`;
  const work = transaction(
    pool,
    async ({ client }) => {
      await fenceRun(client, instanceId, pipelineId);
      const report = await client.query(
        `DELETE FROM ${table} WHERE id = $1 AND pipeline_id = $2 AND status IN ('REPORTED', 'TOO_MANY') RETURNING status`,
        [mergeId, pipelineId],
      );
      if (report.rowCount === 0) throw new Refused("notReported");
      const records = new Map(
        (await storage.lockRecords(client, [winnerId, ...loserIds])).map((record) => [record.recordId, record]),
      );
      const winner = records.get(winnerId);
      const losers = loserIds.flatMap((id) => records.get(id) ?? []);
      const isThere =
        winner && losers.length === loserIds.length && ![winner, ...losers].some(({ deleted }) => deleted);
      if (!isThere) throw new Refused("gone");
      const merge = joinRecords(plan, rules, winner, losers, mergeId);
      await storage.mergeRecords(client, { actor }, { merges: [merge], reports: [], ...sinksAffectedByMerges(plan) });
      if (rest) {
        await client.query(
          `INSERT INTO ${table} (id, pipeline_id, status, winner_id, loser_ids) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT DO NOTHING`,
          [rest.mergeId, pipelineId, report.rows[0].status, winnerId, rest.recordIds],
        );
      }
      return null;
    },
    { retries: 3 },
  );
  return work.catch((error: unknown) => {
    if (error instanceof Refused) return error.reason;
    throw error;
  });
}
