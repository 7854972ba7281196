/** A table read by logical replication, through the whole way to the core: nothing is lost, whatever befalls worker or slot. */
import { startPostgresServer, type PostgresServer } from "@accord/connectors/test-systems/postgres-server";
import type { Id } from "@accord/contracts";
import { getEntityChanges } from "@accord/contracts/connections/change-detection";
import * as connectors from "@accord/contracts/connections/connectors";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../../../test-kit/index.ts";
import { ServerProcesses } from "../../../../../../test-kit/server-processes.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";
import { readerName } from "../../../../connections/connectors/index.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
let server: PostgresServer;
let client: pg.Client;

beforeAll(async () => {
  server = await startPostgresServer({ wal_level: "logical" });
  client = await server.client();
}, 60_000);
afterAll(async () => {
  await client?.end();
  await server?.stop();
});

const sql = async (text: string, values?: unknown[]) => (await client.query(text, values)).rows;
const slots = async (): Promise<string[]> =>
  (await sql("SELECT slot_name FROM pg_replication_slots ORDER BY 1")).map(({ slot_name }) => slot_name);

async function activate(t: TestApp, config: Record<string, string | number> = {}): Promise<Id<"connector">> {
  const manager = t.as("SYNC_MANAGER");
  t.deps.outbound.allow(`127.0.0.1:${server.port}`);
  const { id } = await manager.call(connectors.createConnector, {
    body: {
      name: "Warehouse",
      typeId: "postgres",
      authType: "userPassword",
      credentials: { username: "postgres", password: server.password },
      config: {
        host: "127.0.0.1",
        port: server.port,
        database: "postgres",
        encryption: "none",
        changes: "replication",
        ...config,
      },
    },
  });
  const params = { connectorId: id };
  await manager.call(connectors.authenticateConnector, { params });
  await manager.call(connectors.activateConnector, { params });
  await eventually("the connector to be active", async () => {
    const found = await manager.call(connectors.getConnector, { params });
    if (found.status === "ERROR") throw new Error(String(found.errorMessage));
    return found.status === "ACTIVE" ? found : undefined;
  });
  return id;
}

/** A pipeline that reads a table of columns id, name and note. */
async function pipelineOf(t: TestApp, connectorId: Id<"connector">, table: string) {
  const manager = t.as("SYNC_MANAGER");
  const entity = await manager.call(createEntityFromConnector, {
    body: { connectorId, entityApiName: table, publish: true, apiName: table, displayName: table },
  });
  const params = { entityId: entity.id };
  const draft = await manager.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = ["id", "name", "note"].map((field) => ({ connectorField: field, coreField: field }));
  const source = node("the-source", "ENTITY_SOURCE", {
    connectorId,
    entityDefinition: table,
    fieldMappings,
    scheduleSeconds: 1,
    mostMissingPercent: 100,
  });
  const { revision } = await manager.call(pipelines.savePipelineDraft, {
    params,
    body: {
      graph: Graph.parse({ nodes: [core, source], edges: [edge(source.id, core.id)] }),
      revision: draft.revision,
    },
  });
  await manager.call(pipelines.publishPipeline, {
    params,
    body: { versionName: "First", revision, bringInExisting: true },
  });
  const inCore = `SELECT id::int, name, md5(note) AS note FROM "i_${t.instanceId}"."r_${table}" WHERE NOT accord_deleted ORDER BY 1`;
  const differences = async (): Promise<unknown[]> => {
    const [{ rows }, there] = await Promise.all([
      t.deps.dataPool.query(inCore),
      sql(`SELECT id, name, md5(note) AS note FROM ${table} ORDER BY 1`),
    ]);
    const known = new Map(rows.map((row) => [row.id, JSON.stringify(row)]));
    const different = there.filter((row) => known.get(row["id"]) !== JSON.stringify(row));
    return rows.length === there.length ? different : [`${rows.length} of ${there.length}`, ...different.slice(0, 3)];
  };
  return {
    params,
    differences,
    // Says what differs where it does not come; a system that failed while its reader was killed is waited for longer each time.
    agreed: (message: string) => expect.poll(differences, { message, timeout: 150_000 }).toEqual([]),
  };
}

const fillTable = (name: string, rows: number) =>
  sql(`CREATE TABLE ${name} (id int PRIMARY KEY, name text, note text);
    ALTER TABLE ${name} ALTER note SET STORAGE EXTERNAL;
    INSERT INTO ${name} SELECT n, 'n' || n, CASE WHEN n % 50 = 0 THEN repeat('long ' || n, 1000) END FROM generate_series(1, ${rows}) n`);

