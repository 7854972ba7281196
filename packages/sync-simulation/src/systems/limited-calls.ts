/**
 * The way of one process's calls to a system with a limit: they wait for their turn under the budget that all pipelines
 * share, by the rules of the server. What one process is told, the others learn of within a second.
 */
import {
  MAX_WAIT,
  isRateRefusal,
  mergeRemoteBackoff,
  mergeRemoteRemaining,
  newRateBudget,
  nextQueuedCall,
  onCallFinished,
  onCallStarted,
  reservedFor,
  waitBefore,
  type RateAnswer,
  type RateBudget,
  type SystemFailure,
  type Traffic,
} from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { RequestLimit } from "./request-limit.ts";
import type { Timeline } from "../timeline.ts";

/** What processes tell each other of a system's limit. */
export class RateBoard {
  openAt = 0;
  left: number | null = null;
  limit: number | null = null;
  resetAt = 0;
}

export interface LimitedCall {
  traffic: Traffic;
  /** Whoever calls: it may give up. */
  by: object;
  /** The system takes the call. */
  goes: () => void;
  /** It was not made: waiting takes too long. */
  refused: (failure: SystemFailure) => void;
}

interface Waiting extends LimitedCall {
  /** What it really is. */
  kind: Traffic;
  refusals: number;
  /** Calls of resyncs that left while it waited. */
  overtaken: number;
}

export interface LimitFaults {
  /** Calls wait for nothing that a system told. */
  ignoresRateLimits?: boolean;
  /** What reads everything again goes before what just changed. */
  resyncFirst?: boolean;
  /** Nobody is notified of a call that the system refused. */
  dropsRefused?: boolean;
}

interface LimitedCallsParts {
  timeline: Timeline;
  rng: Rng;
  limit: RequestLimit;
  board: RateBoard;
  faults: LimitFaults;
  /** A live call left; so many calls of resyncs left while it waited. */
  left: (overtaken: number) => void;
}

const MAX_REFUSALS = 10;
const SHARED_STATE_TTL_MS = 1_000;
const MAX_WIRE_MS = 30;
const OTHER = { live: "resync", resync: "live" } as const;

export class LimitedCalls {
  readonly #parts: LimitedCallsParts;
  readonly #queue: Waiting[] = [];
  #budget: RateBudget = newRateBudget();
  #lastHeartbeatAt = -Infinity;
  /** The last look that is planned; earlier ones are void. */
  #look = 0;

  constructor(parts: LimitedCallsParts) {
    this.#parts = parts;
  }

  get #now(): number {
    return this.#parts.timeline.now;
  }

  call(call: LimitedCall): void {
    const { traffic: kind } = call;
    const traffic = this.#parts.faults.resyncFirst ? OTHER[kind] : kind;
    this.#begin({ ...call, kind, traffic, refusals: 0, overtaken: 0 });
  }

  isWaiting(by: object): boolean {
    return this.#queue.some((waiting) => waiting.by === by);
  }

  /** What waits for this caller is not made. */
  giveUp(by: object): void {
    for (const waiting of this.#queue.filter((one) => one.by === by)) {
      this.#queue.splice(this.#queue.indexOf(waiting), 1);
      waiting.refused(patienceAsked(Math.min(waitBefore(this.#budget, waiting.traffic, this.#now), MAX_WAIT)));
    }
  }

  #begin(waiting: Waiting): void {
    this.#hear();
    const { traffic } = waiting;
    if (this.#parts.faults.ignoresRateLimits) {
      this.#budget = onCallStarted(this.#budget, this.#now);
      this.#leave(waiting);
      return;
    }
    const wait = this.#waitOf(traffic);
    if (wait > MAX_WAIT) {
      waiting.refused(patienceAsked(wait));
      return;
    }
    this.#queue.push(waiting);
    this.#letGo();
  }

  #waitOf(traffic: Traffic): number {
    const wait = waitBefore(this.#budget, traffic, this.#now);
    return wait === Infinity ? 0 : wait;
  }

  #letGo(): void {
    const { budget, calls, nextInMs } = nextQueuedCall(this.#queue, this.#budget, this.#now);
    this.#budget = budget;
    this.#look += 1;
    const look = this.#look;
    for (const waiting of calls) this.#turn(waiting);
    if (nextInMs === Infinity || this.#look !== look) return;
    this.#parts.timeline.later(Math.ceil(nextInMs), () => {
      if (this.#look === look) this.#letGo();
    });
  }

  /** Its turn here; where calls are counted, it has to be one of those that all processes share. */
  #turn(waiting: Waiting): void {
    const { board } = this.#parts;
    const kept = reservedFor(this.#budget.limit, waiting.traffic);
    const isCounted = board.left !== null && this.#now < board.resetAt;
    if (isCounted && board.left !== null && board.left <= kept) {
      const used = { left: kept, limit: this.#budget.limit, resetAt: board.resetAt };
      this.#budget = mergeRemoteRemaining(this.#budget, used, this.#now);
      this.#budget = onCallFinished(this.#budget, null, this.#now, 0);
      this.#begin(waiting);
      return;
    }
    if (isCounted && board.left !== null) board.left -= 1;
    this.#leave(waiting);
  }

  #leave(waiting: Waiting): void {
    const { timeline, rng, limit, faults, left } = this.#parts;
    if (waiting.kind === "live") left(waiting.overtaken);
    else for (const other of this.#queue) other.overtaken += 1;
    timeline.later(rng.between(1, MAX_WIRE_MS), () => {
      const answer = limit.take(this.#now);
      this.#ended(answer);
      if (!isRateRefusal(answer)) waiting.goes();
      else if (!faults.dropsRefused) this.#refused({ ...waiting, refusals: waiting.refusals + 1 });
    });
  }

  #refused(waiting: Waiting): void {
    const wait = this.#waitOf(waiting.traffic);
    if (waiting.refusals > MAX_REFUSALS || wait > MAX_WAIT) waiting.refused(patienceAsked(wait));
    else this.#begin(waiting);
  }

  #ended(answer: RateAnswer): void {
    const { board, rng } = this.#parts;
    this.#budget = onCallFinished(this.#budget, answer, this.#now, rng.next());
    const { openAt, left, limit, resetAt, underWay } = this.#budget;
    board.openAt = Math.max(board.openAt, openAt);
    if (left !== null) Object.assign(board, { left: Math.min(left + underWay, this.#sharedLeft()), limit, resetAt });
    if (this.#queue.length > 0) this.#letGo();
  }

  /** What all processes have left of the window that is counted. */
  #sharedLeft(): number {
    const { board } = this.#parts;
    return board.left !== null && this.#now < board.resetAt ? board.left : Infinity;
  }

  #hear(): void {
    const { board } = this.#parts;
    if (this.#now - this.#lastHeartbeatAt < SHARED_STATE_TTL_MS) return;
    this.#lastHeartbeatAt = this.#now;
    if (board.openAt > this.#now) this.#budget = mergeRemoteBackoff(this.#budget, board.openAt);
    if (board.left === null) return;
    const { left, limit, resetAt } = board;
    this.#budget = mergeRemoteRemaining(this.#budget, { left, limit, resetAt }, this.#now);
  }
}

const patienceAsked = (waitMs: number): SystemFailure => ({
  kind: "rateLimited",
  message: "simulated: the system takes no more calls for now",
  retryable: true,
  isSafeToRetry: true,
  retryAfterMs: Math.max(waitMs, 1),
});
