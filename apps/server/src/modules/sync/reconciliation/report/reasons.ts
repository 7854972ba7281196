/** What explains a difference: work under way, decisions of authority, quarantine, settings. Pure. */
import type { DifferenceReason } from "@accord/contracts/sync/reconciliation";
import { sameValue } from "@accord/expressions";
import { type Evidence, fieldKey, type LastChange, type Progress } from "../comparison/evidence.store.ts";
import type { RawDifference, Subject } from "../comparison/subjects.ts";
import type { ComparedSystem } from "../comparison/systems.ts";

export interface ReasonContext {
  system: ComparedSystem;
  evidence: Evidence;
  progress: Progress;
  lastChanges: ReadonlyMap<string, LastChange>;
}

export function reasonOf(
  difference: RawDifference,
  { modifiedAt }: Pick<Subject, "modifiedAt">,
  context: ReasonContext,
): DifferenceReason {
  if (difference.reason !== null) return difference.reason;
  const { evidence } = context;
  const { externalId, recordId } = difference;
  if (externalId !== null && evidence.quarantinedOutside.has(externalId)) return "quarantined";
  if (recordId !== null && evidence.quarantinedRecords.has(recordId)) return "quarantined";
  switch (difference.kind) {
    case "unlinked":
      return unlinkedReason(difference, modifiedAt, context);
    case "missing":
      return missingReason(difference, context);
    case "not_delivered":
      return deliveryReason(difference, context) ?? "unexplained";
    case "not_deleted":
      // What is under way for the record, or has failed, comes before what else may keep its deletion back.
      return (
        deliveryReason(difference, context) ?? (evidence.heldBack.has(externalId ?? "") ? "held_back" : "unexplained")
      );
    case "different":
      return fieldReason(difference, context);
    case "doubled":
      return "unexplained";
  }
}

const hasRead = ({ system: { source }, progress }: ReasonContext): boolean =>
  source !== null && progress.hasCycled && progress.read.has(source.nodeId);

const readReason = (context: ReasonContext): DifferenceReason => (hasRead(context) ? "unexplained" : "waiting_to_read");

function unlinkedReason(
  { recordId }: RawDifference,
  modifiedAt: string | null,
  context: ReasonContext,
): DifferenceReason {
  const { evidence, progress } = context;
  if (recordId !== null && evidence.deliveries.get(recordId)?.isInDoubt) return "waiting_to_send";
  const isOld = modifiedAt !== null && modifiedAt < progress.publishedAt;
  if (progress.isChangesOnly && isOld) return "not_brought_in";
  return readReason(context);
}

function missingReason(difference: RawDifference, context: ReasonContext): DifferenceReason {
  const { evidence, progress, system } = context;
  if (evidence.missing.has(difference.externalId ?? "")) return "waiting_to_read";
  if (deliveryReason(difference, context) === "waiting_to_send") return "waiting_to_send";
  if (!system.source) return "unexplained";
  if (system.reportsDeletions) return readReason(context);
  if (!system.isScannedForDeletions) return "unexplained";
  return progress.scanned.has(system.placeId) ? readReason(context) : "waiting_to_read";
}

function deliveryReason({ recordId }: RawDifference, { evidence }: ReasonContext): DifferenceReason | null {
  const delivery = evidence.deliveries.get(recordId ?? "");
  if (!delivery) return null;
  return delivery.isParked ? "quarantined" : "waiting_to_send";
}

function fieldReason(difference: RawDifference, context: ReasonContext): DifferenceReason {
  const { evidence, lastChanges, system } = context;
  const key = fieldKey(difference.recordId ?? "", difference.field ?? "");
  if (evidence.conflicts.has(key)) return "kept_out";
  if (evidence.pendingReferences.has(key)) return "reference_pending";
  if (evidence.heldBack.has(difference.externalId ?? "")) return "held_back";
  const delivery = difference.isAtSink ? deliveryReason(difference, context) : null;
  if (delivery) return delivery;
  if (difference.isUnread) return readReason(context);
  if (difference.isAtSink) return "unexplained";
  const last = lastChanges.get(key);
  const isElsewhere =
    last !== undefined && (last.placeId !== system.placeId || last.externalId !== difference.externalId);
  return isElsewhere && sameValue(last.value, difference.coreValue) ? "superseded" : "unexplained";
}
