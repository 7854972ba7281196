/** What a reconciliation counts where a JSON API's pages overlap: records, not rows. */
import { startJsonApi } from "@accord/connectors/test-systems/json-api";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { createEntityFromConnector } from "@accord/contracts/data/core-schema";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import * as contract from "@accord/contracts/sync/reconciliation";
import { expect, onTestFinished, test } from "vitest";
import { edge, node } from "../../../../test-kit/graphs.ts";
import { testApp } from "../../../../test-kit/index.ts";
import { activateRegister } from "../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../test-kit/sync-world/working-world.ts";

const LISTED = 13;

test("records that are read twice where pages meet are counted once", async () => {
  const t = await testApp({ roles: ["web", "worker"], realTime: true });
  const api = await startJsonApi(LISTED);
  onTestFinished(() => api.stop());
  t.deps.outbound.allow(new URL(api.url).host);
  // Each page begins with the last record of the one before, in the order of changes.
  const paging = { kind: "page", sizeParam: "size", size: 3 } as const;
  const entity = companies("sorted", paging, {
    watermark: { param: "updated_after", sorted: true, overlapSeconds: 2 },
  });
  const manager = t.as("SYNC_MANAGER");
  const connectorId = await activateRegister(t, api, entity);
  const made = await manager.call(createEntityFromConnector, {
    body: { connectorId, entityApiName: "companies", publish: true, apiName: "company", displayName: "Company" },
  });
  const params = { entityId: made.id };
  const draft = await manager.call(pipelines.createPipelineDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ENTITY");
  if (!core) throw new Error("a draft has its core node");
  const fieldMappings = ["name", "email", "size"].map((field) => ({ connectorField: field, coreField: field }));
  const source = node("from_register", "ENTITY_SOURCE", {
    connectorId,
    entityDefinition: "companies",
    fieldMappings,
    scheduleSeconds: 1,
  });
  const { revision } = await manager.call(pipelines.savePipelineDraft, {
    params,
    body: {
      graph: Graph.parse({ nodes: [core, source], edges: [edge("from_register", core.id)] }),
      revision: draft.revision,
    },
  });
  await manager.call(pipelines.publishPipeline, {
    params,
    body: { versionName: "First", revision, bringInExisting: true },
  });
  await eventually("the companies in the core", async () => {
    const { rows } = await t.deps.dataPool.query(`SELECT count(*)::int AS count FROM "i_${t.instanceId}"."r_company"`);
    return rows[0].count === LISTED ? true : undefined;
  });

  const { id } = await manager.call(contract.startReconciliation, { params, body: {} });
  const report = await eventually("the end of the reconciliation", async () => {
    const now = await manager.call(contract.getReconciliation, { params: { reconciliationId: id } });
    return now.endedAt === null ? undefined : now;
  });
  expect(report).toMatchObject({ status: "FINISHED", listed: LISTED, coreRecords: LISTED, counts: [] });
  expect(report.systems).toMatchObject([{ connectorName: "Register", listed: LISTED, unreadable: 0 }]);
});
