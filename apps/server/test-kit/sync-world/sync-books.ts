/** What a pipeline keeps of the sync world beside its records: who stands for whom, what is to be told, how far it has read. */
import type { Pool } from "../../src/platform/db/db.ts";
import { ENTITY, INSTANCE, SYSTEMS } from "./sync-world.ts";

const SCHEMA = `"i_${INSTANCE}"`;

/**
 * Faults in the books once all is quiet: each contact of each system stands for one record and no record for two, links
 * say what stands there, nothing is left to be told or in doubt, and every change of every system was read.
 */
export async function findViolations(pool: Pool): Promise<string[]> {
  const faults: string[] = [];
  for (const name of SYSTEMS) {
    const { rows } = await pool.query(
      `SELECT o.id, o.email, count(l.record_id)::int AS links, min(r.email) AS stands_for, bool_or(l.dead) AS is_dead
       FROM outside.${name} o
       JOIN ${SCHEMA}.place p ON p.connector_id = $1
       LEFT JOIN ${SCHEMA}.link l ON l.place = p.number AND l.external_id = o.id::text
       LEFT JOIN ${SCHEMA}."r_Contact" r ON r.accord_id = l.record_id
       WHERE NOT o.deleted GROUP BY o.id, o.email`,
      [name],
    );
    for (const { id, email, links, stands_for: standsFor, is_dead: isDead } of rows) {
      if (links !== 1 || isDead) faults.push(`${name} ${id} has ${links} links${isDead ? ", a dead one" : ""}`);
      else if (standsFor !== email) faults.push(`${name} ${id} is ${email} and stands for ${standsFor}`);
    }
    const { rows: positions } = await pool.query(
      `SELECT (SELECT max(change) FROM outside.${name})::int AS last, s.cursor::text::int AS read, s.through
       FROM ${SCHEMA}.source_position s WHERE s.pipeline_id = $1 AND s.node_id = $2`,
      [ENTITY, `source-${name}`],
    );
    const [position] = positions;
    if (!position?.through || position.read !== position.last)
      faults.push(`${name} was read until ${position?.read} of ${position?.last}`);
  }
  const { rows: shared } = await pool.query(
    `SELECT record_id, place, count(*)::int AS count FROM ${SCHEMA}.link WHERE NOT dead
     GROUP BY record_id, place HAVING count(*) > 1`,
  );
  for (const { record_id: recordId, place, count } of shared) faults.push(`${recordId} has ${count} links at ${place}`);
  const { rows: open } = await pool.query(`SELECT place, record_id, intent, parked FROM ${SCHEMA}.delivery`);
  for (const row of open) faults.push(`still to be told: ${JSON.stringify(row)}`);
  return faults;
}
