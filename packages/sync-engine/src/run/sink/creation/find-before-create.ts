/** Looking before creating: what is there already is tied or updated, and nothing unseen is written over. */
import type { SourceRecord } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { fieldOf, isKnown, replaceFields, writtenFingerprint } from "../../state/fingerprint.ts";
import type { PreparedWrites, PendingWrite } from "../deliveries/pending-writes.ts";
import type { SinkPlan } from "../../plan/plan.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { alreadyLinked, ambiguousThere, DEFER_UNTIL_READ_MS, deliveryResult, waitForTie } from "../delivery-results.ts";
import type { LinkWrite, DeliveryResult } from "../../protocol/storage.ts";
import { isReadNow } from "../../state/fields/read-index.ts";

/** What to look up before creating: null when nothing has to be, or can be. */
export function lookupOf(
  sink: SinkPlan,
  pendingWrites: readonly PendingWrite[],
): { field: string; values: Value[] } | null {
  const { matchOn, canLookup } = sink;
  if (!matchOn || !canLookup) return null;
  const keys = pendingWrites.flatMap((pendingWrite): Value[] =>
    creationKey(matchOn, pendingWrite) === null ? [] : [pendingWrite.values[matchOn] ?? null],
  );
  return keys.length > 0 ? { field: matchOn, values: [...new Set(keys)] } : null;
}

/**
 * Creations whose record turned out to exist. Where nobody reads, they become updates of it. A place that is also read
 * is only tied: the next cycle reads what stands there before anything is written over it.
 */
export function adoptExisting(
  sink: SinkPlan,
  preparedWrites: PreparedWrites,
  found: readonly SourceRecord[],
  now: number,
): PreparedWrites {
  const matches = matchesAmong(sink.matchOn ?? "", preparedWrites.pendingWrites, found);
  const adopted: PreparedWrites = { ...preparedWrites, pendingWrites: [], settled: [...preparedWrites.settled] };
  for (const pendingWrite of preparedWrites.pendingWrites) {
    const match = matches.get(pendingWrite);
    // What was to be deleted there is not there.
    const isGone = pendingWrite.operation === "create" && pendingWrite.delivery.record?.deleted === true;
    if (!match && isGone) adopted.settled.push(deliveryResult(pendingWrite.delivery, "done"));
    else if (!match) adopted.pendingWrites.push(pendingWrite);
    else if (match === "ambiguous") adopted.settled.push(ambiguousThere(pendingWrite));
    else if ("takenId" in match)
      adopted.settled.push({
        ...waitForTie(pendingWrite, now, match.takenId),
        answered: pendingWrite.delivery.unanswered === null,
      });
    else if (isReadNow(sink.place)) adopted.settled.push(tie(sink, pendingWrite, match, now));
    else adopted.pendingWrites.push({ ...pendingWrite, operation: "update", externalId: match.id });
  }
  return adopted;
}

/** What was found for a creation; or that another one of the batch takes it, or that nobody can say which it is. */
type Match = SourceRecord | { takenId: string } | "ambiguous";

/**
 * The record of each creation's own key, of several the first; without one, that of a key which differs in case only,
 * unless several keys do so, here or there. Each record is matched once, first with a creation in doubt: that may have
 * made it.
 */
