/** Endpoints of reconciliation, joined with their use cases. */
import {
  cancelReconciliation,
  downloadDifferences,
  getReconciliation,
  listDifferences,
  listReconciliations,
  previewRepair,
  repairDifferences,
  startReconciliation,
} from "@accord/contracts/sync/reconciliation";
import { type Route, route } from "../../../platform/module.ts";
import type { ReconciliationService } from "./reconciliation.service.ts";

export const reconciliationRoutes = (service: ReconciliationService): Route[] => [
  route(startReconciliation, (ctx, { params }) => service.start(ctx, params.entityId)),
  route(listReconciliations, (ctx, { params }) => service.list(ctx, params.entityId)),
  route(getReconciliation, (ctx, { params }) => service.get(ctx, params.reconciliationId)),
  route(cancelReconciliation, (ctx, { params }) => service.cancel(ctx, params.reconciliationId)),
  route(listDifferences, (ctx, { params, query }) => service.differences(ctx, params.reconciliationId, query)),
  route(downloadDifferences, (ctx, { params, query }) => service.csv(ctx, params.reconciliationId, query)),
  route(previewRepair, (ctx, { params, body }) => service.previewRepair(ctx, params.reconciliationId, body)),
  route(repairDifferences, (ctx, { params, body }) => service.repair(ctx, params.reconciliationId, body)),
];
