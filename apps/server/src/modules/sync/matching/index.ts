/** Who a record is and whose value wins, as people look into it: conflicts to settle, merges to take back. */
import type { Deps } from "../../../platform/deps.ts";
import type { Module } from "../../../platform/module.ts";
import { conflictsStore } from "./conflicts.store.ts";
import { matchingRoutes } from "./matching.routes.ts";
import { matchingService, type MatchingDependencies, type MatchingService } from "./matching.service.ts";
import { mergesStore } from "./merges.store.ts";

export function matchingModule(deps: Deps, needs: MatchingDependencies): Module & { service: MatchingService } {
  const service = matchingService({
    deps,
    needs,
    conflicts: conflictsStore(deps.dataPool, deps.dataReads),
    merges: mergesStore(deps.dataPool, deps.dataReads),
  });
  return { name: "sync/matching", service, routes: matchingRoutes(service) };
}
