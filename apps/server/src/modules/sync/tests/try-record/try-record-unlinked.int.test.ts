/** Trying records that have no live link: of sources that no published version has, and those whose deletion is known. */
import { getConnector, refreshConnectorSchema } from "@accord/contracts/connections/connectors";
import type { Values } from "@accord/contracts/data/values";
import { Graph } from "@accord/contracts/sync/graph";
import { createPipelineDraft, getPipelineGraph } from "@accord/contracts/sync/pipelines";
import { pausePipeline, runPipelineNow } from "@accord/contracts/sync/monitoring/runs";
import { type TryRecordBody, tryRecord } from "@accord/contracts/sync/tests/try-record";
import { afterAll, beforeAll, expect, test } from "vitest";
import { edge, node } from "../../../../../test-kit/graphs.ts";
import { personPipeline, type PersonPipeline } from "../../../../../test-kit/systems/person-pipeline.ts";
import { backdateLinks } from "../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";

let p: PersonPipeline;
let graph: Graph;

const manager = () => p.t.as("SYNC_MANAGER");

beforeAll(async () => {
  p = await personPipeline(2);
  const params = { entityId: p.entityId };
  // The second person is deleted in the shop, an hour ago.
  await p.systems.sql("DELETE FROM shop.person WHERE id = 2");
  await manager().call(runPipelineNow, { params, body: {} });
  await p.untilSent(1);
  await backdateLinks(p.systems, p.schema);
  const crm = { params: { connectorId: p.systems.crm } };
  await p.systems.sql("CREATE TABLE crm.lead (id int PRIMARY KEY, name text, mail text, city text)");
  await manager().call(refreshConnectorSchema, { ...crm, body: {} });
  await eventually("the CRM's new table", async () => {
    const { entities } = await manager().call(getConnector, crm);
    return entities.some(({ apiName }) => apiName === "lead") ? true : undefined;
  });
  await manager().call(pausePipeline, { params, body: {} });
  await manager().call(createPipelineDraft, { params, body: {} });
  ({ graph } = await manager().call(getPipelineGraph, { params: { ...params, graphVersion: "draft" } }));
}, 120_000);
afterAll(() => p.close());

const values = (externalId: string, given: Values): TryRecordBody["record"] => ({
  kind: "values",
  externalId,
  values: given,
});
const send = (nodeId: string, record: TryRecordBody["record"], on = graph) =>
  manager().send(tryRecord, { params: { id: p.entityId }, body: { graph: on, nodeId, record } });

test("a record whose deletion is known is tried: it comes back as it was given", async () => {
  const again = { name: "Name 2 again", mail: "p2@example.com", city: "Bern" };
  expect(await send("from_shop", values("2", again))).toMatchObject({
    status: 200,
    body: {
      core: { outcome: "updated", before: { name: "Name 2" }, after: again },
      destinations: [
        { nodeId: "to_shop", outcome: "up_to_date" },
        { nodeId: "to_crm", outcome: "create" },
      ],
    },
  });
});

test("sources and destinations that no published version has are tried: nothing is known there", async () => {
  const fieldMappings = ["name", "mail", "city"].map((field) => ({ connectorField: field, coreField: field }));
  const lead = { connectorId: p.systems.crm, entityDefinition: "lead", fieldMappings };
  const core = graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY")!;
  const wider = Graph.parse({
    ...graph,
    nodes: [
      ...graph.nodes,
      node("from_lead", "ENTITY_SOURCE", lead),
      node("to_lead", "ENTITY_SINK", { ...lead, create: true, update: true, delete: true }),
    ],
    edges: [...graph.edges, edge("from_lead", core.id), edge(core.id, "to_lead")],
  });
  const ada = { name: "Ada", mail: "ada@example.com" };
  expect(await send("from_shop", values("new", ada), wider)).toMatchObject({
    status: 200,
    body: {
      destinations: [
        { nodeId: "to_shop", outcome: "up_to_date" },
        { nodeId: "to_crm", outcome: "create" },
        { nodeId: "to_lead", outcome: "create" },
      ],
    },
  });
  expect(await send("from_lead", values("9", ada), wider)).toMatchObject({
    status: 200,
    body: { core: { outcome: "created", after: { name: "Ada" } } },
  });
  expect(await send("from_lead", { kind: "external", externalId: "9" }, wider)).toMatchObject({
    status: 400,
    body: { errors: [{ path: "record.externalId" }] },
  });
});
