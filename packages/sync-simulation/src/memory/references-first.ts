/** Before a cycle reads: what the server does about references whose targets have appeared meanwhile. */
import { decideReferences, type CommitBatch, type CommitResult, type Plan } from "@accord/sync-engine/run";
import type { MemoryStore } from "./memory-store.ts";

export function resolveReferences(
  plan: Plan,
  store: MemoryStore,
  now: number,
  commit: (batch: CommitBatch) => CommitResult,
): void {
  const found = store.findResolved();
  for (const placeId of new Set(found.map((one) => one.placeId))) {
    const own = found.filter((one) => one.placeId === placeId);
    if (commit(decideReferences(plan, placeId, own)).status !== "done") return;
  }
  store.renewWaiting(
    plan.sinks.map(({ place }) => place.id),
    now,
  );
}
