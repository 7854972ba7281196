/** Values that say which record is which: moved from row to row or from key to key, or in another case only, all arrive. */
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../../../test-kit/graphs.ts";
import { personPipeline } from "../../../../../../test-kit/systems/person-pipeline.ts";
import { testApp } from "../../../../../../test-kit/index.ts";
import { twoSystems } from "../../../../../../test-kit/systems/two-systems.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const ROWS = 30;
const TABLES = `
  CREATE TABLE shop.customer (code text PRIMARY KEY, email text UNIQUE DEFERRABLE INITIALLY DEFERRED);
  CREATE TABLE crm.customer (code text PRIMARY KEY, email text UNIQUE);
  INSERT INTO shop.customer SELECT 'c' || n, 'mail' || n FROM generate_series(1, ${ROWS}) n;`;

async function shopAndCrm() {
  const t = await testApp({ roles: ["web", "worker"], realTime: true });
  const systems = await twoSystems(t, TABLES);
  onTestFinished(() => systems.close());
  const manager = t.as("SYNC_MANAGER");
  const entity = await manager.call(createEntityFromConnector, {
    body: {
      connectorId: systems.shop,
      entityApiName: "customer",
      publish: true,
      apiName: "customer",
      displayName: "Customer",
    },
  });
  const params = { entityId: entity.id };
  const draft = await manager.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = ["code", "email"].map((field) => ({ connectorField: field, coreField: field }));
  const place = { entityDefinition: "customer", fieldMappings, scheduleSeconds: 1 };
  const graph = Graph.parse({
    nodes: [
      core,
      node("from_shop", "ENTITY_SOURCE", { ...place, connectorId: systems.shop }),
      node("to_crm", "ENTITY_SINK", { ...place, connectorId: systems.crm, create: true, update: true, delete: true }),
    ],
    edges: [edge("from_shop", core.id), edge(core.id, "to_crm")],
  });
  const { revision } = await manager.call(pipelines.savePipelineDraft, {
    params,
    body: { graph, revision: draft.revision },
  });
  await manager.call(pipelines.publishPipeline, { params, body: { versionName: "First", revision } });
  const rowsOf = (schema: string) => systems.sql(`SELECT code, email FROM ${schema}.customer ORDER BY code`);
  /** Until the CRM holds what the shop holds; looks for deleted rows at once. */
  const agreed = async (what: string): Promise<void> => {
    await manager.call(runs.runPipelineNow, { params, body: {} });
    await eventually(what, async () => {
      const [here, there] = [await rowsOf("shop"), await rowsOf("crm")];
      return here.length === ROWS && JSON.stringify(here) === JSON.stringify(there) ? true : undefined;
    });
  };
  const quarantineRecords = () => systems.sql(`SELECT code, message FROM "i_${t.instanceId}".quarantine`);
  return { systems, agreed, quarantineRecords };
}

test("down a chain of rows in one transaction", LONG_TIMEOUT, async () => {
  const { systems, agreed, quarantineRecords } = await shopAndCrm();
  await agreed("the first load");
  await systems.sql("UPDATE shop.customer SET email = 'mail' || (substr(code, 2)::int + 1)");
  await agreed("all addresses moved on by one");
  expect(await quarantineRecords()).toEqual([]);
});

test("to a new key, while the row with the old one is still to be deleted there", LONG_TIMEOUT, async () => {
  const { systems, agreed, quarantineRecords } = await shopAndCrm();
  await agreed("the first load");
  await systems.sql("UPDATE shop.customer SET code = 'k7' WHERE code = 'c7'");
  await agreed("the renamed customer");
  expect(await quarantineRecords()).toEqual([]);
});

test(
  "keys that differ in case only are those of two records, found where they are and written each to its own",
  LONG_TIMEOUT,
  async () => {
    const { systems, close } = await personPipeline(1, { destinations: { matchOn: "mail" } });
    onTestFinished(close);
    await systems.sql("INSERT INTO crm.contact (name, mail) VALUES ('Old one', 'aB1'), ('Old two', 'AB1')");
    await systems.sql("INSERT INTO shop.person (name, mail) VALUES ('One', 'aB1'), ('Two', 'AB1')");
    const shown = async () => systems.sql("SELECT name, mail FROM crm.contact WHERE mail ILIKE 'ab1' ORDER BY id");
    await eventually("both in the CRM", async () =>
      (await shown()).every(({ name }) => !String(name).startsWith("Old")) ? true : undefined,
    );
    expect(await shown()).toEqual([
      { name: "One", mail: "aB1" },
      { name: "Two", mail: "AB1" },
    ]);
  },
);
