/**
 * Writes that find their record gone have found a deletion before any reading told of it. Where deletions of the place
 * count it is made sure of, by asking for the record, and taken as one; what was to be written goes with the record.
 */
import type { WriteOutcome } from "@accord/connector-sdk";
import type { PendingWrite } from "../../sink/deliveries/pending-writes.ts";
import type { Plan, SinkPlan } from "../../plan/plan.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { missingThere, deliveryResult } from "../../sink/delivery-results.ts";
import type { DeliveryResult } from "../../protocol/storage.ts";
import { hiddenForMs } from "../../sink/deliveries/write-outcome.ts";

/** So many records of a batch may be gone, whatever its size. */
const FEW = 10;

/** What writes found gone. */
export interface SinkDeletion {
  pendingWrites: ReadonlySet<PendingWrite>;
  /** External records to ask for now. */
  ids: readonly string[];
}

/**
 * Updates of records that are gone at a place whose deletions count. A system that misses most of a larger batch more
 * likely lost its mind than its records, and one that can't be asked for single records can't make sure: there the next
 * comparison of all ids decides.
 */
export function sinkDeletionOf(
  plan: Plan,
  sink: SinkPlan,
  standing: readonly PendingWrite[],
  outcomes: readonly WriteOutcome[],
): SinkDeletion {
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
    pendingWrites: new Set(gone),
    ids: isSure ? gone.flatMap(({ delivery }) => delivery.link?.externalId ?? []) : [],
  };
}

const NONE: SinkDeletion = { pendingWrites: new Set(), ids: [] };

/** Tried again until the deletion is known, which ends it; shown to people where that never comes. */
export function afterSinkDeletion(pendingWrite: PendingWrite, now: number): DeliveryResult {
  const { delivery } = pendingWrite;
  if (delivery.attempts + 1 >= DELIVERY_ATTEMPTS) return missingThere(pendingWrite);
  const nextAt = now + deliveryDelay(delivery.attempts);
  return { ...deliveryResult(delivery, "again"), attempts: delivery.attempts + 1, nextAt };
}
