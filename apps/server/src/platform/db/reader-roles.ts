/**
 * A role for each instance that may read the records of that instance and nothing else. Analytics runs as it: a statement
 * that got past everything else still sees no other tenant, no history, no configuration.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { instanceSchema, type Client, type Pool } from "./db.ts";
import { transaction } from "./transaction.ts";

/** Any number, the same in every version: servers that make roles at once take turns. */
const LOCK = 4_212_025_114;
/** First version in which a role's maker may not become it without more ado. */
const SET_OPTION_VERSION = 16;
const ATTEMPTS = 5;
/** Made, changed or dropped by somebody else in between. */
const MEANWHILE: ReadonlySet<string> = new Set(["42710", "23505", "42704", "XX000"]);

/** Roles belong to the whole PostgreSQL server; ids of instances are unique there too. */
export const readerRole = (instanceId: string): string => `accord_reader_${instanceSchema(instanceId).slice(2)}`;

/** SQL that lets the reader see a table of records, which `table` names quoted; nothing where there is no reader. */
export const grantToReader = (instanceId: string, table: string): string =>
  `DO $reader$ BEGIN
     IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${readerRole(instanceId)}') THEN
       GRANT SELECT ON ${table} TO ${readerRole(instanceId)};
     END IF;
   END $reader$`;

/** Whether the server's own role may make roles. Where it may not, analytics runs as that role. */
export async function mayMakeReaders(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>(
    "SELECT rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user",
  );
  return rows[0]?.may ?? false;
}

/** Makes the reader of an instance whose schema exists, or brings it up to date. False where roles can't be made. */
export async function ensureReader(pool: Pool, instanceId: string): Promise<boolean> {
  if (!(await mayMakeReaders(pool))) return false;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeReader(pool, instanceId);
      return true;
    } catch (error) {
      // A copy of this database on the same server may be making the same role in this very moment: no lock reaches there.
      if (attempt === ATTEMPTS || !MEANWHILE.has(codeOf(error))) throw error;
      await sleep(20 * attempt);
    }
  }
}

async function makeReader(pool: Pool, instanceId: string): Promise<void> {
  await transaction(pool, async ({ client }) => {
    await client.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    await makeRole(client, readerRole(instanceId));
    const schema = instanceSchema(instanceId);
    await client.query(`GRANT USAGE ON SCHEMA "${schema}" TO ${readerRole(instanceId)}`);
    const { rows } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname LIKE 'r\\_%' AND NOT has_table_privilege($2, c.oid, 'SELECT')`,
      [schema, readerRole(instanceId)],
    );
    for (const { name } of rows) await client.query(`GRANT SELECT ON ${name} TO ${readerRole(instanceId)}`);
  });
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

/** After the instance's schema is gone. */
export async function dropReader(pool: Pool, instanceId: string): Promise<void> {
  if (await mayMakeReaders(pool)) await pool.query(`DROP ROLE IF EXISTS ${readerRole(instanceId)}`);
}

async function makeRole(client: Client, role: string): Promise<void> {
  const { rows } = await client.query<{ exists: boolean; major: number }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists,
            current_setting('server_version_num')::integer / 10000 AS major`,
    [role],
  );
  const canChoose = (rows[0]?.major ?? 0) >= SET_OPTION_VERSION;
  if (!rows[0]?.exists) await client.query(`CREATE ROLE ${role} NOLOGIN NOINHERIT`);
  const isMember = await client.query<{ member: boolean }>(
    `SELECT pg_has_role(current_user, $1, '${canChoose ? "SET" : "MEMBER"}') AS member`,
    [role],
  );
  if (isMember.rows[0]?.member) return;
  await client.query(`GRANT ${role} TO CURRENT_USER${canChoose ? " WITH INHERIT FALSE, SET TRUE" : ""}`);
}
