/** A first load costs the same for each record, whatever the planner's statistics were when it began. */
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../../test-kit/sync-world/new-sync-world.ts";
import { runOneCycle } from "../../../../../../test-kit/sync-world/sync-cycle.ts";
import { editOutside, INSTANCE, syncWorldNeeds } from "../../../../../../test-kit/sync-world/sync-world.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { systemClock } from "../../../../../platform/clock.ts";
import { makeNewId } from "../../../../../platform/ids.ts";
import { makeLog } from "../../../../../platform/log/log.ts";

const RECORDS = 2_500;
const TABLES = ["link", "delivery"];

/** Index entries and rows that statements looked at in these tables so far. */
async function looked(pool: Pool): Promise<number> {
  await pool.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await pool.query(
    `SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::float8 AS count FROM pg_stat_user_tables
     WHERE schemaname = $1 AND relname = ANY ($2)`,
    [`i_${INSTANCE}`, TABLES],
  );
  return rows[0].count;
}

test("what a delivery of a first load looks at does not grow with the load", { timeout: 240_000 }, async () => {
  const pool = await newSyncWorld();
  await editOutside(
    pool,
    "a",
    "INSERT INTO $table (email, name) SELECT i || '@example.com', 'a' FROM generate_series(1, $1) i",
    [RECORDS],
  );
  const needs = syncWorldNeeds(pool);
  const { openConnection } = needs.connectors;
  let isAnalysed = false;
  needs.connectors.openConnection = async (...at) => {
    const connection = await openConnection(...at);
    return {
      ...connection,
      async write(request) {
        // As autovacuum does when it comes at an awkward moment: the destination has no links yet.
        if (!isAnalysed) await pool.query("ANALYZE");
        isAnalysed = true;
        return (await connection.write?.(request)) ?? [];
      },
    };
  };
  const before = await looked(pool);
  const world = { pool, needs, log: makeLog({ logLevel: "silent" }), newId: makeNewId(systemClock) };
  const summary = await runOneCycle(world);
  expect(Object.values(summary.counts.delivered)).toEqual([RECORDS]);
  // Each record is looked at a few times: read, claimed, settled.
  expect(((await looked(pool)) - before) / RECORDS).toBeLessThan(60);
});
