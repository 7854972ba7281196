/** Looks for records that are gone over there: when they are due, the ids that were seen, and what is missing. */
import type { Id } from "@accord/contracts";
import type { PoolClient } from "pg";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { withClient } from "../../../../platform/db/transaction.ts";
import { quoteIdentifier } from "../../../data/schema/index.ts";
import { unlinkedIds } from "./unlinked-records.store.ts";

export interface ScanKey {
  instanceId: Id<"instance">;
  pipelineId: Id<"entity">;
  placeId: number;
}

/** A place that is to be looked at. */
export interface DueScan extends ScanKey {
  /** Seconds until the first look. */
  firstSeconds: number;
  /** Seconds that may pass between two looks; null: as it was planned. */
  mostSeconds: number | null;
}

/** Why nothing is done about records that are missing. */
export interface ScanProblem {
  missing: number;
  known: number;
}

/** One look takes no longer; then somebody else may take it up. */
const HOLD = "2 hours";
/** In so many seconds ($4), or when somebody asked for it since the look under way began. */
const NEXT = `CASE WHEN due_at > held_until - interval '${HOLD}' THEN due_at ELSE now() + $4 * interval '1 second' END`;
const SELF = "instance_id = $1 AND pipeline_id = $2 AND place = $3";

export function deletionDetectionStore(pool: Pool) {
  const schemaOf = (instanceId: string): string => quoteIdentifier(instanceSchema(instanceId));
  const keyOf = ({ instanceId, pipelineId, placeId }: ScanKey) => [instanceId, pipelineId, placeId];

  return {
    /** Remembers places that are to be looked at, none later than it may be, and forgets all others. */
    async keepOnly(wanted: readonly DueScan[]): Promise<void> {
      const columns = [
        wanted.map(({ instanceId }) => instanceId),
        wanted.map(({ pipelineId }) => pipelineId),
        wanted.map(({ placeId }) => placeId),
        wanted.map(({ firstSeconds }) => firstSeconds),
        wanted.map(({ mostSeconds }) => mostSeconds),
      ];
      await pool.query(
        `WITH wanted AS (SELECT * FROM unnest($1::text[], $2::text[], $3::smallint[], $4::float8[], $5::float8[])
             AS w(instance_id, pipeline_id, place, first_seconds, most_seconds)),
           gone AS (DELETE FROM sync_look l WHERE NOT EXISTS (SELECT 1 FROM wanted w
             WHERE w.instance_id = l.instance_id AND w.pipeline_id = l.pipeline_id AND w.place = l.place)),
           late AS (UPDATE sync_look l SET due_at = now() + w.most_seconds * interval '1 second' FROM wanted w
             WHERE w.instance_id = l.instance_id AND w.pipeline_id = l.pipeline_id AND w.place = l.place
               AND l.due_at > now() + w.most_seconds * interval '1 second')
         INSERT INTO sync_look (instance_id, pipeline_id, place, due_at)
         SELECT instance_id, pipeline_id, place, now() + first_seconds * interval '1 second' FROM wanted ON CONFLICT DO NOTHING`,
        columns,
      );
    },

    /** Takes one that is due and that nobody is at, of other instances than these; null when there is none. */
    async take(except: readonly string[] = []): Promise<ScanKey | null> {
      const { rows } = await pool.query(
        `UPDATE sync_look l SET held_until = now() + interval '${HOLD}'
         FROM (SELECT instance_id, pipeline_id, place FROM sync_look
               WHERE due_at <= now() AND (held_until IS NULL OR held_until < now()) AND NOT instance_id = ANY($1::text[])
               ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED) due
         WHERE l.instance_id = due.instance_id AND l.pipeline_id = due.pipeline_id AND l.place = due.place
         RETURNING l.instance_id, l.pipeline_id, l.place`,
        [except],
      );
      const [row] = rows;
      return row ? { instanceId: row.instance_id, pipelineId: row.pipeline_id, placeId: row.place } : null;
    },

    /** Whether one of other instances than these could be taken. */
    async isOneDue(except: readonly string[]): Promise<boolean> {
      const { rows } = await pool.query(
        `SELECT EXISTS (SELECT FROM sync_look WHERE due_at <= now() AND (held_until IS NULL OR held_until < now())
           AND NOT instance_id = ANY($1::text[])) AS is_due`,
        [except],
      );
      return rows[0].is_due;
    },

    /** A person wants to know now: all places of the pipeline, those that no turn has planned yet too. */
    async hurry(instanceId: string, pipelineId: string): Promise<void> {
      await pool.query(
        `INSERT INTO sync_look (instance_id, pipeline_id, place, due_at)
         SELECT $1, $2, number, now() FROM ${schemaOf(instanceId)}.place WHERE pipeline_id = $2
         ON CONFLICT (instance_id, pipeline_id, place) DO UPDATE SET due_at = now()`,
        [instanceId, pipelineId],
      );
    },

    /** Deletions at one place may have been missed. A look under way may be past them: another one follows it. */
    async hurryPlace(key: ScanKey): Promise<void> {
      await pool.query(
        `INSERT INTO sync_look (instance_id, pipeline_id, place, due_at) VALUES ($1, $2, $3, now())
         ON CONFLICT (instance_id, pipeline_id, place) DO UPDATE SET due_at = now()`,
        keyOf(key),
      );
    },

    /** The next look follows in so many seconds, or at once where somebody asked for it since this one began. */
    async end(key: ScanKey, inSeconds: number, problem: ScanProblem | null): Promise<void> {
      await pool.query(
        `UPDATE sync_look SET held_until = NULL, due_at = ${NEXT}, ended_at = now(), problem = $5 WHERE ${SELF}`,
        [...keyOf(key), inSeconds, problem === null ? null : JSON.stringify(problem)],
      );
    },

    /** It was not looked to the end: what the last look found stands, and the next one follows in so many seconds. */
    async abortCycle(key: ScanKey, inSeconds: number): Promise<void> {
      await pool.query(`UPDATE sync_look SET held_until = NULL, due_at = ${NEXT} WHERE ${SELF}`, [
        ...keyOf(key),
        inSeconds,
      ]);
    },

    /** Problems by place number. */
    async problems(instanceId: string): Promise<Map<number, ScanProblem>> {
      const { rows } = await pool.query(
        "SELECT place, problem FROM sync_look WHERE instance_id = $1 AND problem IS NOT NULL",
        [instanceId],
      );
      return new Map(rows.map((row) => [row.place, row.problem]));
    },

    /** Lends a session in which ids are compared; what it holds is gone afterwards. */
    compare<Result>(
      { instanceId, pipelineId, placeId }: ScanKey,
      work: (ids: IdComparison) => Promise<Result>,
    ): Promise<Result> {
      return withClient(pool, async (client) => {
        await client.query(
          `DROP TABLE IF EXISTS pg_temp.seen_id, pg_temp.missing_id;
           CREATE TEMP TABLE seen_id (id text COLLATE "C" PRIMARY KEY); CREATE TEMP TABLE missing_id (id text COLLATE "C" PRIMARY KEY)`,
        );
        const result = await work(idComparison(client, schemaOf(instanceId), { pipelineId, placeId }));
        await client.query("DROP TABLE seen_id, missing_id");
        return result;
      });
    },
  };
}

