/** Endpoints of pipelines joined with their use cases. */
import * as fields from "@accord/contracts/sync/field-pipelines";
import { getNodePicklistValues, listConnectorFields } from "@accord/contracts/sync/node-fields";
import { getEntityPipeline } from "@accord/contracts/sync/entity-pipelines";
import { listNodeSteps, saveNodeConfiguration } from "@accord/contracts/sync/node-steps";
import { getGraphPalette, getPipelinePalette, lookUpTokens } from "@accord/contracts/sync/palette";
import {
  comparePipelineVersions,
  getPipelineVersion,
  listPipelineVersions,
  restorePipelineVersion,
} from "@accord/contracts/sync/pipeline-versions";
import * as contract from "@accord/contracts/sync/pipelines";
import { actionsFor } from "@accord/sync-engine/actions";
import { functionsFor } from "@accord/sync-engine/functions";
import { filterRows, orderRows, summarise } from "@accord/sync-engine/lifecycle";
import { type Route, route } from "../../../platform/module.ts";
import type { Id } from "@accord/contracts";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import type { Caller } from "../../../platform/ctx.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { PipelineService } from "./pipelines.service.ts";
import { versionComparison } from "./versions/version-comparison.ts";

const list = (text: string | undefined): string[] => (text ?? "").split(",").filter((item) => item !== "");

/** The row of one pipeline; throws `not_found`. */
async function rowOf(service: PipelineService, ctx: Caller, entityId: Id<"entity">): Promise<PipelineRow> {
  const [row] = await service.rows(ctx.instanceId, entityId);
  if (!row) throw new AppError("not_found", { what: "Pipeline" });
  return row;
}

export const pipelineRoutes = (service: PipelineService): Route[] => [
  route(contract.listPipelines, async (ctx, { query }) => {
    const all = await service.rows(ctx.instanceId);
    if (query.focus && !all.some((row) => row.id === query.focus))
      throw new AppError("not_found", { what: "Pipeline" });
    const found = filterRows(all, {
      ...(query.search === undefined ? {} : { search: query.search }),
      states: list(query.pipelineState),
      statuses: list(query.pipelineStatus),
      sources: list(query.sources),
      destinations: list(query.destinations),
      agreement: contract.AGREEMENT_FILTERS.filter((each) => list(query.agreement).includes(each)),
    });
    const isMapped = ({ pipelineStatus }: PipelineRow): boolean => pipelineStatus !== "UNMAPPED";
    const shown = query.unmapped === "hide" ? found.filter((row) => isMapped(row) || row.id === query.focus) : found;
    const rows = orderRows(shown, query.sort);
    const focused = rows.findIndex((row) => row.id === query.focus);
    const page = focused < 0 ? query.page : Math.floor(focused / query.pageSize) + 1;
    const first = (page - 1) * query.pageSize;
    return {
      rows: rows.slice(first, first + query.pageSize),
      total: rows.length,
      page,
      unmapped: found.filter((row) => !isMapped(row)).length,
      summary: summarise(all),
    };
  }),
  route(contract.getPipeline, (ctx, { params }) => rowOf(service, ctx, params.entityId)),
  route(contract.getPipelineGraph, (ctx, { params }) => service.open(ctx, params.entityId, params.graphVersion)),
  route(getEntityPipeline, (ctx, { params }) => service.entityPipeline(ctx, params.entityId, params.graphVersion)),
  route(contract.createPipelineDraft, (ctx, { params }) => service.createDraft(ctx, params.entityId)),
  route(contract.savePipelineDraft, (ctx, { params, body }) => service.saveDraft(ctx, params.entityId, body)),
  route(contract.discardPipelineDraft, async (ctx, { params }) => {
    await service.discardDraft(ctx, params.entityId);
    return {};
  }),
  route(contract.validatePipeline, (ctx, { params, body }) => service.validate(ctx, params.entityId, body.graph)),
  route(contract.publishPipeline, (ctx, { params, body }) => service.publish(ctx, params.entityId, body)),
  route(contract.deletePublishedPipeline, async (ctx, { params }) => {
    await service.deletePublished(ctx, params.entityId);
    return {};
  }),
  route(contract.clonePipeline, (ctx, { params, body }) => service.clone(ctx, params.entityId, body)),
  route(contract.patchPipelineSettings, async (ctx, { params, body }) => {
    await service.patchSettings(ctx, params.entityId, body);
    return rowOf(service, ctx, params.entityId);
  }),
  route(listPipelineVersions, async (ctx, { params }) => ({
    versions: await service.versions(ctx, params.entityId),
  })),
  route(getPipelineVersion, (ctx, { params }) => service.version(ctx, params.entityId, params.versionId)),
  route(comparePipelineVersions, async (ctx, { params }) =>
    versionComparison(
      await service.version(ctx, params.entityId, params.versionId),
      await service.version(ctx, params.entityId, params.otherVersionId),
    ),
  ),
  route(restorePipelineVersion, (ctx, { params }) => service.restore(ctx, params.entityId, params.versionId)),
  route(fields.listFieldPipelines, async (ctx, { params }) => ({
    fields: await service.listFields(ctx, params.entityId),
  })),
  route(fields.getFieldGraph, (ctx, { params }) =>
    service.openField(ctx, params.entityId, params.fieldId, params.graphVersion),
  ),
  route(fields.createFieldDraft, (ctx, { params }) => service.createFieldDraft(ctx, params.entityId, params.fieldId)),
  route(fields.saveFieldDraft, (ctx, { params, body }) =>
    service.saveFieldDraft(ctx, params.entityId, params.fieldId, body),
  ),
  route(fields.discardFieldDraft, async (ctx, { params }) => {
    await service.discardFieldDraft(ctx, params.entityId, params.fieldId);
    return {};
  }),
  route(fields.setFieldReady, (ctx, { params, body }) =>
    service.setFieldReady(ctx, params.entityId, params.fieldId, body),
  ),
  route(fields.validateFieldPipeline, (ctx, { params, body }) =>
    service.validateField(ctx, params.entityId, params.fieldId, body.graph),
  ),
  route(getPipelinePalette, async (ctx, { params, query }) => {
    await rowOf(service, ctx, params.entityId);
    return { functions: functionsFor(query.level), actions: actionsFor(query.level) };
  }),
  route(getGraphPalette, async (ctx, { params }) => {
    const { graph } = await service.open(ctx, params.entityId, params.graphVersion);
    const used = new Set(graph.nodes.map(({ apiName }) => apiName));
    const isUsed = ({ name }: { name: string }): boolean => used.has(name);
    return { functions: functionsFor("entity").filter(isUsed), actions: actionsFor("entity").filter(isUsed) };
  }),
  route(getNodePicklistValues, async (ctx, { params, query }) => ({
    fields: await service.picklistFields(ctx, params, query),
  })),
  route(listConnectorFields, async (ctx, { params }) => ({
    fields: await service.connectorFields(ctx, params.entityId, params.graphVersion),
  })),
  route(listNodeSteps, (ctx, { params, body }) => service.nodeSteps(ctx, params, body)),
  route(saveNodeConfiguration, (ctx, { params, body }) => service.saveNodeConfiguration(ctx, params, body)),
  route(lookUpTokens, async (ctx, { params, body }) => ({
    groups: await service.tokens(ctx, params.nodeId, body),
  })),
];