describe("in the server", () => {
  let t: TestApp;
  let connectorId: Id<"connector">;
  beforeAll(async () => {
    t = await testApp({ roles: ["web", "worker"], realTime: true });
    await fillTable("goods", 12_000);
    await fillTable("parts", 100);
    connectorId = await activate(t, { retainedMaxMb: 30, retainedWarningMb: 1 });
  }, 60_000);

  test(
    "changes of every kind arrive, those of the first load too, and a dropped slot loses none",
    LONG_TIMEOUT,
    async () => {
      const goods = await pipelineOf(t, connectorId, "goods");
      await eventually("the slot", async () => ((await slots()).length > 0 ? true : undefined));
      await sql(
        "UPDATE goods SET name = 'during the load' WHERE id IN (1, 11999); DELETE FROM goods WHERE id IN (2, 11998)",
      );
      await goods.agreed("the first load");
      const query = { pipelineId: goods.params.entityId, nodeId: "the-source" };
      const read = { params: { connectorId, entityApiName: "goods" }, query };
      const { method, slots: held } = await t.as("SYNC_MANAGER").call(getEntityChanges, read);
      expect([method, held.map(({ level }) => level)]).toEqual(["replication", ["ok"]]);

      await sql(
        "UPDATE goods SET name = 'changed' WHERE id = 50; DELETE FROM goods WHERE id = 3; UPDATE goods SET id = 20000 WHERE id = 4",
      );
      await sql("INSERT INTO goods VALUES (20001, 'new', 'note')");
      await goods.agreed("single changes");

      await sql(
        "UPDATE goods SET name = 'bulk ' || id WHERE id < 10000; INSERT INTO goods SELECT n, 'bulk', NULL FROM generate_series(30001, 71000) n",
      );
      await goods.agreed("a transaction of more than 50,000 rows");

      await t.as("SYNC_MANAGER").call(runs.pausePipeline, { params: goods.params });
      await eventually("the end of the cycle", async () => {
        const [state] = (await t.deps.dataPool.query("SELECT owner FROM sync_pipeline WHERE owner IS NOT NULL")).rows;
        return state ? undefined : true;
      });
      await sql("UPDATE goods SET name = 'missed' WHERE id = 60; DELETE FROM goods WHERE id BETWEEN 100 AND 104");
      await sql("SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots");
      await t.as("SYNC_MANAGER").call(runs.resumePipeline, { params: goods.params });
      await goods.agreed("what a dropped slot kept from being told");
      expect(await slots()).toHaveLength(1);
      await sql("DELETE FROM goods WHERE id = 61");
      await goods.agreed("a deletion afterwards");
    },
  );

  test(
    "a paused pipeline keeps its slot until it retains too much, and a deleted one loses it",
    LONG_TIMEOUT,
    async () => {
      const parts = await pipelineOf(t, connectorId, "parts");
      await parts.agreed("the first load");
      const manager = t.as("SYNC_MANAGER");
      const { params } = parts;
      // Other sources of this server may lose their slots to the same rows, and get them again.
      const name = readerName(connectorId, params.entityId, "the-source");
      const hasSlot = async () => (await slots()).includes(name);
      await manager.call(runs.pausePipeline, { params });
      const warnings = async () =>
        (await manager.call(runs.getPipelineErrors, { params, query: {} })).warnings.map(({ code }) => code);
      const write = (rows: number) =>
        sql(`CREATE TABLE filler AS SELECT repeat('x', 1000) AS x FROM generate_series(1, ${rows}); DROP TABLE filler`);
      await sql("UPDATE parts SET name = 'while paused' WHERE id = 1; DELETE FROM parts WHERE id = 2");
      await write(5_000);
      await eventually("the warning", async () =>
        (await warnings()).includes("slot_retains_much") ? true : undefined,
      );
      expect(await hasSlot()).toBe(true);
      await write(40_000);
      await eventually("the slot to go", async () => ((await hasSlot()) ? undefined : true));
      await eventually("the warning", async () => ((await warnings()).includes("slot_dropped") ? true : undefined));
      await manager.call(runs.resumePipeline, { params });
      await parts.agreed("what changed while it was paused");
      // A cycle that was under way when the pipeline was paused may have read that already.
      await eventually("the slot to come back", async () => ((await hasSlot()) ? true : undefined));

      await manager.call(pipelines.deletePublishedPipeline, { params });
      await eventually("the slot to go", async () => ((await hasSlot()) ? undefined : true));
      const isPublished = async () => (await sql("SELECT 1 FROM pg_publication WHERE pubname = $1", [name])).length > 0;
      await eventually("the publication to go", async () => ((await isPublished()) ? undefined : true));
    },
  );
});

describe("in processes of their own", () => {
  test("workers killed with -9 in the middle lose nothing", LONG_TIMEOUT, async () => {
    await fillTable("crates", 6_000);
    const masterKey = randomBytes(32);
    const folder = mkdtempSync(join(tmpdir(), "accord-replicated-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "key"), `test:${masterKey.toString("base64")}\n`, { mode: 0o600 });
    const t = await testApp({ masterKey, realTime: true });
    const servers = new ServerProcesses({
      appUrl: String(t.deps.appPool.options.connectionString),
      dataUrl: String(t.deps.dataPool.options.connectionString),
      settings: {
        ACCORD_OUTBOUND_ALLOW: `127.0.0.1:${server.port}`,
        ACCORD_MASTER_KEY_FILE: join(folder, "key"),
      },
    });
    onTestFinished(() => servers.killAll());
    let worker = servers.start();
    await worker.ready;
    const crates = await pipelineOf(t, await activate(t), "crates");
    for (let round = 0; round < 6; round += 1) {
      // In the first load, in the middle of a large transaction, and at rest.
      await sleep(round * 400);
      await sql(
        `UPDATE crates SET name = 'round ${round} ' || id WHERE id % 2 = ${round % 2};
         DELETE FROM crates WHERE id = ${round + 1}; UPDATE crates SET id = ${7_000 + round} WHERE id = ${round + 100}`,
      );
      await sleep(round * 150);
      worker.child.kill("SIGKILL");
      // The lease of a dead worker runs out by itself; here it need not be waited for.
      await t.deps.dataPool.query("UPDATE sync_pipeline SET lease_until = now(), due_at = now()");
      worker = servers.start();
      await worker.ready;
    }
    await crates.agreed("all rows as they are");
    const { rows } = await t.deps.dataPool.query(`SELECT count(*)::int AS n FROM "i_${t.instanceId}".quarantine`);
    expect(rows[0].n).toBe(0);
    expect(await slots()).toContainEqual(expect.stringMatching(/^accord_[0-9a-f]{12}_[0-9a-f]{16}$/));
  });
});
