/** Endpoints of conflicts and merges, joined with their use cases. */
import { listConflicts, settleConflicts } from "@accord/contracts/sync/conflicts";
import { listMerges, undoMerge } from "@accord/contracts/sync/merges";
import { type Route, route } from "../../../platform/module.ts";
import type { MatchingService } from "./matching.service.ts";

export const matchingRoutes = (service: MatchingService): Route[] => [
  route(listConflicts, (ctx, { params, query }) => service.conflicts(ctx, params.entityId, query)),
  route(settleConflicts, (ctx, { params, body }) => service.settle(ctx, params.entityId, body.settlements)),
  route(listMerges, (ctx, { params, query }) => service.merges(ctx, params.entityId, query)),
  route(undoMerge, (ctx, { params }) => service.undo(ctx, params.entityId, params.mergeId)),
];
