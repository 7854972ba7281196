/** Entries of quarantine as pages and deliveries write them, and as pages find them. */
import type { Values } from "@accord/contracts/data/values";

export interface QuarantineWrite {
  direction: "source" | "destination";
  externalId: string | null;
  recordId: string | null;
  nodeId: string | null;
  code: string;
  message: string;
  /** The record as it came, to replay it. */
  payload: Values | null;
  /**
   * What changed at the source before this moment had been read, UTC ISO-8601; absent: not known. An entry that is open
   * already keeps its own.
   */
  knownUntil?: string;
  /** When the source says that the record was changed, UTC ISO-8601; absent: it does not say. */
  modifiedAt?: string;
}

/** An entry of a source that is open, as a page needs it. See `QuarantineWrite`. */
export interface OpenQuarantine {
  knownUntil: string | null;
  modifiedAt: string | null;
}
