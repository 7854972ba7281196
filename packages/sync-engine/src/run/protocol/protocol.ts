/** The conversation between the pure core and the world: what happened (inputs) and what to do (effects). */
import type { PathCounts } from "../graph/path-counts.ts";
import type { Cursor, ReadPage, SourceRecord, WriteOperation, WriteOutcome } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import type { DataResult, DataRequest } from "../../functions/data-requests.ts";
import type { CutKey, MatchRequest } from "./match-requests.ts";
import type { FoundDuplicates } from "./merge-writes.ts";
import type {
  Claimed,
  ClaimRequest,
  CommitResult,
  CommitBatch,
  IntendResult,
  Intent,
  Resolved,
  ResolveRequest,
  SettleResult,
  DeliveryResult,
  Signal,
} from "./storage.ts";
import type { LostFields, StoredRecord } from "./stored.ts";

/** How a system failed, as connectors classify it. */
export interface SystemFailure {
  kind: string;
  message: string;
  hint?: string;
  retryable: boolean;
  retryAfterMs?: number;
  /** Nothing was done for sure; else a write may have happened. */
  isSafeToRetry: boolean;
}

/** What the storage knew when the run began. */
export interface RunStart {
  cycleId: string;
  epoch: number;
  sources: SourceStart[];
  resync: ResyncStart | null;
  /** Failures in a row of earlier cycles, by place; success clears them. */
  failures: { [placeId: number]: FailureRecord };
}

export interface SourceStart {
  nodeId: string;
  cursor: Cursor | null;
  /** Its last reading came to an end: what it holds is known but for what happened since. */
  isComplete: boolean;
  /** What it held before is yet to be brought in by a resync: what is read of it now is not all. */
  awaitsHistory?: boolean;
  /** All that it held when the pipeline began to follow it has been read. */
  isReadWhole?: boolean;
  /** First read starts here instead of at the beginning, UTC ISO-8601. */
  since: string | null;
  /** When the pipeline began to follow it, UTC ISO-8601; absent: not known. */
  followedSince?: string;
  /** It joined a pipeline that ran before, since this moment, UTC ISO-8601; absent: it is one of the first, or that is not known. */
  joinedAfter?: string;
  /** Fields that its place has lost so far. */
  lostFields?: LostFields;
  /** What changed there before this moment has been read, UTC ISO-8601; absent or null: that is not known. */
  knownUntil?: string | null;
  /** Whether this source's turn has come. */
  due: boolean;
  /** Records from quarantine that a person asked to try again, before anything new is read. */
  replay: SourceRecord[];
  /** When those were read by their ids, milliseconds; absent: they are as they came when they were quarantined. */
  replayReadAt?: number;
}

export interface ResyncStart {
  resyncId: string;
  nodeIds: string[];
  since: string | null;
  until: string | null;
  /** Positions reached by source node; a source in `finished` is through. */
  cursors: { [nodeId: string]: Cursor };
  finished: string[];
}

export interface FailureRecord {
  attempts: number;
  /** When the row of failures began, milliseconds. */
  since: number;
  /** Nothing is asked of the place before, milliseconds. */
  nextAt: number;
  /** What people are notified of it, for as long as it lasts. */
  problem: CycleProblem;
  /** It only asks for patience: nothing is wrong. */
  isPatience?: boolean;
  /** It takes no writes, though it may be readable: only a write shows that it works again. */
  isOfWrites?: boolean;
}

/**
 * One of the things a run asks the world to do. `nodeId` and `placeId` say on whose behalf; `delayMs` how long to wait
 * before a call that failed is made again: a run that is sent to stop meanwhile wants to learn of the failure at once.
 */
