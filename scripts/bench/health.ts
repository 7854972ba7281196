/**
 * What one look at an instance's health asks the database, with 1,000,000 deliveries, refused values and records in
 * quarantine (or `--rows=N`); the limit is an empty question. A table of refused values that are over is timed as well.
 */
import { testDatabase } from "../../apps/server/test-kit/database/database.ts";
import { INSTANCE, makeSyncWorld } from "../../apps/server/test-kit/sync-world/sync-world.ts";
import { standingProblemsStore } from "../../apps/server/src/modules/sync/runs/monitoring/standing-problems.store.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const ROUNDS = 3;
const PIPELINE = "0123456789abcdef01234568";

export const measure: Measure = async (words, say) => {
  const rows = Number(words.find((word) => word.startsWith("--rows="))?.slice("--rows=".length) ?? 1_000_000);
  const database = await testDatabase();
  const { pool } = database.data;
  const schema = `"i_${INSTANCE}"`;
  try {
    await makeSyncWorld(pool);
    say(`  ${rows} rows in each table`);
    await pool.query(
      `INSERT INTO ${schema}.place (pipeline_id, connector_id, entity) VALUES ($1, 'a', 'contact'), ($1, 'b', 'contact')`,
      [PIPELINE],
    );
    const fill = [
      `INSERT INTO ${schema}.delivery (place, record_id, next_at)
       SELECT 2, lpad(n::text, 24, '0'), now() - make_interval(secs => n) FROM generate_series(1, $1::int) n`,
      // Half of them wait for what is delivered, half could not be read; as many again are resolved.
      `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, external_id, record_id, node_id, code, message)
       SELECT lpad(n::text, 24, '0'), '${PIPELINE}', 1 + n % 2, CASE n % 2 WHEN 0 THEN 'source' ELSE 'destination' END, 'OPEN',
         'x' || n, lpad((n + 20000)::text, 24, '0'), 'node', 'check_' || n % 5, 'It was refused.'
       FROM generate_series(1, $1::int) n`,
      `INSERT INTO ${schema}.link (place, external_id, record_id, seen_at)
       SELECT 1, 'x' || n, lpad(n::text, 24, '0'), now() FROM generate_series(1, $1::int) n`,
      `INSERT INTO ${schema}.ledger (entity, record_id, operation, place, external_id, refused)
       SELECT 1, lpad(n::text, 24, '0'), 'refuse', 1, 'x' || n, '{"phone":["twelve","not_convertible"]}'
       FROM generate_series(1, $1::int) n`,
    ];
    for (const statement of fill) await pool.query(statement, [rows]);
    await pool.query("VACUUM ANALYZE");
    const standing = standingProblemsStore(pool);
    const questions: [name: string, ask: () => Promise<unknown>][] = [
      ["causes of quarantine", () => standing.quarantineCauses(INSTANCE)],
      ["refused values", () => standing.refusedValues(INSTANCE)],
      ["deliveries", () => standing.deliveryCounts(INSTANCE)],
      ["quarantine of one pipeline", () => standing.openQuarantine(INSTANCE, PIPELINE)],
      ["causes that are over", () => standing.resolvedCauses(INSTANCE, [{ pipelineId: PIPELINE, code: "other" }])],
    ];
    const measured: Measurement[] = [];
    const add = async (name: string, ask: () => Promise<unknown>) => {
      const ours = await medianTime(ask);
      const limit = await medianTime(() => pool.query("SELECT 1"));
      say(`  ${name}: ${ours.toFixed(1)} ms`);
      measured.push({ name: `health: ${name}`, unit: "ms", better: "less", ours, limit, rssMb: peakRssMb() });
    };
    for (const [name, ask] of questions) await add(name, ask);
    await pool.query(`UPDATE ${schema}.link SET seen_at = now() + interval '1 hour'`);
    await pool.query(`VACUUM ANALYZE ${schema}.link`);
    await add("refused values, all of them over", () => standing.refusedValues(INSTANCE));
    return measured;
  } finally {
    await database.drop();
  }
};

async function medianTime(ask: () => Promise<unknown>): Promise<number> {
  await ask();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const began = performance.now();
    await ask();
    times.push(performance.now() - began);
  }
  return times.sort((one, other) => one - other)[ROUNDS >> 1] ?? NaN;
}
