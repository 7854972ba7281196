/** `npm run reconcile` as an operator runs it: beside a stopped server, over 100,000 records in little memory. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Reconciliation } from "@accord/contracts/sync/reconciliation";
import { pausePipeline } from "@accord/contracts/sync/monitoring/runs";
import { type PersonPipeline, personPipeline } from "../../../../test-kit/systems/person-pipeline.ts";

const COMMAND = new URL("../../../../../../scripts/commands/reconcile.ts", import.meta.url);
const PEOPLE = 100_000;
/** Of the command with the whole server in it: the records of both systems alone would take more. */
const MEMORY_MB = 140;
const home = mkdtempSync(join(tmpdir(), "accord-reconcile-"));
const key = Buffer.alloc(32, 7);
let world: PersonPipeline;

beforeAll(async () => {
  world = await personPipeline(2, { masterKey: key });
  await world.t.as("SYNC_MANAGER").call(pausePipeline, { params: { entityId: world.entityId }, body: {} });
  await fill();
  writeFileSync(join(home, "master.key"), `test:${key.toString("base64")}\n`, { mode: 0o600 });
}, 240_000);
afterAll(() => {
  world?.close();
  rmSync(home, { recursive: true, force: true });
});

/** All people in the shop, the CRM and the core, tied to each other, without a cycle for each. */
async function fill(): Promise<void> {
  const { systems, schema, records, places } = world;
  const row = "'Name ' || i, 'p' || i || '@example.com', 'City ' || i % 7";
  for (const table of ["shop.person", "crm.contact"])
    await systems.sql(
      `INSERT INTO ${table} (id, name, mail, city) SELECT i, ${row} FROM generate_series(11, $1 + 8) AS i`,
      [PEOPLE],
    );
  await systems.sql(
    `INSERT INTO ${records} (accord_id, name, mail, city)
     SELECT lpad(to_hex(i), 24, '0'), ${row} FROM generate_series(11, $1 + 8) AS i`,
    [PEOPLE],
  );
  await systems.sql(
    `INSERT INTO ${schema}.link (place, external_id, record_id)
     SELECT place, i::text, lpad(to_hex(i), 24, '0') FROM generate_series(11, $1 + 8) AS i, unnest($2::smallint[]) AS place`,
    [PEOPLE, [places.person, places.contact]],
  );
}

async function run(...words: string[]): Promise<{ code: number; output: string }> {
  const { appPool, dataPool } = world.t.deps;
  const child = fork(COMMAND, words, {
    execArgv: [`--max-old-space-size=${MEMORY_MB}`],
    env: {
      ...process.env,
      ACCORD_HOME: home,
      DATABASE_URL: String(appPool.options.connectionString),
      ACCORD_DATA_DATABASE_URL: String(dataPool.options.connectionString),
      ACCORD_OUTBOUND_ALLOW: world.systems.address,
    },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let output = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const [code] = await once(child, "close");
  return { code: Number(code), output };
}

test("the command compares 100,000 records of two systems, and ends with 1 as one of them differs", async () => {
  // As when the server is stopped: nobody else takes the comparison.
  await world.t.app.close();
  await world.systems.sql("UPDATE crm.contact SET name = 'Somebody else' WHERE id = 77");
  const { code, output } = await run("--pipeline", "person", "--json");
  const [{ report }]: [{ report: Reconciliation }] = JSON.parse(output);
  expect(report).toMatchObject({ status: "FINISHED", listed: 2 * PEOPLE, coreRecords: PEOPLE, unexplained: 1 });
  expect(report.counts).toEqual([{ kind: "different", reason: "unexplained", count: 1, stored: 1 }]);
  expect(code).toBe(1);
  expect((await run("--pipeline", "nobody")).code).toBe(2);
}, 400_000);
