/** The PostgreSQL that all tests share: started by the first run that needs it, stopped by the last one. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { chooseAccount } from "../../src/platform/postgres/account.ts";
import { packagedBinaries, systemBinaries } from "../../src/platform/postgres/binaries.ts";
import {
  type Cluster,
  makeCluster,
  runningPostmaster,
  socketUrl,
  startPostmaster,
  stopPostmaster,
} from "../../src/platform/postgres/cluster.ts";
import { DataDirInUseError, lockHome } from "../../src/platform/postgres/home-lock.ts";
import { resolveDataDir } from "../../src/platform/postgres/data-dir.ts";
import { isAlive } from "../../src/platform/postgres/process-identity.ts";
import { ensureRole } from "../../src/platform/postgres/role.ts";

/** `packaged` (PostgreSQL 18 of the packages) or `system` (the newest one installed on this machine). */
const KIND = process.env["ACCORD_TEST_POSTGRES"] === "system" ? "system" : "packaged";
const CHECKOUT = createHash("sha256")
  .update(import.meta.dirname)
  .digest("hex")
  .slice(0, 8);
const FOLDER = join(tmpdir(), `accord-test-${KIND}-${process.getuid?.() ?? 0}-${CHECKOUT}`);
/** Guards nothing but throw-away data behind a private socket. */
const PASSWORD = "test";
const ROLE = { name: "accord", password: PASSWORD };

let prepared: Promise<Cluster> | undefined;

/** Address of a database of the shared cluster, which runs when this resolves and as long as this process lives. */
export async function testClusterUrl(database: string): Promise<string> {
  prepared ??= enter();
  return socketUrl(await prepared, database, ROLE);
}

/** The same as its superuser, for what the owner of the databases may not do. */
export async function testSuperuserUrl(database: string): Promise<string> {
  prepared ??= enter();
  return socketUrl(await prepared, database);
}

/** Folder with the PostgreSQL programs of the shared cluster, for tests that start a server of their own. */
export async function testPrograms(): Promise<string> {
  await testClusterUrl("postgres");
  return (await prepared)?.binaries.folder ?? "";
}

/** Gives up this process's claim; the last one stops PostgreSQL. Its files stay for the next run. */
export async function leaveTestCluster(): Promise<void> {
  if (!prepared) return;
  const cluster = await prepared;
  prepared = undefined;
  await withTestLock(async () => {
    rmSync(claimOf(process.pid), { force: true });
    const pid = runningPostmaster(cluster.place.dataFolder);
    if (pid !== undefined && livingClaims().length === 0) await stopPostmaster(pid);
  });
}

/** One process at a time, for work on what all tests share. */
export async function withTestLock<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      const unlock = lockHome(FOLDER);
      return await work().finally(unlock);
    } catch (error) {
      // Waiting for oneself would never end: no work under the lock may take it again.
      if (!(error instanceof DataDirInUseError) || error.pid === process.pid) throw error;
      await sleep(30);
    }
  }
}

async function enter(): Promise<Cluster> {
  return withTestLock(async () => {
    const cluster = await describeCluster();
    mkdirSync(join(FOLDER, "claims"), { recursive: true });
    writeFileSync(claimOf(process.pid), "");
    if (runningPostmaster(cluster.place.dataFolder) === undefined) {
      await makeCluster(cluster);
      const child = await startPostmaster(cluster);
      child.unref();
      await ensureRole(socketUrl(cluster, "postgres"), ROLE.name, ROLE.password);
    }
    return cluster;
  });
}

async function describeCluster(): Promise<Cluster> {
  mkdirSync(FOLDER, { recursive: true });
  const account = chooseAccount(join(FOLDER, "postgres/data"));
  const place = resolveDataDir(FOLDER, account);
  const binaries =
    KIND === "system" ? await systemBinaries() : await packagedBinaries(account, join(FOLDER, "programs"));
  if (!binaries) throw new Error("ACCORD_TEST_POSTGRES=system, but no PostgreSQL 15 or later is installed here.");
  return { place, binaries, account, superuser: { name: "postgres", password: PASSWORD }, unsafe: true };
}

const claimOf = (pid: number): string => join(FOLDER, "claims", String(pid));

function livingClaims(): number[] {
  const pids = readdirSync(join(FOLDER, "claims")).map(Number);
  for (const pid of pids) if (!isAlive(pid)) rmSync(claimOf(pid), { force: true });
  return pids.filter(isAlive);
}
