/**
 * Writes that find their record gone have found a deletion before any reading told of it. Where deletions of the place
 * count it is made sure of, by asking for the record, and taken as one; what was to be written goes with the record.
 */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { Parcel } from "./parcels.ts";
import type { Plan, SinkPlan } from "./plan.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "./retry.ts";
import { missingThere, settlement } from "./settlements.ts";
import type { Settlement } from "./storage.ts";
import { hiddenForMs } from "./take-answer.ts";

/** So many records of a batch may be gone, whatever its size. */
const FEW = 10;

/** What writes found gone. */
export interface FoundGone {
  parcels: ReadonlySet<Parcel>;
  /** Outside records to ask for now. */
  ids: readonly string[];
}

/**
 * Updates of records that are gone at a place whose deletions count. A system that misses most of a larger batch more
 * likely lost its mind than its records, and one that can't be asked for single records can't make sure: there the next
 * comparison of all ids decides.
 */
export function foundGone(
  plan: Plan,
  sink: SinkPlan,
  standing: readonly Parcel[],
  outcomes: readonly WriteOutcome[],
): FoundGone {
  const source = plan.sources.find(({ place }) => place.id === sink.place.id);
  if (!source?.acceptDeletes) return NONE;
  const gone = standing.filter(
    ({ operation, delivery }, index) =>
      operation === "update" &&
      outcomes[index]?.status === "missing" &&
      delivery.link?.dead === false &&
      hiddenForMs(sink, delivery) <= 0,
  );
  const isSure = source.canGetById && (gone.length <= FEW || gone.length * 2 <= standing.length);
  return {
    parcels: new Set(gone),
    ids: isSure ? gone.flatMap(({ delivery }) => delivery.link?.externalId ?? []) : [],
  };
}

const NONE: FoundGone = { parcels: new Set(), ids: [] };

/** Tried again until the deletion is known, which ends it; shown to people where that never comes. */
export function afterFoundGone(parcel: Parcel, now: number): Settlement {
  const { delivery } = parcel;
  if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS) return missingThere(parcel);
  const nextAt = now + deliveryDelay(delivery.attempts);
  return { ...settlement(delivery, "again"), attempts: delivery.attempts + 1, nextAt };
}