function matchesAmong(
  matchOn: string,
  pendingWrites: readonly PendingWrite[],
  found: readonly SourceRecord[],
): ReadonlyMap<PendingWrite, Match> {
  const here = pendingWrites.flatMap((pendingWrite): Keyed<PendingWrite>[] => {
    const key = creationKey(matchOn, pendingWrite);
    return key === null ? [] : [{ key, item: pendingWrite }];
  });
  const there = found.flatMap((record): Keyed<SourceRecord>[] => {
    const key = record.deleted ? null : keyOf(record.values[matchOn]);
    return key === null ? [] : [{ key, item: record }];
  });
  const byKey = Map.groupBy(there, ({ key }) => key);
  const wanted = new Set(here.map(({ key }) => key));
  // A record of a key that is asked for belongs to that one alone.
  const othersThere = byFoldedKey(there.filter(({ key }) => !wanted.has(key)));
  const othersHere = byFoldedKey(here.filter(({ key }) => !byKey.has(key)));
  const matchOf = (key: string): SourceRecord | "ambiguous" | undefined => {
    const own = byKey.get(key)?.[0];
    if (own) return own.item;
    const like = othersThere.get(fold(key)) ?? [];
    const isOneThere = new Set(like.map(({ item }) => item.id)).size === 1;
    const isOneHere = othersHere.get(fold(key))?.every((other) => other.key === key) === true;
    return like[0] && (isOneThere && isOneHere ? like[0].item : "ambiguous");
  };
  const matches = new Map<PendingWrite, Match>();
  const taken = new Set<string>();
  const isInDoubt = ({ item }: Keyed<PendingWrite>): boolean => item.delivery.unanswered !== null;
  for (const { key, item } of [...here.filter(isInDoubt), ...here.filter((one) => !isInDoubt(one))]) {
    const match = matchOf(key);
    if (match === "ambiguous") matches.set(item, match);
    else if (match) {
      matches.set(item, taken.has(match.id) ? { takenId: match.id } : match);
      taken.add(match.id);
    }
  }
  return matches;
}

interface Keyed<Item> {
  key: string;
  item: Item;
}

const byFoldedKey = <Item>(items: readonly Keyed<Item>[]): ReadonlyMap<string, readonly Keyed<Item>[]> =>
  Map.groupBy(items, ({ key }) => fold(key));

const fold = (key: string): string => key.toLowerCase();

/** Null where there is nothing to find a record by. */
function keyOf(value: Value | undefined): string | null {
  if (value === undefined || value === null || typeof value === "object") return null;
  const key = String(value);
  return key.trim() === "" ? null : key;
}

const creationKey = (matchOn: string, { operation, values }: PendingWrite): string | null =>
  operation === "create" ? keyOf(values[matchOn]) : null;

/** Whether the pending write would overwrite something that was never seen. */
export function isUnverified(sink: SinkPlan, { operation, values, delivery }: PendingWrite): boolean {
  if (operation !== "update" || !delivery.link) return false;
  const { seen } = delivery.link;
  return sink.place.shared.some(
    ({ read, writeIndex }) =>
      values[sink.place.writeFields[writeIndex] ?? ""] !== undefined &&
      (seen === null || !isKnown(fieldOf(seen, read))),
  );
}

function tie(sink: SinkPlan, pendingWrite: PendingWrite, match: SourceRecord, now: number): DeliveryResult {
  const { delivery } = pendingWrite;
  const written = delivery.unanswered?.written ?? [];
  const lastWritten = writtenFingerprint(sink.place.writeFields, match.values);
  // Only what we may have written ourselves counts as seen; everything else there is news when it is read.
  const own = new Map<number, string>();
  for (const { read, writeIndex } of sink.place.shared) {
    const part = fieldOf(lastWritten, writeIndex);
    if (written.some((attempt) => fieldOf(attempt, writeIndex) === part)) own.set(read, part);
  }
  const link: LinkWrite = {
    externalId: match.id,
    recordId: delivery.recordId,
    seen: replaceFields(null, sink.place.readFields.length, own),
    lastWritten,
    refused: null,
    respelled: null,
    modifiedAt: null,
    dead: false,
    isNew: true,
  };
  const ifTaken = { quarantine: alreadyLinked(pendingWrite).quarantine };
  const again = { ...deliveryResult(delivery, "again"), answered: delivery.unanswered === null, link, ifTaken };
  const readAt = now + DEFER_UNTIL_READ_MS + sink.readDelayMs;
  // Two that are in doubt must not wait for each other: what was found goes to the first that asks.
  if (delivery.unanswered !== null) return { ...again, nextAt: readAt };
  const writeIndex = sink.place.writeFields.indexOf(sink.matchOn ?? "");
  const key = fieldOf(pendingWrite.written, writeIndex);
  // Counted: another one may be in doubt for long, and meanwhile the destination is asked less and less often.
  const attempts = Math.min(delivery.attempts + 1, DELIVERY_ATTEMPTS - 1);
  const nextAt = Math.max(readAt, now + deliveryDelay(delivery.attempts));
  return { ...again, attempts, nextAt, foundBy: { writeIndex, key } };
}
