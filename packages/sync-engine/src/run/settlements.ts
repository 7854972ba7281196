/** How a delivery is settled: done, again, or put aside with its reason. */
import type { Parcel } from "./parcels.ts";
import type { ClaimedDelivery, Settlement } from "./storage.ts";

export function settlement(delivery: ClaimedDelivery, result: Settlement["result"]): Settlement {
  return {
    recordId: delivery.recordId,
    wanted: delivery.wanted,
    result,
    answered: true,
    attempts: delivery.attempts,
    nextAt: 0,
    link: null,
    ledger: null,
    quarantine: null,
  };
}

export function parked(parcel: Parcel, code: string, message: string, answered: boolean): Settlement {
  const { delivery, externalId, values } = parcel;
  const quarantine = {
    direction: "destination" as const,
    externalId,
    recordId: delivery.recordId,
    nodeId: null,
    code,
    message,
    payload: values,
  };
  return { ...settlement(delivery, "parked"), answered, attempts: delivery.attempts + 1, quarantine };
}

/** Time for the next cycle to read before the delivery is due again. */
export const READ_FIRST_MS = 2_000;

/** Waits for a cycle that reads the place. */
export const readFirst = (delivery: ClaimedDelivery, now: number): Settlement => ({
  ...settlement(delivery, "again"),
  answered: delivery.unanswered === null,
  nextAt: now + READ_FIRST_MS,
});
