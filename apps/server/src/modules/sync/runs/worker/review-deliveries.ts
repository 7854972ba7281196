/** Deliveries that an earlier cycle left: which are due now, and which are not yet. */
import { inDoubtForMs } from "@accord/sync-engine/run";
import type { Acquired } from "../schedule/pipeline-rows.store.ts";
import type { CompiledPipeline } from "./plans.ts";

export async function reviewDeliveries(
  { plan, storage }: Pick<CompiledPipeline, "plan" | "storage">,
  { wasHeld }: Pick<Acquired, "wasHeld">,
): Promise<void> {
  for (const sink of plan.sinks) {
    const { place, fits } = sink;
    // What whoever had the lease before sent last is not tried again before its destination can show it.
    if (wasHeld) await storage.holdUnanswered(place.id, inDoubtForMs(sink, "create"));
    // Values that did not fit once are tried again where their destination takes something else by now.
    let retried = 1;
    while (retried > 0) retried = await storage.retryUnfit(place.id, fits);
  }
}
