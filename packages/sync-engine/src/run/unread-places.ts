/** What may not be written yet, as its place has to be read first. */
import { isUnread } from "./find-before-create.ts";
import type { Packed, Parcel } from "./parcels.ts";
import type { SinkPlan } from "./plan.ts";
import { isReadNow } from "./read-now.ts";
import type { Run, StepEnv } from "./run.ts";
import { readFirst } from "./settlements.ts";
import type { ClaimedDelivery } from "./storage.ts";

interface AtSink {
  run: Run;
  sink: SinkPlan;
  env: StepEnv;
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
export function withoutUnread(step: AtSink, packed: Packed): Packed {
  const { sink, env } = step;
  const isTooEarly = (parcel: Parcel): boolean =>
    (parcel.operation === "create" && holdsCreations(step)) ||
    (isUnread(sink, parcel) && !isReadSince(step, parcel.delivery));
  const parcels = packed.parcels.filter((parcel) => !isTooEarly(parcel));
  const waiting = packed.parcels.filter(isTooEarly).map(({ delivery }) => readFirst(delivery, env.now));
  return { ...packed, parcels, settled: [...packed.settled, ...waiting] };
}
