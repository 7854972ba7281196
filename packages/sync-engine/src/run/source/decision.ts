/** What deciding about a page needs and what it comes to. */
import type { RunEnv } from "../../functions/run-env.ts";
import type { FoundDuplicates } from "../protocol/merge-writes.ts";
import type { Following } from "../merge/authority/unknown-change-time.ts";
import type { RecordWarning } from "../protocol/inbound-record.ts";
import type { CommitBatch } from "../protocol/storage.ts";
import type { StoredRecord } from "../protocol/stored.ts";

/** What deciding needs from the world, as values. */
export interface BatchContext {
  /** UTC ISO-8601 with milliseconds. */
  now: string;
  newId: () => string;
  /** Resync: values of one-way sources count though the source did not change them. */
  reapply: boolean;
  following: Following;
  /** What changed at the source before this moment has been read, UTC ISO-8601; null: that is not known. */
  knownUntil: string | null;
  /** Moment and chance for rules that ask for them. */
  run: RunEnv;
}

/** What storage found for the page's match request. */
export interface Found {
  candidates: readonly StoredRecord[];
  duplicates?: FoundDuplicates | undefined;
  /** Outside ids at the page's place of other records that have one of the keys. */
  holders?: readonly string[] | undefined;
}

export interface Decision {
  batch: CommitBatch;
  created: number;
  updated: number;
  deleted: number;
  refused: number;
  warnings: readonly RecordWarning[];
}
