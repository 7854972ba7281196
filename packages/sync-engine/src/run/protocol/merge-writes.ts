/** Duplicates that storage finds, and what it is to make of them. */
import type { Values } from "@accord/contracts/data/values";
import type { CutKey } from "./match-requests.ts";
import type { LedgerEntry, Origin, StoredRecord } from "./stored.ts";

/** What may be the same thing as a record of the page. */
export interface FoundDuplicates {
  records: readonly StoredRecord[];
  /** Places where each of them is alive, by record id. */
  places: ReadonlyMap<string, readonly number[]>;
  /** Pairs whose merge a person undid: they are different things. */
  separated: readonly (readonly [string, string])[];
  /** Keys that more records have; `isFull`: the page asks for more than one may load. */
  cut?: readonly CutKey[];
  isFull?: boolean;
}

/** Records found to be one: the winner takes links, references and values, the losers go. */
export interface MergeWrite {
  mergeId: string;
  /** As it stands once the page is in, before the merge. */
  winner: StoredRecord;
  /** What the merge makes of it. */
  values: Values;
  origin: Origin;
  changes: LedgerEntry["changes"];
  losers: StoredRecord[];
}

/** Duplicates that are left alone: by setting, or since there are too many to be believed. */
export interface MergeReport {
  mergeId: string;
  winnerId: string;
  loserIds: string[];
  why: "reportOnly" | "tooMany";
}

export interface MergeBatch {
  merges: MergeWrite[];
  reports: MergeReport[];
  /** Destinations that learn of winners. */
  notifySinkIds: number[];
  /** Destinations where records that lost may be deleted. */
  deleteAt: number[];
}
