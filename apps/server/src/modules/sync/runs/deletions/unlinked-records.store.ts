/** Ids that were listed and that no link knows: which are open, which are taken up, and which came to nothing. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { PoolClient } from "pg";

/** Says of a quarantined record that reading passed it over. */
const NEVER_READ = "never_read";
const MESSAGE = "The system lists this record, but it was passed over when it was read. It is read now.";

/** Part of a comparison of ids: `seen_id` is its temporary table of what was listed. */
export function unlinkedIds(
  client: PoolClient,
  schema: string,
  { pipelineId, placeId }: { pipelineId: string; placeId: number },
) {
  return {
    /** Listed ids without a link that nothing is known of, in order. */
    async unlinked(count: number): Promise<string[]> {
      const { rows } = await client.query(
        `SELECT s.id FROM seen_id s
         WHERE NOT EXISTS (SELECT FROM ${schema}.link l WHERE l.place = $1 AND l.external_id = s.id)
           AND NOT EXISTS (SELECT FROM ${schema}.unlinked_record u WHERE u.place = $1 AND u.external_id = s.id)
           AND NOT EXISTS (SELECT FROM ${schema}.quarantine q WHERE q.place = $1 AND q.direction = 'source'
                             AND q.external_id = s.id AND (q.status <> 'RESOLVED' OR q.dismissed_at IS NOT NULL))
         ORDER BY s.id LIMIT $2`,
        [placeId, count],
      );
      return rows.map(({ id }) => id);
    },

    /** The next cycle takes these as if a person had asked to try them again. */
    async reclaim(records: readonly SourceRecord[], newId: () => string): Promise<void> {
      for (const { id, values } of records) {
        await client.query(
          `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, payload)
           VALUES ($1, $2, $3, 'source', 'RETRYING', $4, '${NEVER_READ}', $5, $6) ON CONFLICT DO NOTHING`,
          [newId(), pipelineId, placeId, id, MESSAGE, JSON.stringify(values)],
        );
      }
    },

    async review(ids: readonly string[]): Promise<void> {
      await client.query(
        `INSERT INTO ${schema}.unlinked_record (place, external_id) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING`,
        [placeId, ids],
      );
    },

    /** What is linked by now, or not listed any more, may be taken up again one day; entries that are over go. */
    async forgetReviewed(): Promise<void> {
      await client.query(
        `DELETE FROM ${schema}.unlinked_record u WHERE place = $1 AND (NOT EXISTS (SELECT FROM seen_id s WHERE s.id = u.external_id)
           OR EXISTS (SELECT FROM ${schema}.link l WHERE l.place = u.place AND l.external_id = u.external_id))`,
        [placeId],
      );
      await client.query(
        `DELETE FROM ${schema}.quarantine WHERE place = $1 AND direction = 'source' AND status = 'RESOLVED' AND code = '${NEVER_READ}'`,
        [placeId],
      );
    },
  };
}
