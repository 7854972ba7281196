/** What becomes of a core record when one of its external records is gone. */
import { REMOVED_BY_US } from "../state/fingerprint.ts";
import { findSinkAt, type Plan } from "../plan/plan.ts";
import type { LinkWrite, Resolved } from "../protocol/storage.ts";
import type { StoredLink, StoredRecord } from "../protocol/stored.ts";

export interface DeletionEffect {
  /** The record goes along, or only its tie to the external record is over. */
  operation: "delete" | "unlink";
  /** Places that have to learn of it. */
  tell: readonly number[];
}

/** Null when nothing follows from it. The record goes when nobody else holds on to it. */
export function deletionEffectOf(
  plan: Plan,
  placeId: number,
  link: StoredLink,
  stored: StoredRecord | null,
  resolved: Resolved,
): DeletionEffect | null {
  // Our own deletion coming back says nothing about a record that was restored since.
  const isOurs = link.dead && link.lastWritten === REMOVED_BY_US;
  if (!stored || stored.deleted || isOurs) return null;
  const others = resolved.otherPlaces.get(stored.recordId) ?? [];
  const mayGo =
    !resolved.aliased?.has(stored.recordId) && others.every((other) => findSinkAt(plan, other)?.delete === true);
  if (mayGo) return { operation: "delete", tell: everywhereElse(plan, placeId, others) };
  if (link.dead) return null;
  return { operation: "unlink", tell: findSinkAt(plan, placeId)?.recreate ? [placeId] : [] };
}

/** Also places that have just been notified of the record, or are being told: they hold it though no id there is known. */
const everywhereElse = (plan: Plan, placeId: number, known: readonly number[]): number[] => {
  const may = plan.sinks.flatMap((sink) => (sink.delete && sink.place.id !== placeId ? [sink.place.id] : []));
  return [...new Set([...known, ...may])];
};

/** The tie of an external record that is gone. What a filter held back of it is over: what comes under its id is new. */
export const deadAfter = (link: StoredLink, modifiedAt: string | null): LinkWrite => ({
  ...link,
  isNew: false,
  dead: true,
  heldBack: null,
  modifiedAt: modifiedAt ?? link.modifiedAt,
});