export type Effect =
  | {
      kind: "read";
      nodeId: string;
      requestId: number;
      cursor: Cursor | null;
      mode: "changes" | "all";
      since: string | null;
      until: string | null;
      delayMs?: number;
    }
  | { kind: "resolve"; nodeId: string; requestId: number; request: ResolveRequest }
  /** Records as they stand now, by their ids; one that is gone is answered as deleted. */
  | { kind: "getById"; nodeId: string; ids: readonly string[] }
  | { kind: "match"; nodeId: string; request: MatchRequest }
  /** This batch will be committed next unless something comes in between: a hint that is not answered. */
  | { kind: "prepare"; nodeId: string; batch: CommitBatch }
  | { kind: "commit"; nodeId: string; batch: CommitBatch }
  | { kind: "claim"; placeId: number; request: ClaimRequest }
  | { kind: "intend"; placeId: number; intents: Intent[] }
  | { kind: "lookup"; placeId: number; field: string; values: Value[]; delayMs?: number }
  | { kind: "send"; placeId: number; operations: WriteOperation[]; delayMs?: number }
  | { kind: "settle"; placeId: number; settlements: DeliveryResult[] }
  /** Questions of a source path (`nodeId`) or a destination's (`placeId`); answered in their order. */
  | { kind: "ask"; nodeId: string; placeId: number | null; dataRequests: readonly DataRequest[] }
  | { kind: "finish"; summary: CycleSummary };

export type Input =
  | { kind: "start" }
  | { kind: "pageRead"; nodeId: string; requestId: number; page: ReadPage }
  | { kind: "readFailed"; nodeId: string; requestId: number; failure: SystemFailure }
  | { kind: "resolved"; nodeId: string; requestId: number; resolved: Resolved }
  | { kind: "gotById"; nodeId: string; records: SourceRecord[] }
  | {
      kind: "matched";
      nodeId: string;
      candidates: StoredRecord[];
      /** Keys that more candidates have; `isFull`: the page asks for more than one may load. */
      cut?: readonly CutKey[];
      isFull?: boolean;
      duplicates?: FoundDuplicates;
      holders?: readonly string[];
    }
  | { kind: "committed"; nodeId: string; answer: CommitResult }
  /** The storage can't keep, or compare, a value of the page worked on; whatever was asked for it last had no effect. */
  | { kind: "unstorable"; nodeId: string; reason: string }
  | { kind: "claimed"; placeId: number; claimed: Claimed }
  | { kind: "intended"; placeId: number; answer: IntendResult }
  | { kind: "lookedUp"; placeId: number; records: SourceRecord[] }
  | { kind: "sent"; placeId: number; outcomes: WriteOutcome[] }
  | { kind: "sendFailed"; placeId: number; failure: SystemFailure }
  | { kind: "settled"; placeId: number; answer: SettleResult }
  | { kind: "answered"; nodeId: string; placeId: number | null; answers: readonly DataResult[] }
  | { kind: "requestFailed"; nodeId: string; placeId: number | null; failure: SystemFailure }
  /** The turn of these sources has come again while the cycle goes on: they are read from where they stand. */
  | { kind: "sourcesDue"; nodeIds: readonly string[] }
  /** A person paused the pipeline or cancelled its resync. */
  | { kind: "signal"; signal: Signal }
  | { kind: "leaseLost" };

/** What one cycle did; kept for the activity panel and the next cycle's retries. */
export interface CycleSummary {
  outcome: "finished" | "paused" | "cancelled" | "failed" | "lost";
  counts: CycleCounts;
  problems: CycleProblem[];
  failures: { [placeId: number]: FailureRecord };
  /** Positions reached whose pages held nothing to write. */
  positions: CommitBatch["position"][];
  resync: { resyncId: string; done: boolean; finished: string[] } | null;
  /** Earliest time something is due before the next scheduled read, milliseconds. */
  nextAt: number | null;
  /** Sources that were read to their end. */
  readThrough?: string[];
}

export interface CycleCounts {
  read: { [nodeId: string]: number };
  absorbed: number;
  filtered: number;
  created: number;
  updated: number;
  deleted: number;
  delivered: { [placeId: number]: number };
  quarantined: number;
  refused: number;
  /** Absent in cycles of earlier versions of the product. */
  flow?: FlowCounts;
}

/** What passed each edge and ended at each node, of sources as they were read and of destinations as they were written. */
export interface FlowCounts {
  /** Of all sources together: each record comes from one. */
  sources: PathCounts;
  /** By destination node: a record sets out once for each. */
  sinks: { [nodeId: string]: PathCounts };
  /** Records quarantined, by node. */
  failed: { [nodeId: string]: number };
}

export interface CycleProblem {
  severity: "error" | "warning";
  nodeId: string | null;
  code: string;
  message: string;
  detail: string | null;
  /** The core field it concerns. */
  targetId?: string;
  /** Records it happened to; absent when it concerns a system as a whole. */
  count?: number;
  /** Said of a source as a whole: it stands until a reading of all that is new there no longer says so. */
  isOfSource?: true;
}
