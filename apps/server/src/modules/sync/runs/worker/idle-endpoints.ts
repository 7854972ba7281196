/** A cycle begins with a claim for each destination, and most have nothing left to be told: that is known already. */
import type { Plan } from "@accord/sync-engine/run";
import type { RunStorage } from "../storage/run-storage.store.ts";

/** `quiet`: places without deliveries as the cycle began. They are not asked for any until the cycle writes something. */
export function withIdleEndpoints(
  { plan, storage }: { plan: Pick<Plan, "hasReferences">; storage: RunStorage },
  quiet: ReadonlySet<number>,
): RunStorage {
  // References that have found their targets have destinations told of them before the first claim.
  const places = new Set(plan.hasReferences ? [] : quiet);
  return {
    ...storage,
    claim: (request) =>
      places.delete(request.placeId)
        ? Promise.resolve({ deliveries: [], references: new Map(), nextAt: null })
        : storage.claim(request),
    retryUnfit: (placeId, fits) => (places.has(placeId) ? Promise.resolve(0) : storage.retryUnfit(placeId, fits)),
    commit: (...page) => {
      places.clear();
      return storage.commit(...page);
    },
    settle: (...answers) => {
      places.clear();
      return storage.settle(...answers);
    },
  };
}
