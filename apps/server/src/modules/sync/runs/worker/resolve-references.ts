/** Before a cycle reads: references whose targets have appeared meanwhile are set, and destinations told of them. */
import { decideReferences } from "@accord/sync-engine/run";
import type { CompiledPipeline } from "./plans.ts";
import type { RunIdentity } from "../storage/lease-guard.store.ts";

/** Batches in a row; what is left has its turn in the next cycle. */
const BATCHES = 20;

/** A pipeline without references asks nothing. Conflicts and a lost lease end it; the next cycle goes on. */
export async function resolveReferences(
  { plan, storage }: Pick<CompiledPipeline, "plan" | "storage">,
  run: RunIdentity,
  newId: () => string,
): Promise<void> {
  if (!plan.hasReferences) return;
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const found = await storage.findResolved();
    if (found.length === 0) break;
    for (const placeId of new Set(found.map((one) => one.placeId))) {
      const own = found.filter((one) => one.placeId === placeId);
      const answer = await storage.commit(run, decideReferences(plan, placeId, own), newId);
      if (answer.status !== "done") return;
    }
  }
  await storage.renewWaiting(plan.sinks.map(({ place }) => place.id));
}
