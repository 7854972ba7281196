/**
 * Fields that are not to be written for now, as the system does not have them: it vanished at the last refresh of the
 * schema, the system refused it by name, or what was written to it is not shown. The other fields of a record are
 * written; its delivery stays outstanding, and the record is asked for again less and less often until the field is back.
 */
import { runTexts } from "@accord/contracts/messages/en/sync/run/cycle";
import { fill } from "@accord/contracts/messages/fill";
import type { WriteOutcome } from "@accord/connector-sdk";
import { isMissing, isMissingUnsure, missingPart, partAt, replaceFields } from "../fingerprint.ts";
import { isHeldUnseen } from "./missing-fields.ts";
import type { PendingWrite } from "../../sink/deliveries/pending-writes.ts";
import type { EndpointPlan, SinkMapping, SinkPlan } from "../../plan/plan.ts";
import { readIndexAt, readIndexOf } from "./read-index.ts";
import { DELIVERY_ATTEMPTS, deliveryDelay } from "../../protocol/retry.ts";
import { deliveryResult } from "../../sink/delivery-results.ts";
import type { ClaimedDelivery, DeliveryResult } from "../../protocol/storage.ts";
import type { StoredLink } from "../../protocol/stored.ts";
import type { RecordWarning } from "../../protocol/inbound-record.ts";

/** `lacking`: connector fields that the system has refused by name in this cycle. */
export const isWaitedFor = (
  place: EndpointPlan,
  { connectorField, writeIndex, isMissing: isGone }: SinkMapping,
  link: StoredLink | null,
  lacking: ReadonlySet<string>,
): boolean => isGone === true || lacking.has(connectorField) || isMissingUnsure(partOf(place, writeIndex, link));

const partOf = (place: EndpointPlan, writeIndex: number, link: StoredLink | null): string => {
  const read = readIndexAt(place, writeIndex);
  return read === undefined ? "" : partAt(link?.seen ?? "", read);
};

/** Whether the place is still to be told a value, by its fingerprint, of a field that is waited for. */
export const isOwed = (
  place: EndpointPlan,
  { writeIndex }: SinkMapping,
  link: StoredLink | null,
  hash: string,
): boolean =>
  !isHeldUnseen({ lastWritten: link?.lastWritten ?? null }, partOf(place, writeIndex, link), writeIndex, hash);

/** The longest time between two looks whether a field is back. */
const MAX_WAIT_MS = 15 * 60_000;

/** Tried again, less and less often; never given up. */
export function waitForField(delivery: ClaimedDelivery, now: number): DeliveryResult {
  const { attempts } = delivery;
  const isLast = attempts + 1 >= DELIVERY_ATTEMPTS;
  return {
    ...deliveryResult(delivery, "again"),
    answered: delivery.unanswered === null,
    attempts: Math.min(attempts + 1, DELIVERY_ATTEMPTS - 1),
    nextAt: now + (isLast ? MAX_WAIT_MS : deliveryDelay(attempts)),
  };
}

/** What people learn of fields that can't be written. */
export const warningOfWaiting = (
  { nodeId }: Pick<SinkPlan, "nodeId">,
  { coreField, connectorField, isComputed }: SinkMapping,
  record: string,
): RecordWarning => ({
  nodeId,
  code: "field_missing",
  message: fill(runTexts.fieldWaitedFor, { field: connectorField }),
  record,
  ...(isComputed ? {} : { field: coreField }),
});

/**
 * Fields for which a record may have been refused: the one that the system says it does not have, or those that were
 * written though it leaves them out of its answers. They are left out the next time; what else is refused is the
 * record's own.
 */
export function refusedFields(
  { place }: SinkPlan,
  { values, delivery }: PendingWrite,
  outcome: WriteOutcome,
): string[] {
  if (outcome.status !== "rejected") return [];
  const { code, field } = outcome;
  if (code === "unknown_field" && field !== undefined && field in values) return [field];
  return Object.keys(values).filter((name) => isMissing(seenAt(place, delivery.link, name)));
}

const seenAt = (place: EndpointPlan, link: StoredLink | null, field: string): string => {
  const read = readIndexOf(place, field);
  return read < 0 ? "" : partAt(link?.seen ?? "", read);
};

/** Written again at once without the fields that it was refused for. */
export function withoutRefused(
  { place }: SinkPlan,
  { delivery }: PendingWrite,
  fields: readonly string[],
  now: number,
): DeliveryResult {
  const { link } = delivery;
  const again = { ...deliveryResult(delivery, "again"), answered: delivery.unanswered === null, nextAt: now };
  const parts = new Map(
    fields.flatMap((field): [number, string][] => {
      const part = seenAt(place, link, field);
      return isMissing(part) ? [[readIndexOf(place, field), missingPart(part, true)]] : [];
    }),
  );
  if (!link || parts.size === 0) return again;
  return { ...again, link: { ...link, seen: replaceFields(link.seen, place.readFields.length, parts), isNew: false } };
}
