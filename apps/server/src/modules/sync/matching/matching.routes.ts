/** Endpoints of conflicts and merges, joined with their use cases. */
import { listConflicts, settleConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import { dismissDuplicates, listMerges, mergeDuplicates, undoMerge } from "@accord/contracts/sync/merges";
import { type Route, route } from "../../../platform/module.ts";
import type { MatchingService } from "./matching.service.ts";

export const matchingRoutes = (service: MatchingService): Route[] => [
  route(listConflicts, (ctx, { params, query }) => service.conflicts(ctx, params.entityId, query)),
  route(settleConflicts, (ctx, { params, body }) => service.settle(ctx, params.entityId, body.settlements)),
  route(listMerges, (ctx, { params, query }) => service.merges(ctx, params.entityId, query)),
  route(mergeDuplicates, (ctx, { params, body }) =>
    service.mergeDuplicates(ctx, params.entityId, params.mergeId, body),
  ),
  route(dismissDuplicates, (ctx, { params }) => service.dismissDuplicates(ctx, params.entityId, params.mergeId)),
  route(undoMerge, (ctx, { params }) => service.undo(ctx, params.entityId, params.mergeId)),
];
