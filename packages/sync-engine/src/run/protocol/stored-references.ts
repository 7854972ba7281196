/** References between records as storage keeps them: which are pending, and who waits for them. */
import type { StoredRecord } from "./stored.ts";

/** A reference that could not be resolved yet: set when the record it names appears. */
export interface PendingReference {
  recordId: string;
  field: string;
  connectorId: string;
  entity: string;
  externalId: string;
  /** When its source set it, UTC ISO-8601. */
  at: string;
}

/** A field of a record of which no reference is pending any more. */
export interface ClearedPending {
  recordId: string;
  field: string;
  /** Whoever named it: another one was said since. Else only what this place named. */
  isEverywhere?: boolean;
}

/** A pending reference whose target is known by now. */
export interface ResolvedReference {
  /** The record that holds the reference, as it stands. */
  record: StoredRecord;
  field: string;
  targetId: string;
  /** The source it came from, and when that set it. */
  placeId: number;
  at: string;
}

/** A destination was notified of a record without this reference, as its target is not there yet. */
export interface WaitingReference {
  connectorId: string;
  entity: string;
  targetId: string;
}
