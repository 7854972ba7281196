/** A run: one cycle of one pipeline, held by one worker. Everything it remembers between two inputs. */
import type { Cursor, ReadPage, SourceRecord } from "@accord/connector-sdk";
import type { WritePreparation } from "./sink/prepare-writes.ts";
import type { PreparedWrites, PendingWrite } from "./sink/deliveries/pending-writes.ts";
import type { FingerprintedPage } from "./source/page/fingerprint-page.ts";
import type { PageExecution, ProcessedPage } from "./source/page/process-page.ts";
import type { Decision, Found, PendingMerge } from "./source/decision.ts";
import type { CycleCounts, CycleProblem, Effect, FailureRecord, ResyncStart, RunStart } from "./protocol/protocol.ts";
import type { MatchRequest } from "./protocol/match-requests.ts";
import type { Position, Resolved } from "./protocol/storage.ts";
import type { LostFields } from "./protocol/stored.ts";

export interface Run {
  cycleId: string;
  /** Why no further page or batch is begun; what is under way is finished first. */
  stopping: "pause" | "cancelResync" | "lost" | "tooManyFailures" | "timeSlice" | null;
  finished: boolean;
  sources: SourceRun[];
  /** Places that no cycle before this one has read through, or whose last reading broke off. */
  unreadPlaces: readonly number[];
  /** Places that hold records from before, which a resync is yet to bring in. */
  historyPlaces: readonly number[];
  /** When the pipeline began to follow its sources, by node, as far as that is known. */
  followedSince: { readonly [nodeId: string]: string | undefined };
  /** Of sources that joined the running pipeline later: since when that ran before. */
  joinedAfter: { readonly [nodeId: string]: string | undefined };
  /** Nodes of sources that have been read with all they held before. */
  readWhole: readonly string[];
  /** Fields that places have lost so far; places that lost none are left out. */
  lostFields: { [placeId: number]: LostFields };
  /** By node, UTC ISO-8601: what changed there before this moment has been read. */
  knownUntil: { [nodeId: string]: string | null };
  sinks: SinkRun[];
  resync: (ResyncStart & { finished: string[] }) | null;
  failures: { [placeId: number]: FailureRecord };
  counts: CycleCounts;
  /** Of those put into quarantine, records that had failed before this cycle: they say nothing of what it reads. */
  failedBefore: number;
  problems: CycleProblem[];
  nextAt: number | null;
  /** Pages through so far. */
  pages: number;
  /** Where each source of the pipeline stands that has been read to its end, or has not begun. */
  reached: { [nodeId: string]: Cursor | null };
  /** Numbers reads, so that an answer to one that no longer counts is known. */
  requestIds: number;
}

/** A page fetched ahead or being worked on. */
export interface Slot {
  requestId: number;
  /** When it was asked for, milliseconds. */
  askedAt: number;
  cursor: Cursor | null;
  page: ReadPage | null;
  /** Records from quarantine: reading gets nowhere by them. */
  isReplay: boolean;
  /** How its records stand is not known: they are asked for by their ids first. */
  isUnsure?: boolean;
  /** Those who stand for what its new records are have been asked for. */
  hasHolders?: boolean;
  /**
   * Part of a page that could not be stored as a whole, worked on by itself. Reading gets on by the `last` one only.
   */
  part?: "first" | "last";
  /** Times in a row that reading it failed. */
  tries: number;
  /** Ids of its records, once they were asked for. */
  ids: ReadonlySet<string> | null;
  /** What is known of it while a page before is worked on. */
  precomputed: PrecomputedPage | null;
}

/** A page behind the first: looked up, sent down its path and decided as far as nothing has to be asked for that. */
export interface PrecomputedPage {
  seen: FingerprintedPage;
  resolved: Resolved | null;
  processed: ProcessedPage | null;
  decided: DecidedPage | null;
}

/** A page that is ready to be committed. */
export interface DecidedPage {
  processed: CountedPage;
  decision: Decision;
}

/** What is left of a page to be looked at again, and to be counted: its records in flight are let go once it is decided. */
export type CountedPage = Pick<ProcessedPage, "seen" | "absorbed" | "filtered" | "warnings" | "pathCounts">;

export interface SourceRun {
  nodeId: string;
  placeId: number;
  mode: "changes" | "all";
  since: string | null;
  until: string | null;
  state: "waiting" | "open" | "done" | "failed";
  /** Pages in order: the first is worked on, the others are read ahead. */
  slots: Slot[];
  /** Where the next page to be asked for starts; undefined when it is not known or the source is drained. */
  next: Cursor | null | undefined;
  work: SourceStage;
  /** Reached, but not yet written down since its pages held nothing to write. */
  uncommittedPosition: Position | null;
  uncommittedPages: number;
  /** When its position was last written down, or its first page was through; null before. */
  committedAt: number | null;
  /** When the first page of this reading was asked for, milliseconds; null before, 0 where an earlier cycle did that. */
  begunAt: number | null;
  /** When its last page was asked for: what was done there before is known. Null until it is through. */
  readAt: number | null;
  /** Deletions found one by one, which wait for the pages that are yet to be read. */
  deletions: { records: SourceRecord[]; askedAt: number };
  /** Its turn came again while it was read. */
  isDueAgain: boolean;
  /** Times in a row that the first page had to be decided again. */
  conflicts: number;
}

