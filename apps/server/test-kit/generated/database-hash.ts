/** A fingerprint of everything stored, to prove that a call changed nothing. */
import { createHash } from "node:crypto";
import type { Pool } from "../../src/platform/db/db.ts";
import type { TestApp } from "../test-app.ts";

/** Changes with every call by design: when somebody was last seen, how often they tried. */
const RESTLESS = new Set(["session", "throttle", "worker_heartbeat", "idempotency_key"]);

export async function databaseHash(t: TestApp): Promise<string> {
  const parts = await Promise.all([hashOf(t.deps.appPool), hashOf(t.deps.dataPool)]);
  return createHash("sha256").update(parts.join()).digest("hex");
}

/** The tables whose rows differ between two moments, for the message of a failing test. */
export async function tableHashes(pool: Pool): Promise<Map<string, string>> {
  const tables = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name
       FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema', 'pgboss')
      ORDER BY 1`,
  );
  const names = tables.rows.map((row) => row.name).filter((name) => !RESTLESS.has(name.replace(/^public\./, "")));
  if (names.length === 0) return new Map();
  const selects = names.map(
    (name, index) =>
      `SELECT ${index} AS i, md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) AS hash FROM ${name} t`,
  );
  const hashes = await pool.query<{ i: number; hash: string }>(`${selects.join(" UNION ALL ")} ORDER BY 1`);
  return new Map(hashes.rows.map((row) => [names[row.i] ?? "", row.hash]));
}

async function hashOf(pool: Pool): Promise<string> {
  return JSON.stringify([...(await tableHashes(pool))]);
}
