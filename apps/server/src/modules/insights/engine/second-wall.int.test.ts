/** T16: with the gate switched off, what statements may do is bounded by the role, the transaction and the protocol. */
import { beforeAll, expect, test } from "vitest";
import { makeDeals } from "../../../../test-kit/fixtures/insights.ts";
import { testSuperuserUrl } from "../../../../test-kit/database/test-cluster.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { instanceSchema } from "../../../platform/db/db.ts";
import { lockDown } from "../../../platform/postgres/lock-down.ts";
import { postgresEngine } from "./postgres-engine.store.ts";

const OPTIONS = {
  timeoutMs: 1_500,
  parallel: 3,
  parallelPerInstance: 3,
  workMemMb: 4,
  waiting: 50,
  maxBytes: 100_000,
  allowsSql: true,
};
let t: TestApp;
let own = "";
let siblings = "";
let schema = "";

beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
  const sibling = await t.build.instance();
  await makeDeals(t, t);
  await makeDeals(t, { organisationId: t.organisationId, instanceId: sibling });
  schema = instanceSchema(t.instanceId);
  [own, siblings] = await Promise.all([dealsOf(t.instanceId), dealsOf(sibling)]);
  // As the embedded PostgreSQL is closed when it starts.
  const { rows } = await t.deps.dataPool.query("SELECT current_database() AS database, current_user AS owner");
  await lockDown(await testSuperuserUrl(rows[0].database), rows[0].owner);
}, 60_000);

async function dealsOf(instanceId: string): Promise<string> {
  const { rows } = await t.deps.dataPool.query<{ name: string }>(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_Deal%'",
    [instanceSchema(instanceId)],
  );
  return rows[0]?.name ?? "";
}

/** As the engine runs what the gate let through, with any text. */
const ask = (text: string) =>
  postgresEngine(t.deps.dataPool, OPTIONS).run({
    instanceId: t.instanceId,
    statement: { text, params: [], cells: [{ name: "n", type: "plain" }] },
    columns: [],
    caller: { client: "somebody", signal: new AbortController().signal },
  });

/** Before PostgreSQL 16 replication has words of its own for it. */
const DENIED = /permission denied|must be superuser or replication role/;
const SYNTAX = /syntax error|multiple commands|must be at the top level/;
const MISSING = /does not exist/;

