/** What a plan is made of, as one short text that changes with any of it: read instead of all that at each cycle's beginning. */
import type { Pool } from "../../../../platform/db/db.ts";
import { prepared } from "../../../../platform/db/prepared.ts";

export interface ConfigurationMarks {
  /** Of a pipeline and of the connectors and entities of these places. */
  mark(
    instanceId: string,
    pipelineId: string,
    places: readonly { connectorId: string; entity: string }[],
  ): Promise<string>;
}

/** A row that was written anew stands elsewhere, or was written by another transaction. */
const marksOf = (row: string): string => `string_agg(${row}.ctid || '@' || ${row}.xmin, ' ' ORDER BY ${row}.ctid)`;

/** By the versions of the rows themselves, and by the instance's count of changes to its entities. */
export const configurationMarks = (appPool: Pool): ConfigurationMarks => ({
  async mark(instanceId, pipelineId, places) {
    const { rows } = await appPool.query(
      prepared(
        `SELECT concat_ws('; ',
           (SELECT schema_version FROM instance WHERE id = $1),
           (SELECT ${marksOf("p")} FROM pipeline p WHERE p.instance_id = $1 AND p.entity_id = $2),
           (SELECT ${marksOf("c")} FROM connector c WHERE c.instance_id = $1 AND c.id = ANY($3::text[])),
           'keys', (SELECT ${marksOf("k")} FROM credential k WHERE k.instance_id = $1 AND k.connector_id = ANY($3::text[])),
           'entities', (SELECT ${marksOf("e")} FROM connector_entity e
             JOIN unnest($3::text[], $4::text[]) AS w(connector_id, api_name) USING (connector_id, api_name)
             WHERE e.instance_id = $1)) AS mark`,
        [instanceId, pipelineId, places.map(({ connectorId }) => connectorId), places.map(({ entity }) => entity)],
      ),
    );
    return rows[0].mark;
  },
});
