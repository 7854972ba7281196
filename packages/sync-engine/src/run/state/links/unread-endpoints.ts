/** What may not be written yet, as its place has to be read first. */
import { isUnverified } from "../../sink/creation/find-before-create.ts";
import type { PreparedWrites, PendingWrite } from "../../sink/deliveries/pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { isReadNow } from "../fields/read-index.ts";
import type { Run, StepContext } from "../../run.ts";
import { deferUntilRead } from "../../sink/delivery-results.ts";
import type { ClaimedDelivery } from "../../protocol/storage.ts";

interface AtSink {
  run: Run;
  sink: SinkPlan;
  env: StepContext;
}

/**
 * Whether the place has been read since the delivery fell due. What an attempt without an answer did there, and what
 * stands in a record that was only tied, must be known before anything is written over it.
 */
export function isReadSince({ run, sink, env }: AtSink, { dueForMs, recordId }: ClaimedDelivery): boolean {
  if (!isReadNow(sink.place)) return true;
  if (run.sinks.find(({ placeId }) => placeId === sink.place.id)?.refused.has(recordId)) return true;
  const readAt = run.sources.find(({ placeId }) => placeId === sink.place.id)?.readAt ?? null;
  return readAt !== null && env.now - dueForMs <= readAt;
}

/**
 * Whether any record may be there already for all we know: nobody has read the place through, and it can't be asked.
 * Reading it ties what is there to its record; creating it before would double it.
 */
export function holdsCreations({ run, sink }: Pick<AtSink, "run" | "sink">): boolean {
  if (sink.canLookup && sink.matchOn !== null) return false;
  if (run.historyPlaces.includes(sink.place.id)) return true;
  if (!run.unreadPlaces.includes(sink.place.id)) return false;
  const source = run.sources.find(({ placeId }) => placeId === sink.place.id);
  return (source?.readAt ?? null) === null;
}

/** Without what must be read first: that is settled as waiting for it. */
export function withoutUnread(step: AtSink, preparedWrites: PreparedWrites): PreparedWrites {
  const { sink, env } = step;
  const isTooEarly = (pendingWrite: PendingWrite): boolean =>
    (pendingWrite.operation === "create" && holdsCreations(step)) ||
    (isUnverified(sink, pendingWrite) && !isReadSince(step, pendingWrite.delivery));
  const pendingWrites = preparedWrites.pendingWrites.filter((pendingWrite) => !isTooEarly(pendingWrite));
  const waiting = preparedWrites.pendingWrites
    .filter(isTooEarly)
    .map(({ delivery }) => deferUntilRead(delivery, env.now));
  return { ...preparedWrites, pendingWrites, settled: [...preparedWrites.settled, ...waiting] };
}
