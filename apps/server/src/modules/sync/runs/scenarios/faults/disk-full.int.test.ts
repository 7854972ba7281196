/** The disk of a real PostgreSQL fills up while a pipeline runs: nothing half is kept, and all goes on once there is room. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { findViolations } from "../../../../../../test-kit/sync-world/sync-books.ts";
import { makeSyncWorld } from "../../../../../../test-kit/sync-world/sync-world.ts";
import {
  endLeases,
  converged,
  insertContact,
  ledgerFaults,
  settled,
  Workers,
} from "../../../../../../test-kit/sync-world/sync-workers.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { applyMigrations, readMigrations } from "../../../../../platform/db/migrations.ts";
import { openDatabases } from "../../../../../platform/db/open.ts";
import { makeLog } from "../../../../../platform/log/log.ts";

const LONG_TIMEOUT = { timeout: 300_000 };
const CONTACTS = 3_000;
const MEGABYTE = 1024 * 1024;

interface Disk {
  folder: string;
  fill: (pool: Pool) => Promise<void>;
  makeRoom: (pool: Pool) => Promise<void>;
  remove: () => void;
}

/** A disk of its own, where this machine lets us have one; else PostgreSQL says of itself that its disk is full. */
function openDisk(): Disk {
  const folder = mkdtempSync(join(tmpdir(), "accord-disk-"));
  const ballast = join(folder, "ballast");
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256m,mode=755", "tmpfs", folder], { stdio: "ignore" });
  } catch {
    chmodSync(folder, 0o755);
    return { folder, fill: sayFull, makeRoom: sayFree, remove };
  }
  return {
    folder,
    fill: async () => fillUp(ballast),
    makeRoom: async () => rmSync(ballast, { force: true }),
    remove: () => {
      execFileSync("umount", ["-l", folder]);
      remove();
    },
  };
}

function fillUp(ballast: string): void {
  for (const size of [4 * MEGABYTE, MEGABYTE / 8, 4096]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
    }
  }
}

/** Tables of the pipeline, and the systems it writes to. */
const TABLES = `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
                WHERE schemaname LIKE 'i\\_%' OR schemaname = 'outside'`;

/** Every write of the pipeline is refused with the error class of a full disk, by PostgreSQL itself. */
async function sayFull(pool: Pool): Promise<void> {
  await pool.query(`CREATE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`);
  for (const { name } of (await pool.query(TABLES)).rows) {
    await pool.query(`CREATE TRIGGER full_disk BEFORE INSERT OR UPDATE ON ${name}
      FOR EACH STATEMENT EXECUTE FUNCTION public.refuse()`);
  }
}

async function sayFree(pool: Pool): Promise<void> {
  for (const { name } of (await pool.query(TABLES)).rows) await pool.query(`DROP TRIGGER full_disk ON ${name}`);
}

/** What PostgreSQL answers to more than a few bytes: null when it takes them. */
async function refusal(pool: Pool): Promise<string | null> {
  try {
    await pool.query(`INSERT INTO outside.ballast SELECT repeat(md5(i::text), 100) FROM generate_series(1, 3000) i`);
    await pool.query("TRUNCATE outside.ballast");
    return null;
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : "no answer";
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100);
}

test(
  "[F9] a full disk: pipelines stop writing, keep nothing half, and go on by themselves once there is room",
  LONG_TIMEOUT,
  async () => {
    const disk = openDisk();
    const databases = await openDatabases({ home: disk.folder }, makeLog({ logLevel: "silent" }));
    const { pool, url } = databases.data;
    const workers = new Workers(url);
    try {
      await applyMigrations(pool, await readMigrations("data"));
      await makeSyncWorld(pool);
      await pool.query("CREATE TABLE outside.ballast (text text)");
      await insertContact(pool, "a", "first@example.com", "a");
      await workers.start();
      await settled(pool, 2);

      await pool.query(
        `INSERT INTO outside.a (email, name, phone, note)
         SELECT 'p' || i || '@example.com', 'name ' || i, 'phone ' || i, repeat('note ', 40) FROM generate_series(1, $1) i`,
        [CONTACTS],
      );
      await disk.fill(pool);
      // Refused again and again, while the worker keeps trying.
      const refusals: string[] = [];
      await until(async () => {
        await pool.query("NOTIFY accord_sync").catch(() => {});
        const code = await refusal(pool);
        if (code !== null) refusals.push(code);
        return refusals.length >= 20;
      });
      expect(refusals).toContain("53100");

      await disk.makeRoom(pool);
      await until(async () => (await refusal(pool)) === null);
      await endLeases(pool);
      await settled(pool, 3);
      expect((await converged(pool)).size).toBe(CONTACTS + 1);
      expect(await ledgerFaults(pool)).toEqual([]);
      expect(await findViolations(pool)).toEqual([]);
    } finally {
      await workers.killAll();
      await databases.close();
      disk.remove();
    }
  },
);