const WORST: readonly (readonly [what: string, statement: () => string, refusal: RegExp])[] = [
  ["another instance's records", () => `SELECT amount AS n FROM ${siblings}`, DENIED],
  ["another instance's records, in a subquery", () => `SELECT (SELECT max(amount) FROM ${siblings}) AS n`, DENIED],
  [
    "another instance's records, by a join",
    () => `SELECT s.amount AS n FROM ${own} o JOIN ${siblings} s ON true`,
    DENIED,
  ],
  ["its instance's history", () => `SELECT changes AS n FROM "${schema}".ledger`, DENIED],
  ["its instance's quarantine", () => `SELECT payload AS n FROM "${schema}".quarantine`, DENIED],
  ["what all instances share", () => "SELECT name AS n FROM public.migration", DENIED],
  ["passwords of roles", () => "SELECT rolpassword AS n FROM pg_authid", DENIED],
  ["old passwords of roles", () => "SELECT passwd AS n FROM pg_shadow", DENIED],
  ["statistics of all columns", () => "SELECT stavalues1::text AS n FROM pg_statistic", DENIED],
  ["large objects", () => "SELECT data AS n FROM pg_largeobject", DENIED],
  ["files of settings", () => "SELECT sourcefile AS n FROM pg_file_settings", DENIED],
  ["the rules of hosts", () => "SELECT line_number AS n FROM pg_hba_file_rules", DENIED],
  ["another role", () => "SELECT set_config('role', 'none', true) AS n", DENIED],
  ["no timeout", () => "SELECT set_config('statement_timeout', '0', true) AS n", DENIED],
  ["writing", () => "SELECT set_config('transaction_read_only', 'off', true) AS n", DENIED],
  ["text as SQL", () => `SELECT query_to_xml('SELECT 1', true, true, '')::text AS n`, DENIED],
  ["a table as XML", () => `SELECT table_to_xml('pg_class'::regclass, true, true, '')::text AS n`, DENIED],
  ["a schema as XML", () => "SELECT schema_to_xml('pg_catalog', true, true, '')::text AS n", DENIED],
  ["the database as XML", () => "SELECT database_to_xml(true, true, '')::text AS n", DENIED],
  [
    "another instance through statistics of texts",
    () => `SELECT word AS n FROM ts_stat('SELECT to_tsvector(status) FROM ${siblings}')`,
    DENIED,
  ],
  ["sleeping", () => "SELECT pg_sleep(60)::text AS n", DENIED],
  ["sleeping for long", () => "SELECT pg_sleep_for('1 hour')::text AS n", DENIED],
  ["a lock that workers wait for", () => "SELECT pg_advisory_lock(1)::text AS n", DENIED],
  ["a lock for the transaction", () => "SELECT pg_advisory_xact_lock(1)::text AS n", DENIED],
  ["a message to browsers", () => "SELECT pg_notify('accord_realtime', 'x')::text AS n", DENIED],
  ["the end of other sessions", () => "SELECT pg_terminate_backend(pid) AS n FROM pg_stat_activity", DENIED],
  ["cancelling others", () => "SELECT pg_cancel_backend(pid) AS n FROM pg_stat_activity", DENIED],
  ["a file of the machine", () => "SELECT pg_read_file('/etc/passwd') AS n", DENIED],
  ["a folder of the machine", () => "SELECT pg_ls_dir('/') AS n", DENIED],
  ["the size of a file", () => "SELECT size AS n FROM pg_stat_file('/etc/passwd')", DENIED],
  ["a large object from a file", () => "SELECT lo_import('/etc/passwd') AS n", DENIED],
  ["a new large object", () => "SELECT lo_create(0) AS n", DENIED],
  ["a message in the log of changes", () => "SELECT pg_logical_emit_message(true, 'a', 'b')::text AS n", DENIED],
  ["reloading the settings", () => "SELECT pg_reload_conf() AS n", DENIED],
  ["a snapshot for others", () => "SELECT pg_export_snapshot() AS n", DENIED],
  ["a replication slot", () => "SELECT pg_create_physical_replication_slot('x')::text AS n", DENIED],
  ["another database", () => "SELECT n FROM dblink('dbname=app', 'SELECT 1') AS x (n int)", MISSING],
  ["a lock on rows", () => `SELECT amount AS n FROM ${own} FOR UPDATE`, /permission denied|read-only transaction/],
  [
    "a deletion in WITH",
    () => `WITH x AS (DELETE FROM ${own} RETURNING amount) SELECT amount AS n FROM x`,
    /top level|syntax error/,
  ],
  ["a deletion", () => `DELETE FROM ${own}`, SYNTAX],
  ["a new table", () => "CREATE TABLE x AS SELECT 1 AS n", SYNTAX],
  ["a program", () => "COPY (SELECT 1) TO PROGRAM 'id'", SYNTAX],
  ["code", () => "DO $$ BEGIN END $$", SYNTAX],
  [
    "a second statement",
    () => `SELECT 1 AS n) AS answer; RESET ROLE; SELECT n FROM (SELECT amount AS n FROM ${siblings}`,
    SYNTAX,
  ],
  [
    "more time than it may take",
    () => "SELECT count(*) AS n FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b",
    /query_timeout/,
  ],
  [
    "more bytes than it may answer",
    () => "SELECT repeat('x', 10000) AS n FROM generate_series(1, 1000)",
    /answer_too_large/,
  ],
];

test("[T16] the second wall is tried with at least 40 statements", () => {
  expect(WORST.length).toBeGreaterThanOrEqual(40);
});

test.each(WORST)("[T16] the database itself refuses %s", async (_what, statement, refusal) => {
  await expect(ask(statement())).rejects.toThrow(refusal);
});

test("[T16] no statement of them left anything behind, and the instance is still answered", async () => {
  expect((await ask(`SELECT count(*)::int AS n FROM ${own}`)).rows).toEqual([{ n: 4 }]);
});

test("[T16] a written statement takes 512 MB of the disk and no more", async () => {
  const rows = (count: number) =>
    `(SELECT repeat('x', 1000) || g AS x FROM generate_series(1, ${count}) g ORDER BY 1 OFFSET 0)`;
  const engine = postgresEngine(t.deps.dataPool, { ...OPTIONS, timeoutMs: 60_000 });
  const sorted = (count: number) =>
    engine.run({
      instanceId: t.instanceId,
      statement: {
        text: `SELECT count(*)::int AS n FROM (/* written */ SELECT x FROM ${rows(count)} q) w`,
        params: [],
        cells: [{ name: "n", type: "plain" }],
      },
      columns: [],
      caller: { client: "somebody", signal: new AbortController().signal },
    });
  expect((await sorted(100_000)).rows).toEqual([{ n: 100_000 }]);
  await expect(sorted(800_000)).rejects.toMatchObject({
    code: "dataset_invalid",
    cause: { message: expect.stringContaining("temp_file_limit") },
  });
}, 120_000);
