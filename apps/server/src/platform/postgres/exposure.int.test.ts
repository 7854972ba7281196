/** What others may do on an external PostgreSQL server is said, with the SQL that ends it; and that SQL does. */
import { getDatabaseProtection, getHealth } from "@accord/contracts/operations/health";
import { beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { makeLog } from "../log/log.ts";

const lines: { msg: string; sql?: string; database?: string }[] = [];
let t: TestApp;

beforeAll(async () => {
  const log = makeLog({ logLevel: "warn", destination: { write: (line) => void lines.push(JSON.parse(line)) } });
  const external = "postgres://accord@database.example/accord";
  t = await testApp({ roles: ["web", "worker"], log, config: { databaseUrl: external, dataDatabaseUrl: external } });
});

test("an open database is named at the start, by the health and on the settings' page, until its owner has closed it", async () => {
  const { exposures } = await t.as("SUPER_ADMIN").call(getDatabaseProtection);
  expect(exposures).toMatchObject([
    { isOpen: true, dangerousFunctions: expect.any(Number) },
    { isOpen: true, dangerousFunctions: expect.any(Number) },
  ]);
  for (const { database, sql } of exposures) {
    expect(sql).toContain(`REVOKE CONNECT, TEMPORARY ON DATABASE "${database}" FROM PUBLIC;`);
    expect(sql).toContain("pg_terminate_backend");
    expect(lines.find((line) => line.database === database)?.sql).toBe(sql);
  }
  expect((await t.anonymous.call(getHealth)).warnings).toContain("database_open");

  // As the databases' owner, which is no superuser here: that closes the databases, and leaves the functions.
  const pools = [t.deps.appPool, t.deps.dataPool];
  for (const [index, { sql }] of exposures.entries()) await pools[index]?.query(sql);
  const after = await t.as("SUPER_ADMIN").call(getDatabaseProtection);
  expect(after.exposures.map(({ isOpen }) => isOpen)).toEqual([false, false]);
  for (const { sql } of after.exposures) expect(sql).not.toContain("ON DATABASE");
  // The server itself goes on: it may still do all of it.
  await t.deps.dataPool.query("SELECT pg_advisory_lock(1), pg_advisory_unlock(1), pg_notify('nobody', '')");
});

test("where the server runs its own PostgreSQL nothing is said, and only super administrators are told", async () => {
  const own = await testApp();
  expect(await own.as("SUPER_ADMIN").call(getDatabaseProtection)).toEqual({ exposures: [] });
  await expect(own.as("ORG_ADMIN").call(getDatabaseProtection)).rejects.toMatchObject({ status: 403 });
});
