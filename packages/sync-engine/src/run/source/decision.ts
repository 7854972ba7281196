/** What deciding about a page needs and what it comes to. */
import type { DataRequest, DataResult } from "../../functions/data-requests.ts";
import type { RunEnv } from "../../functions/run-env.ts";
import type { FoundDuplicates } from "../protocol/merge-writes.ts";
import { CutLookups } from "../merge/duplicates/lookups.ts";
import type { Following } from "../merge/authority/unknown-change-time.ts";
import type { MatchRequest } from "../protocol/match-requests.ts";
import type { Input } from "../protocol/protocol.ts";
import type { RecordWarning } from "../protocol/inbound-record.ts";
import type { CommitBatch } from "../protocol/storage.ts";
import type { StoredRecord } from "../protocol/stored.ts";

/** Duplicates were found, and code of a person's own says what becomes of them. */
export interface PendingMerge {
  dataRequests: readonly DataRequest[];
  /** May ask again: values are asked for once the winner is known. */
  resume(answers: readonly DataResult[]): Decision;
}

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
  /** Look-ups that found the oldest records only: of attach rules, and of the duplicate rule. */
  cut?: CutLookups | undefined;
  cutDuplicates?: CutLookups | undefined;
  duplicates?: FoundDuplicates | undefined;
  /** Outside ids at the page's place of other records that have one of the keys. */
  holders?: readonly string[] | undefined;
}

/** What storage answered a match request, with what it left out. */
export const withCuts = (
  { fields, duplicates = [] }: MatchRequest,
  answer: Extract<Input, { kind: "matched" }>,
): Found => ({
  candidates: answer.candidates,
  duplicates: answer.duplicates,
  holders: answer.holders,
  cut: new CutLookups(fields, answer.cut ?? []),
  cutDuplicates: new CutLookups(duplicates, answer.duplicates?.cut ?? []),
});

export interface Decision {
  batch: CommitBatch;
  /** What code has to be asked before the page is decided, and how it goes on; null: nothing. */
  pending: PendingMerge | null;
  created: number;
  updated: number;
  deleted: number;
  refused: number;
  warnings: readonly RecordWarning[];
}
