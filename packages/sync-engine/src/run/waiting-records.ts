/** Records that wait for fields which their place does not have: said to people, and asked for again. */
import { hasMissing } from "./fingerprint.ts";
import type { Packed } from "./parcels.ts";
import type { Plan, SinkPlan } from "./plan.ts";
import { noteWarnings } from "./problems.ts";
import type { Run } from "./run.ts";
import { enqueueUnsure } from "./source-reading.ts";
import { hiddenForMs } from "./take-answer.ts";
import { warningOfWaiting } from "./waiting-fields.ts";

interface AtSink {
  plan: Plan;
  run: Run;
  sink: SinkPlan;
}

/** Says what waits for fields that the place does not have, and has records asked for that came without them. */
export function noteWaiting({ plan, run, sink }: AtSink, waiting: Packed["waiting"]): void {
  if (waiting.length === 0) return;
  // What was just written may not be shown yet: it would seem to be gone.
  const ids = waiting.flatMap(({ delivery }) =>
    delivery.link && hasMissing(delivery.link.seen) && hiddenForMs(sink, delivery) <= 0
      ? [delivery.link.externalId]
      : [],
  );
  if (ids.length > 0 && canAskAt(plan, sink)) enqueueUnsure(plan, run, sink.place.id, ids);
  noteWarnings(
    run,
    waiting.flatMap(({ delivery, owed }) =>
      owed.map((mapping) => warningOfWaiting(sink, mapping, delivery.link?.externalId ?? delivery.recordId)),
    ),
  );
}

const canAskAt = (plan: Plan, { place }: SinkPlan): boolean =>
  plan.sources.some((source) => source.place.id === place.id && source.canGetById);
