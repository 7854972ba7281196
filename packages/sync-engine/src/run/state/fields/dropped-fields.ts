/**
 * Fields that a place was without, and is not any more: a blank there need not be a clearing, as a column that is made
 * anew is empty. Records that were read meanwhile hold a mark of it; those that were not are told by the number of the
 * loss, which each fingerprint carries that is read or written afterwards: a place counts how often it lost fields.
 */
import type { ReadPage } from "@accord/connector-sdk";
import { afterLoss, isMissing, lossIn, MAX_LOSSES, partAt, replaceFields } from "../fingerprint.ts";
import { partOfMissing } from "./missing-fields.ts";
import type { EndpointPlan, SourcePlan } from "../../plan/plan.ts";
import type { Claimed, Resolved } from "../../protocol/storage.ts";
import type { LostField, LostFields, StoredLink } from "../../protocol/stored.ts";

const NEVER_LOST: LostField = { loss: 0, isGone: false };

/** The number of the last loss of a place; 0: it has lost nothing. */
export const lastLoss = (lost: LostFields): number =>
  Object.values(lost).reduce((last, { loss }) => Math.max(last, loss), 0);

/**
 * What a place has lost by now, as a page says it: a field with another identity than it was read with last was removed
 * and made anew, though no schema was read in between. The same object where nothing changed.
 */
export function lostByPage(
  { mappings }: Pick<SourcePlan, "mappings">,
  lost: LostFields,
  { fieldIds }: Pick<ReadPage, "fieldIds">,
): LostFields {
  if (!fieldIds) return lost;
  const changes: { [field: string]: LostField } = {};
  for (const { connectorField } of mappings) {
    const [id, known] = [fieldIds[connectorField], lost[connectorField]];
    if (id === undefined || id === known?.id) continue;
    const { loss, isGone } = known ?? NEVER_LOST;
    const isAnew = known?.id !== undefined && !isGone;
    changes[connectorField] = { loss: isAnew ? Math.min(lastLoss(lost) + 1, MAX_LOSSES) : loss, isGone, id };
  }
  return Object.keys(changes).length === 0 ? lost : { ...lost, ...changes };
}

/** What a place has lost by now, as its mappings say it; the same object where nothing changed. */
export function lostAfter({ mappings }: Pick<SourcePlan, "mappings">, lost: LostFields): LostFields {
  const changes: { [field: string]: LostField } = {};
  for (const { connectorField, isMissing: isGone = false } of mappings) {
    const known = lost[connectorField] ?? NEVER_LOST;
    if (isGone === known.isGone) continue;
    const loss = isGone ? Math.min(lastLoss(lost) + 1, MAX_LOSSES) : known.loss;
    changes[connectorField] = { ...known, loss, isGone };
  }
  return Object.keys(changes).length === 0 ? lost : { ...lost, ...changes };
}

/** A link with a mark in each field that was lost since its record was read or written last, as if it had been read then. */
export function withLosses(place: EndpointPlan, lost: LostFields, link: StoredLink): StoredLink {
  const { seen } = link;
  const loss = lastLoss(lost);
  if (seen === null || lossIn(seen) >= loss) return link;
  const parts = new Map<number, string>();
  for (const [index, field] of place.readFields.entries()) {
    const { loss: ofField } = lost[field] ?? NEVER_LOST;
    const isLost = ofField > lossIn(seen) && !place.lapsed?.has(index);
    if (isLost && !isMissing(partAt(seen, index))) parts.set(index, partOfMissing(place, link, index));
  }
  return { ...link, seen: afterLoss(replaceFields(seen, place.readFields.length, parts), loss) };
}

/** Likewise all links that were found for a page; the same object where nothing was lost. */
export function resolvedWithLosses(place: EndpointPlan, lost: LostFields, found: Resolved): Resolved {
  if (lastLoss(lost) === 0) return found;
  return { ...found, links: new Map([...found.links].map(([id, link]) => [id, withLosses(place, lost, link)])) };
}

/** Likewise the links of what is to be written; the same object where nothing was lost. */
export function claimedWithLosses(place: EndpointPlan, lost: LostFields, found: Claimed): Claimed {
  if (lastLoss(lost) === 0) return found;
  const deliveries = found.deliveries.map((delivery) =>
    delivery.link ? { ...delivery, link: withLosses(place, lost, delivery.link) } : delivery,
  );
  return { ...found, deliveries };
}
