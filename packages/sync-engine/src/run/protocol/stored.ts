/** Records, links and history as storage keeps them. */
import type { Value, Values } from "@accord/contracts/data/values";

/** Who set a field and when; kept per field where authority needs it. */
export type Origin = { [field: string]: { by: string; at: string } };

/** A core record as stored. */
export interface StoredRecord {
  recordId: string;
  version: number;
  deleted: boolean;
  values: Values;
  origin: Origin;
}

/** An external record's tie to a core record. */
export interface StoredLink {
  externalId: string;
  recordId: string;
  /** Fingerprint of what was last seen there (source fields); null when never read. */
  seen: string | null;
  /** Fingerprint of what it was last told or seen to hold (destination fields); null when never written. */
  lastWritten: string | null;
  /** Fingerprint (destination fields) of values that were refused and overwritten there; null when none was. */
  refused: string | null;
  /** How the system spelled what it was told, see `normalized-values.ts`; null where it didn't. */
  respelled: string | null;
  /** Newest time of change that the system told us, UTC ISO-8601. */
  modifiedAt: string | null;
  /** The external record is gone. */
  dead: boolean;
  /** Set while a filter of the source keeps its copy from the core. */
  heldBack?: HeldBack | null;
}

/** What was known of a copy when a filter held it back. */
export interface HeldBack {
  /** What changed in it before this moment had been read, UTC ISO-8601; null: not known. */
  since: string | null;
  /** Fingerprint of what it showed when it was read last (source fields). */
  shown: string;
  /** Fingerprints of the core's values, but blanks, by field; empty for those that the copy had not been told yet. */
  values: { readonly [field: string]: string };
}

/** A field that a place has lost at least once. */
export interface LostField {
  /** Number of its last loss, among all of its place. */
  loss: number;
  /** It is not there yet. */
  isGone: boolean;
  /** What told it from others of its name when it was read last, where its system tells that. */
  id?: string;
}

/** By connector field. */
export type LostFields = { readonly [field: string]: LostField };

export type LedgerOperation =
  | "create"
  | "update"
  | "delete"
  | "restore"
  | "attach"
  | "refuse"
  | "write"
  | "unlink"
  | "merge";

export type Changes = { [field: string]: [from: Value, to: Value] };

/** One row per changed record and batch: what changed from what to what, and what was refused and why. */
export interface LedgerEntry {
  recordId: string;
  operation: LedgerOperation;
  externalId: string | null;
  changes: Changes;
  /** Of a record that a page created: its values. Each of them was nothing before; `changes` holds none then. */
  created?: Values;
  refused: { [field: string]: Refusal } | null;
}

/**
 * A value that was kept out. `connectorField`: where its external record holds it, of values that can't be converted
 * whose field is named otherwise there: entries of writes name the connector's fields.
 */
export type Refusal = [value: Value, reason: RefusalReason, connectorField?: string];

export type RefusalReason =
  | "empty_rejected"
  | "older"
  | "lower_ranked"
  | "not_selected"
  | "not_convertible"
  | "stale_read"
  | "deleted"
  | "alternates"
  | "unconfirmed";

/** A value that authority kept out: two sources disagree until a person settles it or the loser comes round. */
export interface ConflictWrite {
  recordId: string;
  field: string;
  value: Value;
  /** When its source set it, UTC ISO-8601. */
  at: string;
  reason: RefusalReason;
}

/** What an entry says that changed, whatever it is about. */
export function changesOf({ changes, created }: Pick<LedgerEntry, "changes" | "created">): Changes {
  if (!created) return changes;
  const all: Changes = {};
  for (const field in created) {
    const value = created[field] ?? null;
    if (value !== null) all[field] = [null, value];
  }
  return all;
}
