/** Whether a source is read by its changes or whole each time is the connector's to say; people are warned of the latter. */
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { expect, test } from "vitest";
import { connectorWorld } from "../../../../test-kit/systems/connector-world.ts";
import { edge, makeCrm, node } from "../../../../test-kit/graphs.ts";

const world = connectorWorld();
const { manager, folder, filesBody, httpBody, activated } = world;

/** Codes of what the check of a pipeline says that reads just this. */
async function warningsOf(connectorId: string, entity: string, apiName: string): Promise<string[]> {
  const made = await manager().call(createEntityFromConnector, {
    body: { connectorId, entityApiName: entity, publish: true, apiName, displayName: apiName },
  });
  const params = { entityId: made.id };
  const draft = await manager().call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = [{ connectorField: "name", coreField: "name" }];
  const source = node("the-source-node", "ENTITY_SOURCE", { connectorId, entityDefinition: entity, fieldMappings });
  const graph = Graph.parse({ nodes: [source, core], edges: [edge(source.id, core.id)] });
  const { problems } = await manager().call(pipelines.validatePipeline, { params, body: { graph } });
  return problems.map(({ code }) => code);
}

test("files and tables are read by their changes without anybody choosing a watermark", async () => {
  const files = await activated(filesBody("Lists", folder("lists", "id,name\n1,A\n")));
  expect(await warningsOf(files.id, "people", "Person")).toEqual([]);
  const crm = "a".repeat(24);
  await makeCrm(world.t, crm);
  expect(await warningsOf(crm, "company", "Company")).toEqual([]);
});

test("an API that is not asked for changes is read whole each time, and the check says so", async () => {
  const [whole, byTime] = [
    await activated(httpBody("Whole")),
    await activated(
      httpBody("By time", "right-key", {
        entities: [
          {
            apiName: "companies",
            displayName: "Company",
            idField: "id",
            watermarkField: "updated_at",
            fields: ["id", "name", "updated_at"].map((name) => ({ apiName: name, displayName: name })),
            list: { path: "/companies", recordSelector: "items", watermark: { param: "since" } },
          },
        ],
      }),
    ),
  ];
  expect(await warningsOf(whole.id, "companies", "Whole")).toEqual(["connector_entity_watermark_missing"]);
  expect(await warningsOf(byTime.id, "companies", "Timed")).toEqual([]);
});
