/** What is compared at one system: an external record, a core record that should be there, or both by their link. */
import type { DifferenceKind, DifferenceReason } from "@accord/contracts/sync/reconciliation";
import type { Value, Values } from "@accord/contracts/data/values";

export interface Subject {
  /** Null: the record has no alive link to the system. */
  externalId: string | null;
  /** Null: found by its external id. */
  recordId: string | null;
  /** As the system holds it; null when it does not. */
  values: Values | null;
  modifiedAt: string | null;
}

/** A difference before it is known what explains it. */
export interface RawDifference {
  kind: DifferenceKind;
  externalId: string | null;
  recordId: string | null;
  /** Core field and connector field; null where the whole record is meant. */
  field: string | null;
  connectorField: string | null;
  outsideValue: Value;
  coreValue: Value;
  /** What the comparison itself knows explains it. */
  reason: DifferenceReason | null;
  /** The system's value is not the one the engine last saw there. */
  isUnread: boolean;
  /** Compared as a destination's value; else as a source's. */
  isAtSink: boolean;
  /** Hash of the values by which an external record without a link and a core record without one are found to be one. */
  signature: string | null;
}

export interface ComparedSubject {
  subject: Subject;
  recordId: string | null;
  differences: RawDifference[];
}

export interface FoundDifference extends RawDifference {
  reason: DifferenceReason;
}

export const subjectKey = ({ externalId, recordId }: Pick<Subject, "externalId" | "recordId">): string =>
  JSON.stringify([externalId ?? "", externalId === null ? (recordId ?? "") : ""]);
