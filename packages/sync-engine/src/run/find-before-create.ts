/** Looking before creating: what is there already is tied or updated, and nothing unseen is written over. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { fieldOf, isKnown, replaceFields, writtenFingerprint } from "./fingerprint.ts";
import type { Packed, Parcel } from "./parcels.ts";
import type { SinkPlan } from "./plan.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "./retry.ts";
import { READ_FIRST_MS, settlement } from "./settlements.ts";
import type { LinkWrite, Settlement } from "./storage.ts";
import { isReadNow } from "./read-now.ts";

/** What to look up before creating: null when nothing has to be, or can be. */
export function lookupOf(sink: SinkPlan, parcels: readonly Parcel[]): { field: string; values: Value[] } | null {
  const { matchOn, canLookup } = sink;
  if (!matchOn || !canLookup) return null;
  const keys = parcels.flatMap(({ operation, values }): Value[] => {
    const key = operation === "create" ? (values[matchOn] ?? null) : null;
    return key === null || key === "" ? [] : [key];
  });
  return keys.length > 0 ? { field: matchOn, values: [...new Set(keys)] } : null;
}

/**
 * Creations whose record turned out to exist. Where nobody reads, they become updates of it. A place that is also read
 * is only tied: the next cycle reads what stands there before anything is written over it.
 */
export function adoptFound(sink: SinkPlan, packed: Packed, found: readonly SourceRecord[], now: number): Packed {
  const byKey = new Map<string, SourceRecord>();
  for (const record of found) {
    const key = keyOf(record.values[sink.matchOn ?? ""]);
    if (!byKey.has(key) && !record.deleted) byKey.set(key, record);
  }
  const adopted: Packed = { parcels: [], settled: [...packed.settled] };
  for (const parcel of packed.parcels) {
    const match = parcel.operation === "create" ? byKey.get(keyOf(parcel.values[sink.matchOn ?? ""])) : undefined;
    // What was to be deleted there is not there.
    const isGone = parcel.operation === "create" && parcel.delivery.record?.deleted === true;
    if (!match && isGone) adopted.settled.push(settlement(parcel.delivery, "done"));
    else if (!match) adopted.parcels.push(parcel);
    else if (isReadNow(sink.place)) adopted.settled.push(tie(sink, parcel, match, now));
    else adopted.parcels.push({ ...parcel, operation: "update", externalId: match.id });
  }
  return adopted;
}

/** Whether the parcel would overwrite something that was never seen. */
export function isUnread(sink: SinkPlan, { operation, values, delivery }: Parcel): boolean {
  if (operation !== "update" || !delivery.link) return false;
  const { seen } = delivery.link;
  return sink.place.shared.some(
    ({ read, told }) =>
      values[sink.place.toldFields[told] ?? ""] !== undefined && (seen === null || !isKnown(fieldOf(seen, read))),
  );
}

function tie(sink: SinkPlan, parcel: Parcel, match: SourceRecord, now: number): Settlement {
  const { delivery } = parcel;
  const written = delivery.unanswered?.written ?? [];
  const told = writtenFingerprint(sink.place.toldFields, match.values);
  // Only what we may have written ourselves counts as seen; everything else there is news when it is read.
  const own = new Map<number, string>();
  for (const { read, told: toldIndex } of sink.place.shared) {
    const part = fieldOf(told, toldIndex);
    if (written.some((attempt) => fieldOf(attempt, toldIndex) === part)) own.set(read, part);
  }
  const link: LinkWrite = {
    externalId: match.id,
    recordId: delivery.recordId,
    seen: replaceFields(null, sink.place.readFields.length, own),
    told,
    refused: null,
    respelled: null,
    modifiedAt: null,
    dead: false,
    isNew: true,
  };
  const again = { ...settlement(delivery, "again"), answered: delivery.unanswered === null, link };
  const readAt = now + READ_FIRST_MS + sink.readDelayMs;
  // Two that are in doubt must not wait for each other: what was found goes to the first that asks.
  if (delivery.unanswered !== null) return { ...again, nextAt: readAt };
  const toldIndex = sink.place.toldFields.indexOf(sink.matchOn ?? "");
  const key = fieldOf(parcel.written, toldIndex);
  // Counted: another one may be in doubt for long, and meanwhile the destination is asked less and less often.
  const attempts = Math.min(delivery.attempts + 1, DELIVERY_ATTEMPTS - 1);
  const nextAt = Math.max(readAt, now + deliveryDelay(delivery.attempts));
  return { ...again, attempts, nextAt, foundBy: { toldIndex, key } };
}

const keyOf = (value: Value | undefined): string => String(value ?? "").toLowerCase();
