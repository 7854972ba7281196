/** What storage is asked for so that attach and merge rules can be judged, and how much of it a page may load. */
import type { Value } from "@accord/contracts/data/values";
import type { StoredRecord } from "./stored.ts";

/**
 * Candidates for attach rules: records having one of the keys in the field, oldest first, none linked to the place. For
 * each key the oldest are found, and of all no more than `MAX_MATCH_ROWS` and `MAX_MATCH_BYTES`.
 */
export interface MatchRequest {
  placeId: number;
  /** Text keys are compared without regard to case. */
  fields: MatchKeys[];
  /** Candidates for the core node's duplicate rule: whoever has one of the keys, linked or not. */
  duplicates?: MatchKeys[];
  /** Outside ids of records that have one of the keys and are linked at the place are wanted too. */
  withHolders?: true;
  /** New records that ask: each may take one of the candidates, so that so many more are found for a key. */
  takers?: number;
}

export interface MatchKeys {
  field: string;
  keys: Value[];
  /** Texts that have to be equal too, for each key those at its index. */
  also?: { field: string; keys: Value[] }[];
}

/** Candidates, each once, oldest first. */
export interface FoundCandidates {
  records: StoredRecord[];
  cut: readonly CutKey[];
  /** Not all that is wanted for each key came within the bounds of a page. */
  isFull: boolean;
}

/** A key that more records have than were found for it: all those up to `lastId` were, none where it is null. */
export interface CutKey {
  /** Indexes in the request. */
  entry: number;
  key: number;
  lastId: string | null;
}

/** Records that are found for one key: a value that more of them share identifies nothing. */
export const MAX_MATCHES_OF_KEY = 500;

/** Records that are found for a page: one that needs more is halved. */
export const MAX_MATCH_ROWS = 10_000;
export const MAX_MATCH_BYTES = 16 * 1024 * 1024;
