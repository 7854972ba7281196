/** T27: what field pipelines make of a password field on its way to a system is as secret as the field. */
import type { Id } from "@accord/contracts";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { explainRecord, previewResync } from "@accord/contracts/sync/monitoring/explain";
import * as fields from "@accord/contracts/sync/field-pipelines";
import { Graph } from "@accord/contracts/sync/graph";
import * as pipelines from "@accord/contracts/sync/pipelines";
import { listTransactions } from "@accord/contracts/sync/monitoring/transactions";
import { beforeAll, expect, test } from "vitest";
import { edge, node } from "../test-kit/graphs.ts";
import { CANARY, passwordPipeline, type PasswordPipeline } from "../test-kit/systems/password-pipeline.ts";
import { eventually } from "../test-kit/sync-world/working-world.ts";

let p: PasswordPipeline;

beforeAll(async () => {
  p = await passwordPipeline();
  const { t, entityId } = p;
  const manager = t.as("SYNC_MANAGER");
  const { fields: rows } = await manager.call(fields.listFieldPipelines, { params: { entityId } });
  for (const { id, apiName } of rows) if (["pin", "mail", "name"].includes(apiName)) await compute(id, apiName);
  const draft = await manager.call(pipelines.createPipelineDraft, { params: { entityId }, body: {} });
  const body = { versionName: "Computed", revision: draft.revision, fieldPipelines: "all" as const };
  await manager.call(pipelines.publishPipeline, { params: { entityId }, body: { ...body, bringInExisting: true } });
  await p.systems.sql("UPDATE shop.account SET pin = $1 WHERE name = 'Ada'", [`${CANARY} anew`]);
  await eventually("the computed value in the CRM", async () =>
    Object.values(await p.sent()).includes(`${CANARY} anew`.toUpperCase()) ? true : undefined,
  );
  return () => p.close();
}, 120_000);

/** Capital letters for the CRM. */
async function compute(fieldId: Id<"field">, field: string): Promise<void> {
  const params = { entityId: p.entityId, fieldId };
  const manager = p.t.as("SYNC_MANAGER");
  const draft = await manager.call(fields.createFieldDraft, { params, body: {} });
  const core = draft.graph.nodes.find(({ nodeType }) => nodeType === "CORE_ATTRIBUTE");
  if (!core) throw new Error("a field's draft has its core node");
  const at = (connectorId: string, entityDefinition: string) => ({
    connectorId,
    entityDefinition,
    attributeDefinition: field,
  });
  const nodes = [
    node("from", "ATTRIBUTE_SOURCE", at(p.systems.shop, "account")),
    core,
    node("upper", "FUNCTION", {}, "upperCase"),
    node("to", "ATTRIBUTE_SINK", at(p.systems.crm, "login")),
  ];
  const edges = [edge("from", core.id), edge(core.id, "upper"), edge("upper", "to")];
  const body = { graph: Graph.parse({ nodes, edges }), revision: draft.revision };
  await manager.call(fields.saveFieldDraft, { params, body });
}

test("[T27] an explanation says what is sent there with the mask for the value", async () => {
  const params = { entityId: p.entityId, recordId: p.recordId };
  const explained = await p.t.as("VIEWER").call(explainRecord, { params, query: {} });
  const sent = explained.destinations.flatMap((one) =>
    one.fields.map(({ connectorField, value }) => [connectorField, value]),
  );
  expect(sent).toContainEqual(["pin", PASSWORD_MASK]);
  expect(JSON.stringify(explained).toLowerCase()).not.toContain(CANARY);
});

test("[T27] neither do previews and histories show it", async () => {
  const { t, entityId } = p;
  const params = { entityId };
  const body = { scope: "all" as const, sourceEntityIds: ["from_shop"] };
  const answers = [
    await t.as("SYNC_MANAGER").call(previewResync, { params, body }),
    await t.as("VIEWER").call(listTransactions, { query: { entityId } }),
  ];
  expect(JSON.stringify(answers).toLowerCase()).not.toContain(CANARY);
});
