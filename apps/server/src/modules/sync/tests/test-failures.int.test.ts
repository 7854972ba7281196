/** Where a test run says why a record, or a value of it, went no further: at the source, at the core and at destinations. */
import { getLiveTest, startLiveTest } from "@accord/contracts/sync/tests/pipeline-test-calls";
import type { Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import { isProcessing } from "@accord/contracts/sync/tests/pipeline-tests";
import { createPipelineDraft, savePipelineDraft } from "@accord/contracts/sync/pipelines";
import { beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { testApp, type TestApp } from "../../../../test-kit/test-app.ts";
import { twoSystems, type TwoSystems } from "../../../../test-kit/systems/two-systems.ts";

let t: TestApp;
let systems: TwoSystems;
let entityId: Id<"entity">;

const manager = () => t.as("SYNC_MANAGER");

beforeAll(async () => {
  t = await testApp({ roles: ["web", "worker"], realTime: true, listen: true });
  systems = await twoSystems(
    t,
    `CREATE TABLE crm.person (id text PRIMARY KEY, name text, age text, score int);
     CREATE TABLE shop.other (id int PRIMARY KEY);
     INSERT INTO crm.person VALUES ('1', 'Ada', 'not a number', 1), ('2', 'Bob', '7', 2),
       (repeat('x', 900), 'Eve', '8', 3);`,
  );
  const field = (apiName: string, dataType: string) => ({ apiName, displayName: apiName, dataType });
  const fields = [field("name", "string"), field("age", "integer"), field("score", "integer")];
  const body = { apiName: "Person", displayName: "Person", nameField: "name", publish: true, fields } as never;
  entityId = (await manager().call(createEntity, { body })).id;
  const params = { entityId };
  const draft = await manager().call(createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const fieldMappings = fields.map(({ apiName }) => ({ connectorField: apiName, coreField: apiName }));
  const nodes = [
    core,
    node("from_crm", "ENTITY_SOURCE", { connectorId: systems.crm, entityDefinition: "person", fieldMappings }),
  ];
  const graph = Graph.parse({ nodes, edges: [edge("from_crm", core.id)] });
  await manager().call(savePipelineDraft, { params, body: { graph, revision: draft.revision } });
  return () => systems.close();
}, 120_000);

test("a live run says at the source which values it went on without, and which records did not go on", async () => {
  await systems.sql("ALTER TABLE crm.person ALTER score TYPE text USING 'many'");
  const params = { graphId: entityId };
  const { id: runId } = await manager().call(startLiveTest, { params, body: { name: "live", records: 5 } });
  const read = () => manager().call(getLiveTest, { params: { ...params, runId } });
  await expect.poll(async () => isProcessing((await read()).status)).toBe(false);
  const run = await read();
  const nodes = run.resultDetails?.[0]?.nodes ?? [];
  const source = nodes.find(({ nodeId }) => nodeId === "from_crm");
  expect(source?.testData.find(({ recordId }) => recordId === "1")?.warnings.join()).toContain("age");
  expect(source?.testData.find(({ recordId }) => recordId === "2")?.warnings.join()).toContain("score");
  const refused = source?.testData.find(({ recordId }) => recordId.startsWith("x"));
  expect(refused).toMatchObject({ route: null, message: expect.stringContaining("id") });
  expect(source?.status).toBe("failed");
});