export type DeletionDetectionStore = ReturnType<typeof deletionDetectionStore>;
export type IdComparison = ReturnType<typeof idComparison>;

function idComparison(
  client: PoolClient,
  schema: string,
  { pipelineId, placeId }: Pick<ScanKey, "pipelineId" | "placeId">,
) {
  return {
    ...unlinkedIds(client, schema, { pipelineId, placeId }),

    async saw(ids: readonly string[]): Promise<void> {
      await client.query("INSERT INTO seen_id SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING", [ids]);
    },

    /** How many are missing of how many; those seen or told in the last `settlingMs` milliseconds may not show yet. */
    async findMissing(settlingMs: number): Promise<{ missing: number; known: number }> {
      const { rows } = await client.query(
        `WITH known AS (SELECT external_id AS id, greatest(seen_at, told_at) AS at FROM ${schema}.link
                        WHERE place = $1 AND NOT dead),
           gone AS (INSERT INTO missing_id SELECT id FROM known k
                    WHERE (at IS NULL OR at < now() - $2 * interval '1 millisecond')
                      AND NOT EXISTS (SELECT 1 FROM seen_id s WHERE s.id = k.id) RETURNING 1)
         SELECT (SELECT count(*)::int FROM gone) AS missing, (SELECT count(*)::int FROM known) AS known`,
        [placeId, settlingMs],
      );
      return rows[0];
    },

    /** What was read last of those that are linked, by id. */
    async readLast(ids: readonly string[]): Promise<Map<string, string>> {
      const { rows } = await client.query(
        `SELECT external_id, seen FROM ${schema}.link
         WHERE place = $1 AND external_id = ANY($2::text[]) AND NOT dead AND seen IS NOT NULL`,
        [placeId, ids],
      );
      return new Map(rows.map((row) => [row.external_id, row.seen]));
    },

    /**
     * The next cycle asks for these again, and takes them as they are then. What was read or written a short time ago is
     * left out: systems that show changes late show an earlier state for as long.
     */
    async readAgain(ids: readonly string[]): Promise<void> {
      await client.query(
        `INSERT INTO ${schema}.missing_record (place, external_id, is_listed)
         SELECT place, external_id, true FROM ${schema}.link WHERE place = $1 AND external_id = ANY($2::text[])
           AND coalesce(greatest(seen_at, told_at), '-infinity') < now() - interval '5 minutes'
         ON CONFLICT DO NOTHING`,
        [placeId, ids],
      );
    },

    /** What was seen after all is not missing. */
    async found(ids: readonly string[]): Promise<void> {
      await client.query("DELETE FROM missing_id WHERE id = ANY($1)", [ids]);
    },

    /** Ids missing so far, in order, after one. */
    async missing(after: string, count: number): Promise<string[]> {
      const { rows } = await client.query("SELECT id FROM missing_id WHERE id > $1 ORDER BY id LIMIT $2", [
        after,
        count,
      ]);
      return rows.map(({ id }) => id);
    },

    /** Leaves what is missing to the next cycle; answers how many. */
    async handOver(): Promise<number> {
      await client.query(
        `DELETE FROM ${schema}.missing_record m WHERE place = $1 AND NOT EXISTS (
           SELECT 1 FROM ${schema}.link l WHERE l.place = m.place AND l.external_id = m.external_id AND NOT l.dead)`,
        [placeId],
      );
      const { rowCount } = await client.query(
        `INSERT INTO ${schema}.missing_record (place, external_id) SELECT $1, id FROM missing_id ON CONFLICT DO NOTHING`,
        [placeId],
      );
      return rowCount ?? 0;
    },
  };
}