/** Stage of the first page. */
export type SourceStage =
  | { stage: "idle" }
  | { stage: "resolving"; seen: FingerprintedPage }
  /** Records that are known as deleted are read by their ids. */
  | { stage: "confirming"; ids: ReadonlySet<string>; askedAt: number }
  /** Records are on their path and wait for answers. */
  | { stage: "suspended"; pageExecution: PageExecution }
  | { stage: "matching"; processed: ProcessedPage; request: MatchRequest }
  /** Rows that stand for what new rows of the page are too are read by their ids. */
  | { stage: "confirmingHolders"; processed: ProcessedPage; found: Found }
  /** Duplicates were found, and code says what becomes of them. */
  | { stage: "mergingByCode"; decided: DecidedPage; pending: PendingMerge }
  /** `affectedSinks`: places that have something to be told once it is committed. */
  | { stage: "committing"; decided: DecidedPage; affectedSinks: ReadonlySet<number> };

export interface SinkRun {
  placeId: number;
  state:
    | { stage: "waiting" }
    | { stage: "claiming" }
    /** Records are on their path and wait for answers. */
    | { stage: "suspended"; preparation: WritePreparation }
    | { stage: "looking"; preparedWrites: PreparedWrites; tries: number }
    | { stage: "intending"; preparedWrites: PreparedWrites }
    | { stage: "sending"; preparedWrites: PreparedWrites; standing: PendingWrite[]; tries: number; sentAt: number }
    | { stage: "settling"; more: boolean }
    | { stage: "done" }
    | { stage: "failed" };
  /** Deliveries may have appeared since the last claim. */
  dirty: boolean;
  /** The last loss of fields at the place when work was claimed. */
  loss: number;
  /** Connector fields that the system has refused by name: left out of what is written in this cycle. */
  lacking: ReadonlySet<string>;
  /** Records that were refused for such fields: nothing was done there since their place was read. */
  refused: Set<string>;
  /** Milliseconds that one operation took in the last batch; null before the first one. */
  operationMs: number | null;
}

/** The counts of a cycle that has done nothing yet. */
export const noCounts = (): CycleCounts => ({
  read: {},
  absorbed: 0,
  filtered: 0,
  created: 0,
  updated: 0,
  deleted: 0,
  delivered: {},
  quarantined: 0,
  refused: 0,
});

interface RunEndpoints {
  sources: SourceRun[];
  unreadPlaces: number[];
  historyPlaces?: number[];
  sinkPlaces: number[];
  lostFields?: Run["lostFields"];
}

export function newRun(start: RunStart, places: RunEndpoints): Run {
  return {
    cycleId: start.cycleId,
    stopping: null,
    finished: false,
    sources: places.sources,
    unreadPlaces: places.unreadPlaces,
    historyPlaces: places.historyPlaces ?? [],
    followedSince: Object.fromEntries(start.sources.map(({ nodeId, followedSince }) => [nodeId, followedSince])),
    joinedAfter: Object.fromEntries(start.sources.map(({ nodeId, joinedAfter }) => [nodeId, joinedAfter])),
    readWhole: start.sources.filter(({ isReadWhole }) => isReadWhole).map(({ nodeId }) => nodeId),
    lostFields: places.lostFields ?? {},
    knownUntil: Object.fromEntries(start.sources.map(({ nodeId, knownUntil }) => [nodeId, knownUntil ?? null])),
    sinks: places.sinkPlaces.map((placeId) => ({
      placeId,
      state: { stage: "waiting" },
      dirty: true,
      loss: 0,
      lacking: new Set(),
      refused: new Set(),
      operationMs: null,
    })),
    resync: start.resync,
    failures: { ...start.failures },
    counts: noCounts(),
    failedBefore: 0,
    problems: [],
    nextAt: null,
    pages: 0,
    reached: Object.fromEntries(start.sources.map(({ nodeId, cursor }) => [nodeId, cursor])),
    requestIds: 0,
  };
}

/** The moment of an input. */
export interface StepContext {
  /** UTC milliseconds. */
  now: number;
  newId: () => string;
  /** 0 ≤ x < 1. */
  random: () => number;
}

export interface Step {
  run: Run;
  effects: Effect[];
}

/** The number of a read that is about to begin, which no earlier one has. */
export function nextRequestId(run: Run): number {
  run.requestIds += 1;
  return run.requestIds;
}

/** Counts records of a source as read; a negative number takes back those of a page whose turn comes once more. */
export function countRead(run: Run, nodeId: string, records: number): void {
  run.counts.read[nodeId] = (run.counts.read[nodeId] ?? 0) + records;
}
