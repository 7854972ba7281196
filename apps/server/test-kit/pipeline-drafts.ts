/** Pipelines drawn and published over the API by somebody who may: what tests of drafts, versions and rows begin with. */
import type { Id } from "@accord/contracts";
import { listEntities } from "@accord/contracts/data/core-schema";
import { Graph, type GraphNode } from "@accord/contracts/sync/graph";
import * as contract from "@accord/contracts/sync/pipelines";
import { beforeAll, beforeEach } from "vitest";
import { edge, makeCrm, node } from "./graphs.ts";
import { testApp, type TestApp } from "./test-app.ts";

export const CRM = "a".repeat(24);

export const MAPPINGS = [
  { connectorField: "name", coreField: "name" },
  { connectorField: "mail", coreField: "email" },
];
const source = { connectorId: CRM, entityDefinition: "company", fieldMappings: MAPPINGS };

export function wholeGraph(core: GraphNode): Graph {
  return Graph.parse({
    nodes: [
      node("crm", "ENTITY_SOURCE", source),
      node("upper", "FUNCTION", { value: "{{CRM.company.name}}" }, "upperCase"),
      node("set", "FUNCTION", { field: "name", value: "{{Value From upper}}" }, "setValue"),
      core,
      node("back", "ENTITY_SINK", source),
    ],
    edges: [edge("crm", "upper"), edge("upper", "set"), edge("set", core.id), edge(core.id, "back")],
  });
}

/** For a whole test file, each test of which begins without any pipeline. */
export function pipelineDrafts() {
  let t: TestApp;
  let accounts: Id<"entity">;
  async function draftOf(entityId: Id<"entity">) {
    return t.as("SYNC_MANAGER").call(contract.createPipelineDraft, { params: { entityId }, body: {} });
  }

  async function savedWhole(entityId: Id<"entity">) {
    const draft = await draftOf(entityId);
    const core = draft.graph.nodes.find((one) => one.nodeType === "CORE_ENTITY")!;
    const body = { graph: wholeGraph(core), revision: draft.revision };
    return t.as("SYNC_MANAGER").call(contract.savePipelineDraft, { params: { entityId }, body });
  }

  const publish = (entityId: Id<"entity">, revision: number, versionName = "First") =>
    t.as("SYNC_MANAGER").send(contract.publishPipeline, { params: { entityId }, body: { versionName, revision } });

  beforeAll(async () => {
    t = await testApp();
    await makeCrm(t, CRM);
  });

  beforeEach(async () => {
    const { entities } = await t.as("VIEWER").call(listEntities, {});
    accounts = entities.find((entity) => entity.apiName === "Account")!.id;
    await t.deps.appPool.query("DELETE FROM pipeline");
  });

  return {
    get t(): TestApp {
      return t;
    },
    /** The core entity Account. */
    get accounts(): Id<"entity"> {
      return accounts;
    },
    draftOf,
    savedWhole,
    publish,
  };
}
