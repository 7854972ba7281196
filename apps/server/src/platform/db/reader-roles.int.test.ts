/** T1: statements of analytics see the records of their own instance, whatever they say, and nothing else. */
import { getHealth } from "@accord/contracts/operations/health";
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { postgresEngine } from "../../modules/insights/engine/index.ts";
import { healthModule } from "../../modules/operations/health/index.ts";
import { makeDeals } from "../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { instanceSchema } from "./db.ts";
import { makeLog } from "../log/log.ts";
import { migrate } from "./migrations.ts";
import { ensureReader, mayMakeReaders, readerRole } from "./reader-roles.ts";

const OPTIONS = {
  timeoutMs: 30_000,
  parallel: 3,
  parallelPerInstance: 3,
  workMemMb: 16,
  waiting: 10,
  maxBytes: 100_000,
  allowsSql: true,
};
let t: TestApp;
let own = "";
let siblings = "";

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"] });
  const sibling = await t.build.instance();
  await makeDeals(t, t);
  await makeDeals(t, { organisationId: t.organisationId, instanceId: sibling });
  own = await dealsOf(t.instanceId);
  siblings = await dealsOf(sibling);
});

async function dealsOf(instanceId: string): Promise<string> {
  const { rows } = await t.deps.dataPool.query(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_Deal%'",
    [instanceSchema(instanceId)],
  );
  return rows[0].name;
}

/** What the analytics engine answers to any SQL that gives a column `n`. */
const ask = (text: string, pool = t.deps.dataPool) =>
  postgresEngine(pool, OPTIONS).run({
    instanceId: t.instanceId,
    statement: { text, params: [], cells: [{ name: "n", type: "plain" }] } as never,
    columns: [],
    caller: { client: "somebody", signal: new AbortController().signal },
  });

test("[T1] analytics reads the records of its instance", async () => {
  expect((await ask(`SELECT count(*)::int AS n FROM ${own}`)).rows).toEqual([{ n: 4 }]);
});

test.each([
  ["a sibling's records", () => `SELECT amount AS n FROM ${siblings}`],
  ["its instance's history", () => `SELECT changes AS n FROM "${instanceSchema(t.instanceId)}".ledger`],
  ["its instance's quarantine", () => `SELECT payload AS n FROM "${instanceSchema(t.instanceId)}".quarantine`],
  ["what all instances share", () => "SELECT name AS n FROM public.migration"],
])("[T1] not %s", async (_what, text) => {
  await expect(ask(text())).rejects.toThrow(/permission denied/);
});

test("[T1] a statement can't be followed by another one that gives the role back", async () => {
  const escape = `SELECT 1 AS n) AS answer; RESET ROLE; SELECT n FROM (SELECT amount AS n FROM ${siblings}`;
  await expect(ask(escape)).rejects.toThrow(/multiple commands/);
});

test("an entity that is published later is readable too", async () => {
  await makeDeals(t, t);
  const { rows } = await t.deps.dataPool.query(
    `SELECT count(*)::int AS n FROM pg_tables WHERE schemaname = $1 AND tablename LIKE 'r\\_%'
       AND NOT has_table_privilege($2, format('%I.%I', schemaname, tablename), 'SELECT')`,
    [instanceSchema(t.instanceId), readerRole(t.instanceId)],
  );
  expect(rows[0].n).toBe(0);
});

test("an installation without readers gets them when the server starts", async () => {
  const { appPool, dataPool } = t.deps;
  await dataPool.query(
    `REVOKE ALL ON ALL TABLES IN SCHEMA "${instanceSchema(t.instanceId)}" FROM ${readerRole(t.instanceId)}`,
  );
  await dataPool.query(`REVOKE ALL ON SCHEMA "${instanceSchema(t.instanceId)}" FROM ${readerRole(t.instanceId)}`);
  await dataPool.query(`DROP ROLE ${readerRole(t.instanceId)}`);
  await migrate({ appPool, dataPool });
  expect((await ask(`SELECT count(*)::int AS n FROM ${own}`)).rows).toEqual([{ n: 4 }]);
  await expect(ask(`SELECT amount AS n FROM ${siblings}`)).rejects.toThrow(/permission denied/);
});

test("where the owner may not make roles it works without readers; health tells which of the two it is", async () => {
  expect(await t.anonymous.call(getHealth)).toEqual({ status: "ok" });
  const role = `plain_${t.deps.newId()}`;
  const { dataPool } = t.deps;
  await dataPool.query(`CREATE ROLE ${role} NOLOGIN`);
  await dataPool.query(`GRANT ${role} TO CURRENT_USER`).catch(() => {});
  const { rows } = await dataPool.query("SELECT current_setting('server_version_num')::int >= 160000 AS is_newer");
  if (rows[0].is_newer) await dataPool.query(`GRANT ${role} TO CURRENT_USER WITH SET TRUE`);
  await dataPool.query(`GRANT SELECT ON ${own}, public.migration TO ${role}`);
  const { rows: schemas } = await dataPool.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'i\\_%'");
  for (const { nspname } of schemas)
    await dataPool.query(
      `GRANT USAGE ON SCHEMA "${nspname}" TO ${role}; GRANT SELECT ON "${nspname}".migration TO ${role}`,
    );
  const { connectionString } = dataPool.options;
  const plain = new pg.Pool({ connectionString, max: 2, options: `-c role=${role}` });
  try {
    expect(await mayMakeReaders(plain)).toBe(false);
    expect(await ensureReader(plain, t.instanceId)).toBe(false);
    expect((await ask(`SELECT count(*)::int AS n FROM ${own}`, plain)).rows).toEqual([{ n: 4 }]);
    const lines: string[] = [];
    const log = makeLog({ logLevel: "warn", destination: { write: (line) => void lines.push(line) } });
    const health = healthModule({ ...t.deps, dataPool: plain, log });
    await health.start?.();
    expect(lines.join()).toContain("CREATEROLE");
    const answer = await health.routes
      ?.find(({ endpoint }) => endpoint === getHealth)
      ?.handle({} as never, {} as never);
    expect(answer).toEqual({ status: "ok", warnings: ["analytics_not_isolated"] });
  } finally {
    await plain.end();
    await dataPool.query(`REVOKE ALL ON ${own}, public.migration FROM ${role}`);
    for (const { nspname } of schemas)
      await dataPool.query(
        `REVOKE ALL ON "${nspname}".migration FROM ${role}; REVOKE ALL ON SCHEMA "${nspname}" FROM ${role}`,
      );
    await dataPool.query(`DROP ROLE ${role}`);
  }
});
