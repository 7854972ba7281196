/** Fresh databases for a test: copies of a template that has all migrations, made in a moment and dropped afterwards. */
import { createHash } from "node:crypto";
import pg from "pg";
import { type Database, openDatabase } from "../../src/platform/db/db.ts";
import { applyMigrations, readMigrations } from "../../src/platform/db/migrations.ts";
import { withClient } from "../../src/platform/db/transaction.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { isAlive } from "../../src/platform/postgres/process-identity.ts";
import { testClusterUrl, withTestLock } from "./test-cluster.ts";

export interface TestDatabase {
  appUrl: string;
  dataUrl: string;
  app: Database;
  data: Database;
  /**
   * Closes both pools, checks that the test left no other connection open, and drops the databases.
   * @throws Error naming what was left open (after dropping).
   */
  drop(): Promise<void>;
}

const TEMPLATES_KEPT = 4;
const CONNECTIONS = 8;
const log = makeLog({ logLevel: "warn" });
/** All databases of one test run carry its number, so that the end of the run can find forgotten ones. */
const RUN = process.env["ACCORD_TEST_RUN"] ?? String(process.pid);
let count = 0;
let template: Promise<string> | undefined;
let maintenance: Promise<pg.Pool> | undefined;

/** A pair of databases of your own, with every migration applied and no rows. Call `drop()`, as with `onTestFinished(database.drop)`. */
export async function testDatabase(): Promise<TestDatabase> {
  const name = `x_${RUN}_${process.pid}_${++count}`;
  const source = await (template ??= prepareTemplate());
  const admin = await admins();
  // Files copied as they are: the other strategy writes each page ahead as well.
  await Promise.all(
    ["app", "data"].map((part) =>
      admin.query(`CREATE DATABASE ${name}_${part} TEMPLATE ${source}_${part} STRATEGY FILE_COPY`),
    ),
  );
  const appUrl = await testClusterUrl(`${name}_app`);
  const dataUrl = await testClusterUrl(`${name}_data`);
  const app = openDatabase({ url: appUrl, name: "test-app", connections: CONNECTIONS, log });
  const data = openDatabase({ url: dataUrl, name: "test-data", connections: CONNECTIONS, log });
  let dropped: Promise<void> | undefined;
  const drop = () => (dropped ??= closeAndDrop(name, app, data));
  return { appUrl, dataUrl, app, data, drop };
}

/** Makes the template of the present migrations, if a run before this one didn't. */
export async function prepareTemplate(): Promise<string> {
  const [app, data, instance] = await Promise.all([
    readMigrations("app"),
    readMigrations("data"),
    readMigrations("instance"),
  ]);
  const state = [...app, ...data, ...instance].map(({ name, checksum }) => `${name} ${checksum}`).join("\n");
  const name = `t_${createHash("sha256").update(state).digest("hex").slice(0, 16)}`;
  // Entering the cluster takes the lock too: do it before, not inside.
  const admin = await admins();
  await withTestLock(async () => {
    const existing = await databasesLike("t_%");
    if (existing.includes(`${name}_data`)) return;
    await dropAll([`${name}_app`, ...existing.slice(0, -2 * TEMPLATES_KEPT)]);
    // `_data` is renamed into place last: a template exists as a whole or not at all.
    for (const [part, migrations] of [
      ["app", app],
      ["data", data],
    ] as const) {
      const unfinished = `u_${name}_${part}`;
      await dropAll([unfinished]);
      await admin.query(`CREATE DATABASE ${unfinished} TEMPLATE template0 ENCODING 'UTF8'`);
      const made = openDatabase({ url: await testClusterUrl(unfinished), name: "template", connections: 2, log });
      await applyMigrations(made.pool, migrations).finally(made.close);
      await untilUnused([unfinished]);
      await admin.query(`ALTER DATABASE ${unfinished} RENAME TO ${name}_${part}`);
    }
  });
  return name;
}

/** Drops what tests of runs that are over left behind, and answers the names left by this one. */
export async function sweepTestDatabases(): Promise<string[]> {
  const left = await databasesLike("x_%");
  const runOf = (name: string) => Number(name.split("_")[1]);
  const own = left.filter((name) => runOf(name) === Number(RUN));
  await dropAll([...own, ...left.filter((name) => !isAlive(runOf(name)))]);
  const { rows } = await (
    await admins()
  ).query<{ rolname: string }>("SELECT rolname FROM pg_roles WHERE rolname LIKE 'accord\\_reader\\_%'");
  await dropReaders(rows.map(({ rolname }) => rolname));
  return own;
}

/** Ends this process's own connections to the shared cluster. */
export async function closeTestDatabases(): Promise<void> {
  const open = await maintenance;
  maintenance = undefined;
  await open?.end();
}

async function admins(): Promise<pg.Pool> {
  maintenance ??= testClusterUrl("postgres").then((connectionString) => {
    const pool = new pg.Pool({ connectionString, max: 2, allowExitOnIdle: true, idleTimeoutMillis: 1_000 });
    // The last run stops PostgreSQL while idle connections are still closing.
    pool.on("error", () => {});
    return pool;
  });
  return maintenance;
}

async function closeAndDrop(name: string, app: Database, data: Database): Promise<void> {
  const names = [`${name}_app`, `${name}_data`];
  await Promise.all([app.close(), data.close()]);
  const open = await untilUnused(names);
  await dropAll(names);
  if (open.length > 0) throw new Error(`The test left database connections open:\n${open.join("\n")}`);
}

/** A closed connection takes a moment to disappear. Answers what is still open after some seconds: one that nobody closes stays for half a minute. */
async function untilUnused(names: readonly string[]): Promise<string[]> {
  const admin = await admins();
  return withClient(admin, async (client) => {
    for (let tries = 0; ; tries++) {
      const { rows } = await client.query<{ application_name: string; query: string }>(
        `SELECT application_name, query FROM pg_stat_activity
          WHERE datname = ANY($1) AND backend_type = 'client backend'`,
        [names],
      );
      if (rows.length === 0 || tries >= 500) return rows.map((row) => `  ${row.application_name}: ${row.query}`);
      await client.query("SELECT pg_sleep(0.01)");
    }
  });
}

async function dropAll(names: readonly string[]): Promise<void> {
  const admin = await admins();
  for (const name of names) await admin.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
}

/** Roles outlive their database. One that has rights in another database is in use there and stays. */
async function dropReaders(roles: readonly string[]): Promise<void> {
  const admin = await admins();
  for (const role of roles) await admin.query(`DROP ROLE IF EXISTS ${role}`).catch(() => {});
}

/** Oldest first. */
async function databasesLike(pattern: string): Promise<string[]> {
  const admin = await admins();
  const { rows } = await admin.query<{ datname: string }>(
    "SELECT datname FROM pg_database WHERE datname LIKE $1 ORDER BY oid",
    [pattern.replaceAll("_", "\\_")],
  );
  return rows.map((row) => row.datname);
}
