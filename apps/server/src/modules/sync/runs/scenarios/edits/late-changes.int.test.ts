/** No change of a real system is missed: whatever its time stamp says, across pauses, outages and new versions. */
import type { Id } from "@accord/contracts";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { listRecords } from "@accord/contracts/data/records";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../../../test-kit/index.ts";
import { type TwoSystems, twoSystems } from "../../../../../../test-kit/systems/two-systems.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

let t: TestApp;
let systems: TwoSystems;
const manager = () => t.as("SYNC_MANAGER");

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true });
  systems = await twoSystems(
    t,
    `CREATE TABLE crm.unused (id int PRIMARY KEY);
     CREATE TABLE shop.w (id serial PRIMARY KEY, name text, updated_at timestamptz DEFAULT now());
     CREATE TABLE shop.new_only (LIKE shop.w INCLUDING ALL);
     CREATE TABLE shop.bare (id serial PRIMARY KEY, name text);
     INSERT INTO shop.w (name) SELECT 'n' || n FROM generate_series(1, 10) n;
     INSERT INTO shop.new_only (name, updated_at) SELECT 'n' || n, now() - interval '1 day' FROM generate_series(1, 10) n;
     INSERT INTO shop.bare (name) SELECT 'n' || n FROM generate_series(1, 10) n`,
  );
});
afterAll(() => systems?.close());

interface Scenario {
  entityId: Id<"entity">;
  publish(bringInExisting: boolean): Promise<void>;
  /** Until the core knows a record by this name. */
  until(name: string): Promise<true>;
  names(): Promise<string[]>;
}

/** A pipeline that reads one of the shop's tables. */
async function scenario(table: string): Promise<Scenario> {
  const connectorId = systems.shop;
  const apiName = table.replace("_", "");
  const entity = await manager().call(createEntityFromConnector, {
    body: { connectorId, entityApiName: table, publish: true, apiName, displayName: apiName },
  });
  const params = { entityId: entity.id };
  const draft = await manager().call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = [{ connectorField: "name", coreField: "name" }];
  const source = node("the-source", "ENTITY_SOURCE", { connectorId, entityDefinition: table, fieldMappings });
  const graph = Graph.parse({ nodes: [core, source], edges: [edge(source.id, core.id)] });
  const names = async (): Promise<string[]> => {
    const { records } = await manager().call(listRecords, { params, query: { count: 100 } });
    return records.map(({ values }) => String(values["name"]));
  };
  let version = 0;
  return {
    entityId: entity.id,
    names,
    async until(name) {
      await manager().call(runs.runPipelineNow, { params, body: {} });
      return eventually(name, async () => ((await names()).includes(name) ? true : undefined));
    },
    async publish(bringInExisting) {
      version += 1;
      const before = version === 1 ? draft : await manager().call(pipelines.createPipelineDraft, { params, body: {} });
      const { revision } = await manager().call(pipelines.savePipelineDraft, {
        params,
        body: { graph, revision: before.revision },
      });
      const body = { versionName: `Version ${version}`, revision, bringInExisting };
      await manager().call(pipelines.publishPipeline, { params, body });
    },
  };
}

test("changes with old time stamps, and those made while the pipeline rests and is published anew, arrive", async () => {
  const { entityId, publish, until, names } = await scenario("w");
  await publish(true);
  await until("n10");
  await systems.sql("UPDATE shop.w SET name = 'raw' WHERE id = 1");
  await until("raw");
  await systems.sql("INSERT INTO shop.w (name, updated_at) VALUES ('import', now() - interval '2 days')");
  await until("import");
  await systems.sql("UPDATE shop.w SET name = 'restored', updated_at = now() - interval '1 year' WHERE id = 2");
  await until("restored");

  const params = { entityId };
  await manager().call(runs.pausePipeline, { params });
  await systems.sql("UPDATE shop.w SET name = 'while paused', updated_at = now() WHERE id = 3");
  await systems.sql("INSERT INTO shop.w (name) VALUES ('new while paused')");
  await publish(false);
  await manager().call(runs.resumePipeline, { params });
  await until("while paused");
  await until("new while paused");
  expect(await names()).toHaveLength(12);
});

test("without bringing in what exists, changes count from the first version that reads the table", async () => {
  const { entityId, publish, until, names } = await scenario("new_only");
  const params = { entityId };
  await publish(false);
  await manager().call(runs.pausePipeline, { params });
  await systems.sql("UPDATE shop.new_only SET name = 'early', updated_at = now() WHERE name = 'n1'");
  await publish(false);
  await manager().call(runs.resumePipeline, { params });
  await until("early");
  await systems.sql("UPDATE shop.new_only SET name = 'raw' WHERE name = 'n2'");
  await until("raw");
  expect((await names()).toSorted()).toEqual(["early", "raw"]);
});

test("a table without time stamps brings in nothing that was there before, and each change afterwards", async () => {
  const { entityId, publish, until, names } = await scenario("bare");
  await publish(false);
  await eventually("a first reading", async () => {
    const [row] = await systems.sql("SELECT last_finished_at FROM sync_pipeline WHERE pipeline_id = $1", [entityId]);
    return row?.["last_finished_at"] ? true : undefined;
  });
  await systems.sql("UPDATE shop.bare SET name = 'raw' WHERE id = 2");
  await until("raw");
  expect(await names()).toEqual(["raw"]);
});
