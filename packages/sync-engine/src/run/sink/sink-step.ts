/** A step of the sink state machine, and how each of its batches ends. */
import { recordDue } from "./deliveries/due-deliveries.ts";
import { afterLoss, lossIn } from "../state/fingerprint.ts";
import { type Plan, type SinkPlan } from "../plan/plan.ts";
import type { Effect } from "../protocol/protocol.ts";
import type { Run, SinkRun, StepContext } from "../run.ts";
import { recordWarnings, warningsOfQuarantine } from "../protocol/problems.ts";
import { warningsOfUnfit } from "./unfit-values.ts";
import { countFailed } from "../state/flow-counts.ts";
import type { DeliveryResult } from "../protocol/storage.ts";

export interface SinkStep {
  plan: Plan;
  run: Run;
  sink: SinkPlan;
  state: SinkRun;
  env: StepContext;
  effects: Effect[];
}

export function conclude(step: SinkStep, settlements: DeliveryResult[], more: boolean): void {
  const { run, sink, state, effects } = step;
  for (const { quarantine, nextAt, result, attempts } of settlements) {
    if (quarantine) {
      run.counts.quarantined += 1;
      countFailed(run.counts, [quarantine], sink.nodeId);
      if (attempts > 1) run.failedBefore += 1;
      recordWarnings(run, warningsOfQuarantine([quarantine], sink.nodeId));
    }
    if (result === "again") recordDue(step, nextAt);
  }
  recordWarnings(
    run,
    settlements.flatMap((settled) => (settled.unfit ? warningsOfUnfit(sink, settled) : [])),
  );
  if (settlements.length === 0) {
    state.state = { stage: "waiting" };
    return;
  }
  state.state = { stage: "settling", more };
  effects.push({ kind: "settle", placeId: sink.place.id, settlements: settlements.map(afterLastLoss(state)) });
}

/** What is known of a record by what was written to it is known since the losses that were known by then. */
const afterLastLoss =
  ({ loss }: SinkRun) =>
  (deliveryResult: DeliveryResult): DeliveryResult => {
    const { link } = deliveryResult;
    if (link?.seen == null || lossIn(link.seen) >= loss) return deliveryResult;
    return { ...deliveryResult, link: { ...link, seen: afterLoss(link.seen, loss) } };
  };
