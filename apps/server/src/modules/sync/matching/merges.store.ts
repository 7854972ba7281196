/** Merges as they were written with their pages. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { Value, Values } from "@accord/contracts/data/values";
import type { MergeStatus } from "@accord/contracts/sync/merges";
import type { Origin } from "@accord/sync-engine/run";
import type { QueryResultRow } from "pg";
import {
  type BoundedPage,
  boundedPage,
  shortMembers,
  shortPairs,
  takePage,
} from "../../../platform/db/bounded-page.ts";
import { instanceSchema, type Pool } from "../../../platform/db/db.ts";
import { exactValueTypes } from "../../../platform/db/value-types.ts";
import { quoteIdentifier, readRecordNames } from "../../data/schema/index.ts";
import type { MovedLink, Repointed } from "../runs/index.ts";

export interface MergeRow {
  id: Id<"merge">;
  pipelineId: Id<"entity">;
  at: string;
  status: MergeStatus;
  winnerId: Id<"record">;
  loserIds: Id<"record">[];
  before: { [recordId: string]: { values: Values; origin: Origin } };
  changes: { [field: string]: [from: Value, to: Value] };
  /** The winner's origins after the merge. */
  origin: Origin;
  moved: MovedLink[];
  repointed: Repointed[];
  undoneAt: string | null;
  undoneBy: string | null;
  mergedBy: string | null;
}

const COLUMNS = [
  ...["id", "pipeline_id", "at", "status", "winner_id", "loser_ids", "moved", "repointed"],
  ...["undone_at", "undone_by", "merged_by"],
];
/** Nobody sees the origins; undoing a merge reads it whole. */
const LARGE = {
  before: {
    short: `(SELECT jsonb_object_agg(key,
        jsonb_build_object('values', ${shortMembers("value -> 'values'", "jsonb")}, 'origin', '{}'::jsonb))
      FROM jsonb_each(before))`,
  },
  changes: { short: shortPairs("changes", "jsonb") },
  origin: { short: "'{}'::jsonb" },
};

/** `reads`: for what people look through page by page. */
export function mergesStore(pool: Pool, reads = pool) {
  const tableOf = (instanceId: string): string => `${quoteIdentifier(instanceSchema(instanceId))}.merge`;

  return {
    /** Newest first. */
    async list(
      instanceId: string,
      pipelineId: string,
      query: {
        cursor?: string | undefined;
        count: number;
        status?: MergeStatus | undefined;
        recordId?: string | undefined;
      },
    ): Promise<BoundedPage<MergeRow>> {
      const order = "id DESC";
      const picked = `SELECT * FROM ${tableOf(instanceId)} WHERE pipeline_id = $1 AND ($2::text IS NULL OR id < $2)
           AND ($3::text IS NULL OR status = $3) AND ($4::text IS NULL OR winner_id = $4 OR $4 = ANY(loser_ids))
         ORDER BY ${order} LIMIT $5`;
      const { rows } = await reads.query(boundedPage(picked, { order, columns: COLUMNS, large: LARGE }), [
        pipelineId,
        query.cursor ?? null,
        query.status ?? null,
        query.recordId ?? null,
        query.count + 1,
      ]);
      return takePage(rows, query.count, readMerge);
    },

    /** What people call records, deleted ones too, by id; those without a name are left out. */
    names: (instanceId: string, entity: CoreEntity, recordIds: readonly string[]) =>
      readRecordNames(pool, instanceId, entity, recordIds),

    /** Whether a record has a history in this instance, deleted or not. */
    async hasRecord(instanceId: string, recordId: string): Promise<boolean> {
      const ledger = `${quoteIdentifier(instanceSchema(instanceId))}.ledger`;
      const { rows } = await pool.query(`SELECT EXISTS (SELECT FROM ${ledger} WHERE record_id = $1) AS found`, [
        recordId,
      ]);
      return rows[0].found;
    },

    async find(instanceId: string, pipelineId: string, mergeId: string): Promise<MergeRow | null> {
      const { rows } = await pool.query({
        text: `SELECT * FROM ${tableOf(instanceId)} WHERE id = $1 AND pipeline_id = $2`,
        values: [mergeId, pipelineId],
        types: exactValueTypes,
      });
      return rows[0] ? readMerge(rows[0]) : null;
    },

    /** Parts the pairs for good. False when it is no longer a report. */
    async dismiss(
      instanceId: string,
      mergeId: string,
      pairs: readonly (readonly [loser: string, winner: string])[],
      by: string,
    ): Promise<boolean> {
      const schema = quoteIdentifier(instanceSchema(instanceId));
      const { rowCount } = await pool.query(
        `WITH over AS (
           UPDATE ${tableOf(instanceId)} SET status = 'DISMISSED', undone_at = now(), undone_by = $2
           WHERE id = $1 AND status IN ('REPORTED', 'TOO_MANY') RETURNING id),
         parted AS (
           INSERT INTO ${schema}.merged_record (loser_id, winner_id, merge_id, undone)
           SELECT w.loser, w.winner, over.id, true FROM over CROSS JOIN unnest($3::text[], $4::text[]) AS w(loser, winner))
         SELECT FROM over`,
        [mergeId, by, pairs.map(([loser]) => loser), pairs.map(([, winner]) => winner)],
      );
      return rowCount === 1;
    },
  };
}

export type MergesStore = ReturnType<typeof mergesStore>;

const readMerge = (row: QueryResultRow): MergeRow => ({
  id: row["id"],
  pipelineId: row["pipeline_id"],
  at: row["at"],
  status: row["status"],
  winnerId: row["winner_id"],
  loserIds: row["loser_ids"],
  before: row["before"],
  changes: row["changes"],
  origin: row["origin"],
  moved: row["moved"],
  repointed: row["repointed"],
  undoneAt: row["undone_at"],
  undoneBy: row["undone_by"],
  mergedBy: row["merged_by"],
});
