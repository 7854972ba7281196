/** Forward-only SQL migrations: what was applied is remembered with its checksum and never changes again. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client, Pool } from "./db.ts";
import { instanceSchema, instancesIn } from "./db.ts";
import { ensureReader } from "./reader-roles.ts";
import { transaction, withClient } from "./transaction.ts";

/** `app` and `data` run once in their database; `instance` runs in the schema of each instance in `data`. */
export type MigrationSet = "app" | "data" | "instance";

export interface Migration {
  /** File name without `.sql`: `0010-user`. */
  name: string;
  sql: string;
  checksum: string;
}

/** The database doesn't fit this version of Accord. The message says what to do. */
export class MigrationError extends Error {
  override name = "MigrationError";
}

const MIGRATIONS_FOLDER = join(import.meta.dirname, "../../../migrations");
const FILE_NAME = /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
/** Any number, the same in every version: two servers that start together take turns. */
const LOCK = 4_212_025_112;
const SCHEMA_PREFIX = "i_";

/** The migrations of one set in the order of their numbers. */
export async function readMigrations(set: MigrationSet, folder = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const files = (await readdir(join(folder, set))).filter((file) => file.endsWith(".sql")).sort();
  const odd = files.find((file) => !FILE_NAME.test(file));
  if (odd) throw new MigrationError(`${set}/${odd}: a migration is named like 0001-what-it-does.sql`);
  const twice = files.find((file, index) => file.slice(0, 4) === files[index - 1]?.slice(0, 4));
  if (twice) throw new MigrationError(`${set}/${twice}: another migration has the same number`);
  return Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(folder, set, file), "utf8")).replaceAll("\r\n", "\n");
      return { name: file.slice(0, -".sql".length), sql, checksum: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

/**
 * Applies what is missing, each migration in a transaction of its own together with its entry: after a crash one is
 * applied as a whole or not at all. A schema without any gets all of them in one transaction, which takes half the time.
 * Servers that start at the same time wait for each other.
 * @returns the names applied now.
 * @throws MigrationError when an applied migration was edited or is unknown to this version.
 */
export async function applyMigrations(
  pool: Pool,
  migrations: readonly Migration[],
  schema = "public",
): Promise<string[]> {
  const applied = await readApplied(pool, schema);
  const todo = pending(migrations, applied);
  const portions = applied.size === 0 ? [todo] : todo.map((migration) => [migration]);
  const done: string[] = [];
  for (const portion of portions) done.push(...(await applyTogether(pool, portion, schema)));
  return done;
}

/** In one transaction, what nobody else has applied meanwhile. */
async function applyTogether(pool: Pool, migrations: readonly Migration[], schema: string): Promise<string[]> {
  return transaction(pool, async ({ client }) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await prepareSchema(client, schema);
    const { rows } = await client.query<{ name: string }>("SELECT name FROM migration");
    const known = new Set(rows.map(({ name }) => name));
    const missing = migrations.filter(({ name }) => !known.has(name));
    for (const migration of missing) await runSql(client, migration);
    await client.query("INSERT INTO migration (name, checksum) SELECT * FROM unnest($1::text[], $2::text[])", [
      missing.map(({ name }) => name),
      missing.map(({ checksum }) => checksum),
    ]);
    return missing.map(({ name }) => name);
  });
}

/** Brings both databases and the schema of every instance up to date. Called once at start-up, before serving. */
export async function migrate(databases: { appPool: Pool; dataPool: Pool }): Promise<string[]> {
  const { appPool, dataPool } = databases;
  const done = [
    ...(await applyMigrations(appPool, await readMigrations("app"))),
    ...(await applyMigrations(dataPool, await readMigrations("data"))),
  ];
  const instance = await readMigrations("instance");
  for (const schema of await instanceSchemas(dataPool)) {
    done.push(...(await applyMigrations(dataPool, instance, schema)));
    await ensureReader(dataPool, schema.slice(SCHEMA_PREFIX.length));
  }
  return done;
}

/** Makes the schema of a new instance with all its tables, or brings an old one up to date. */
export async function migrateInstance(dataPool: Pool, instanceId: string): Promise<void> {
  const schema = instanceSchema(instanceId);
  await dataPool.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await applyMigrations(dataPool, await readMigrations("instance"), schema);
  await ensureReader(dataPool, instanceId);
}

/** Whether nothing is left to apply, for the health check. */
export async function migrationsAreCurrent(databases: { appPool: Pool; dataPool: Pool }): Promise<boolean> {
  const { appPool, dataPool } = databases;
  const missing = async (pool: Pool, set: MigrationSet, schema = "public") =>
    pending(await readMigrations(set), await readApplied(pool, schema)).length > 0;
  if ((await missing(appPool, "app")) || (await missing(dataPool, "data"))) return false;
  for (const schema of await instanceSchemas(dataPool)) {
    if (await missing(dataPool, "instance", schema)) return false;
  }
  return true;
}

const instanceSchemas = async (pool: Pool): Promise<string[]> => (await instancesIn(pool)).map(instanceSchema);

async function readApplied(pool: Pool, schema: string): Promise<Map<string, string>> {
  return withClient(pool, async (client) => {
    const table = await client.query("SELECT to_regclass($1) AS found", [`"${schema}".migration`]);
    if (table.rows[0].found === null) return new Map();
    const rows = await client.query<{ name: string; checksum: string }>(
      `SELECT name, checksum FROM "${schema}".migration`,
    );
    return new Map(rows.rows.map((row) => [row.name, row.checksum]));
  });
}

function pending(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): Migration[] {
  const known = new Set(migrations.map((migration) => migration.name));
  const unknown = [...applied.keys()].find((name) => !known.has(name));
  if (unknown) {
    throw new MigrationError(
      `The database was last used by a newer version of Accord (it has the migration ${unknown}). ` +
        "Start that version, or restore a backup made before it.",
    );
  }
  for (const { name, checksum } of migrations) {
    if (applied.has(name) && applied.get(name) !== checksum) {
      throw new MigrationError(
        `The migration ${name} was edited after it had been applied. Put its old text back and write a new migration.`,
      );
    }
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

async function prepareSchema(client: Client, schema: string): Promise<void> {
  // Reading the catalogue hears of what others made meanwhile; IF NOT EXISTS alone may still remember that there was none.
  const { rowCount } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = $1", [schema]);
  if (!rowCount) await client.query(`CREATE SCHEMA IF NOT EXISTS "${schema}"`);
  await client.query(`SET LOCAL search_path TO "${schema}", public`);
  await client.query(
    `CREATE TABLE IF NOT EXISTS "${schema}".migration (
       name text COLLATE "C" PRIMARY KEY,
       checksum text NOT NULL,
       applied_at timestamptz NOT NULL DEFAULT now()
     )`,
  );
}

async function runSql(client: Client, { name, sql }: Migration): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`The migration ${name} failed and left nothing behind: ${reason}`, { cause: error });
  }
}
