/** Endpoints of running pipelines, joined with their use cases. */
import { explainRecord, getRecordAsOf, previewResync } from "@accord/contracts/sync/monitoring/explain";
import { getPipelineFlow, listEdgeRecords } from "@accord/contracts/sync/monitoring/flow";
import { listPipelineLogs } from "@accord/contracts/sync/monitoring/pipeline-logs";
import { getMetricHistory, getSyncMetrics } from "@accord/contracts/sync/monitoring/metrics";
import { listRefusedValues } from "@accord/contracts/sync/monitoring/refused-values";
import { listWaitingDeliveries } from "@accord/contracts/sync/monitoring/waiting-deliveries";
import {
  cancelResync,
  getPipelineErrors,
  getSyncStatus,
  listCycles,
  listSyncStatuses,
  pausePipeline,
  resumePipeline,
  runPipelineNow,
  startResync,
} from "@accord/contracts/sync/monitoring/runs";
import {
  dismissQuarantine,
  listQuarantine,
  listSyncErrors,
  replayQuarantine,
} from "@accord/contracts/sync/monitoring/quarantine";
import { listTransactions } from "@accord/contracts/sync/monitoring/transactions";
import { type Route, route } from "../../../platform/module.ts";
import type { RunsService } from "./runs.service.ts";

export const runsRoutes = (service: RunsService): Route[] => [
  route(getSyncStatus, (ctx, { params }) => service.stateOf(ctx, params.entityId)),
  route(getSyncMetrics, (ctx, { params, query }) => service.metrics(ctx, params.entityId, query)),
  route(getMetricHistory, (ctx, { params, query }) => service.metricHistory(ctx, params.entityId, query.period)),
  route(listPipelineLogs, (ctx, { params: { entityId, graphVersion }, query, body: filter }) =>
    service.log(ctx, entityId, graphVersion, { query, filter }),
  ),
  route(getPipelineFlow, (ctx, { params }) => service.flow(ctx, params.entityId)),
  route(listEdgeRecords, (ctx, { params }) => service.edgeRecords(ctx, params.entityId, params.edgeId)),
  route(listSyncStatuses, (ctx) => service.listStates(ctx)),
  route(pausePipeline, (ctx, { params }) => service.pause(ctx, params.entityId)),
  route(resumePipeline, (ctx, { params }) => service.resume(ctx, params.entityId)),
  route(runPipelineNow, (ctx, { params }) => service.runNow(ctx, params.entityId)),
  route(startResync, (ctx, { params, body }) => service.startResync(ctx, params.entityId, body)),
  route(cancelResync, (ctx, { params }) => service.cancelResync(ctx, params.entityId)),
  route(listCycles, (ctx, { params, query }) => service.cycles(ctx, params.entityId, query)),
  route(getPipelineErrors, (ctx, { params, query }) => service.errors(ctx, params.entityId, query)),
  route(listQuarantine, (ctx, { params, query }) => service.quarantine(ctx, params.entityId, query)),
  route(listSyncErrors, (ctx, { query }) => service.syncErrors(ctx, query)),
  route(listRefusedValues, (ctx, { params, query }) => service.refusedValues(ctx, params.entityId, query)),
  route(listWaitingDeliveries, (ctx, { params, query }) => service.waitingDeliveries(ctx, params.entityId, query)),
  route(replayQuarantine, (ctx, { params, body }) => service.replay(ctx, params.entityId, body)),
  route(dismissQuarantine, (ctx, { params, body }) => service.dismiss(ctx, params.entityId, body)),
  route(explainRecord, (ctx, { params, query }) => service.explain(ctx, params.entityId, params.recordId, query)),
  route(previewResync, (ctx, { params, body }) =>
    service.previewResync(ctx, params.entityId, body, ctx.exchange.signal),
  ),
  route(getRecordAsOf, (ctx, { params, query }) => service.recordAsOf(ctx, params.entityId, params.recordId, query)),
  route(listTransactions, (ctx, { query }) => service.transactions(ctx, query)),
];
