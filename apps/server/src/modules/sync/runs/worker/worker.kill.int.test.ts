/** Twenty workers killed with -9 under load: the systems agree in the end, and nothing happened twice. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { doublingFaults, expectReconciled, judgedSyncWorld } from "../../../../../test-kit/reconcile.ts";
import { findViolations } from "../../../../../test-kit/sync-world/sync-books.ts";
import { INSTANCE, makeSyncWorld } from "../../../../../test-kit/sync-world/sync-world.ts";
import {
  endLeases,
  converged,
  insertContact,
  ledgerFaults,
  renameContact,
  settled,
  Workers,
} from "../../../../../test-kit/sync-world/sync-workers.ts";
import type { Pool } from "../../../../platform/db/db.ts";

const KILLS = 20;
const CONTACTS = 120;
const LONG_TIMEOUT = { timeout: 300_000 };

const cutConnections = (pool: Pool): Promise<unknown> =>
  pool.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'sync-worker'");

test("[F1] [F13] twenty workers killed with -9 under load lose nothing and double nothing", LONG_TIMEOUT, async () => {
  const database = await testDatabase();
  const { pool } = database.data;
  const workers = new Workers(database.dataUrl);
  try {
    await makeSyncWorld(pool);
    for (let index = 0; index < CONTACTS; index += 1) {
      if (index < 80) await insertContact(pool, "a", `p${index}@example.com`, "a");
      if (index >= 40) await insertContact(pool, "b", `p${index}@example.com`, "b");
    }
    const expected = new Map<string, string>();
    let next = workers.start();
    for (let round = 0; round < KILLS; round += 1) {
      const worker = await next;
      // The one that will take over is there already, waiting for the lease.
      next = workers.start();
      for (let edit = 0; edit < 2; edit += 1) {
        // Known to one system only at first, so that nobody else edits it there.
        const index = (round * 2 + edit) % 40;
        const email = `p${index}@example.com`;
        await renameContact(pool, "a", email, `edit ${round}.${edit}`);
        expected.set(email, `edit ${round}.${edit}`);
      }
      await pool.query("UPDATE sync_pipeline SET poked = true, due_at = now()");
      await pool.query("NOTIFY accord_sync");
      // Somewhere else in the cycle each time.
      await sleep((round * 37) % 190);
      if (round % 5 === 4) await cutConnections(pool);
      await workers.kill(worker);
      await endLeases(pool);
      expect(await doublingFaults(judgedSyncWorld(pool))).toEqual([]);
      if (round % 10 === 9) {
        await settled(pool, 3);
        await expectReconciled(judgedSyncWorld(pool));
      }
    }
    await next;
    await settled(pool, 3);
    await expectReconciled(judgedSyncWorld(pool));

    const agreed = await converged(pool);
    expect(agreed.size).toBe(CONTACTS);
    const names = new Map([...expected.keys()].map((email) => [email, JSON.parse(agreed.get(email) ?? "[]")[0]]));
    expect(names).toEqual(expected);
    expect(await ledgerFaults(pool)).toEqual([]);
    expect(await findViolations(pool)).toEqual([]);
    const { rows } = await pool.query(`SELECT count(*)::int AS count FROM "i_${INSTANCE}".quarantine`);
    expect(rows[0].count).toBe(0);
  } finally {
    await workers.killAll();
    await database.drop();
  }
});
