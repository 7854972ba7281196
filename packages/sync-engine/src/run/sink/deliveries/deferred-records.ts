/** Records that wait for fields which their place does not have: said to people, and asked for again. */
import { hasMissing } from "../../state/fingerprint.ts";
import type { PreparedWrites } from "./pending-writes.ts";
import type { Plan, SinkPlan } from "../../plan/plan.ts";
import { recordWarnings } from "../../protocol/problems.ts";
import type { Run } from "../../run.ts";
import { enqueueUnsure } from "../../source/source-reading.ts";
import { hiddenForMs } from "./write-outcome.ts";
import { warningOfWaiting } from "../../state/fields/deferred-fields.ts";

interface AtSink {
  plan: Plan;
  run: Run;
  sink: SinkPlan;
}

/** Says what waits for fields that the place does not have, and has records asked for that came without them. */
export function recordDeferred({ plan, run, sink }: AtSink, waiting: PreparedWrites["waiting"]): void {
  if (waiting.length === 0) return;
  // What was just written may not be shown yet: it would seem to be gone.
  const ids = waiting.flatMap(({ delivery }) =>
    delivery.link && hasMissing(delivery.link.seen) && hiddenForMs(sink, delivery) <= 0
      ? [delivery.link.externalId]
      : [],
  );
  if (ids.length > 0 && canAskAt(plan, sink)) enqueueUnsure(plan, run, sink.place.id, ids);
  recordWarnings(
    run,
    waiting.flatMap(({ delivery, owed }) =>
      owed.map((mapping) => warningOfWaiting(sink, mapping, delivery.link?.externalId ?? delivery.recordId)),
    ),
  );
}

const canAskAt = (plan: Plan, { place }: SinkPlan): boolean =>
  plan.sources.some((source) => source.place.id === place.id && source.canGetById);
