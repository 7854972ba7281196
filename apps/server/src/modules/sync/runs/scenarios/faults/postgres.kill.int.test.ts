/** PostgreSQL killed with -9 five times while pipelines run: they go on by themselves, and the systems agree in the end. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { expectReconciled, judgedSyncWorld } from "../../../../../../test-kit/reconcile.ts";
import { findViolations } from "../../../../../../test-kit/sync-world/sync-books.ts";
import { makeSyncWorld } from "../../../../../../test-kit/sync-world/sync-world.ts";
import {
  endLeases,
  converged,
  insertContact,
  ledgerFaults,
  renameContact,
  settled,
  Workers,
} from "../../../../../../test-kit/sync-world/sync-workers.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { applyMigrations, readMigrations } from "../../../../../platform/db/migrations.ts";
import { openDatabases } from "../../../../../platform/db/open.ts";
import { makeLog } from "../../../../../platform/log/log.ts";
import { runningPostmaster } from "../../../../../platform/postgres/cluster.ts";
import { waitForEnd } from "../../../../../platform/postgres/process-identity.ts";

const KILLS = 5;
const CONTACTS = 60;
const LONG_TIMEOUT = { timeout: 300_000 };

async function killPostgres(dataFolder: string): Promise<void> {
  let pid = runningPostmaster(dataFolder);
  for (; pid === undefined; pid = runningPostmaster(dataFolder)) await sleep(20);
  process.kill(pid, "SIGKILL");
  await waitForEnd(pid, 5_000);
}

/** Until the database takes connections again. */
async function untilBack(pool: Pool): Promise<void> {
  for (;;) {
    try {
      await pool.query("SELECT 1");
      return;
    } catch {
      await sleep(50);
    }
  }
}

/** Settled, with no system left that is waited for since it failed: what was entered there would not have been read. */
async function settledWithAll(pool: Pool): Promise<void> {
  const isWaiting = async (): Promise<boolean> =>
    ((await pool.query("SELECT FROM sync_pipeline WHERE failures <> '{}'")).rowCount ?? 0) > 0;
  for (let tries = 0; tries < 20; tries += 1) {
    await settled(pool, 3);
    if (!(await isWaiting())) return;
  }
  throw new Error("a system was not tried again");
}

test(
  "[F2] PostgreSQL killed with -9 under load five times: pipelines go on, nothing is lost or doubled",
  LONG_TIMEOUT,
  async () => {
    const home = mkdtempSync(join(tmpdir(), "accord-kill-"));
    chmodSync(home, 0o755);
    const databases = await openDatabases({ home }, makeLog({ logLevel: "silent" }));
    const { pool, url } = databases.data;
    const workers = new Workers(url);
    try {
      await applyMigrations(pool, await readMigrations("data"));
      await makeSyncWorld(pool);
      for (let index = 0; index < CONTACTS; index += 1) {
        if (index < 40) await insertContact(pool, "a", `p${index}@example.com`, "a");
        if (index >= 20) await insertContact(pool, "b", `p${index}@example.com`, "b");
      }
      await workers.start();
      for (let round = 0; round < KILLS; round += 1) {
        await renameContact(pool, "a", `p${round}@example.com`, `edit ${round}`);
        await pool.query("UPDATE sync_pipeline SET poked = true, due_at = now()");
        await pool.query("NOTIFY accord_sync");
        await sleep((round * 37) % 150);
        await killPostgres(join(home, "postgres/data"));
        await untilBack(pool);
        await endLeases(pool);
        await settledWithAll(pool);
        await expectReconciled(judgedSyncWorld(pool));
      }
      await settledWithAll(pool);

      const agreed = await converged(pool);
      expect(agreed.size).toBe(CONTACTS);
      for (let round = 0; round < KILLS; round += 1) {
        expect(JSON.parse(agreed.get(`p${round}@example.com`) ?? "[]")[0]).toBe(`edit ${round}`);
      }
      expect(await ledgerFaults(pool)).toEqual([]);
      expect(await findViolations(pool)).toEqual([]);
    } finally {
      await workers.killAll();
      await databases.close();
      rmSync(home, { recursive: true, force: true });
    }
  },
);
