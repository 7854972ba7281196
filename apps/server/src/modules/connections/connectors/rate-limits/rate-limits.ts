/**
 * One rate budget per credential at a system, for everything that calls it by whichever connector: a call waits for its
 * turn, and one that the system refused for want of patience is made again. What one process is told, the others keep to.
 */
import { ConnectorError, type HttpReply, type HttpRequest } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import {
  onCallFinished,
  onCallStarted,
  mergeRemoteRemaining,
  mergeRemoteBackoff,
  isRateRefusal,
  reservedFor,
  MAX_WAIT,
  newRateBudget,
  nextQueuedCall,
  type RateBudget,
  type Traffic,
  waitBefore,
} from "@accord/sync-engine/run";
import type { Deps } from "../../../../platform/deps.ts";
import { type BudgetPlace, readRate, saveLeft, saveRateWait, type TakenCall, takeCall } from "./rate-limits.store.ts";

/** How a caller waits for its turn. */
export interface WaitPolicy {
  traffic: Traffic;
  /** Told when calls begin to wait for the system, and when they no longer do. */
  onWait(isWaiting: boolean): void;
  /** Waiting ends at once when it aborts; what is under way is finished. */
  giveUp: AbortSignal;
}

export interface CallsOf {
  at: Id<"instance">;
  /** Whom the system counts these calls for. None: it can only tell callers apart by where they come from. */
  credentials: Readonly<Record<string, string>>;
  signal: AbortSignal;
  patience: WaitPolicy | undefined;
}

type Send = (request: HttpRequest) => Promise<HttpReply>;

/** People wait in front of calls that come without patience of their own. */
const SHORT_WAIT = 10_000;
/** Refusals in a row after which a call is given back as refused. */
const MAX_REFUSALS = 10;
/** How old what other processes were told may be. */
const SHARED_STATE_TTL_MS = 1_000;
/** How often others are told what is left at most. */
const PUBLISH_INTERVAL_MS = 100;
/** Longest a timer sleeps before it looks again. */
const MAX_TIMER_MS = 60_000;

export type RateLimits = ReturnType<typeof rateLimits>;

type GateDeps = Pick<Deps, "clock" | "dataPool" | "log" | "secrets">;

export function rateLimits(deps: GateDeps) {
  const gates = new Map<string, Gate>();
  return {
    /** `send` under the budgets of these credentials, one for each system they are shown to. */
    guard(calls: CallsOf, send: Send): Send {
      const own = new Map<string, Gate>();
      const gateOf = (origin: string): Gate => {
        const known = own.get(origin);
        if (known) return known;
        const key = budgetKey(deps, calls, origin);
        const gate = gates.get(key) ?? new Gate(deps, { at: calls.at, key, origin });
        gates.set(key, gate);
        own.set(origin, gate);
        return gate;
      };
      return (request) => gateOf(new URL(request.url).origin).send(calls, request, send);
    },
  };
}

/** The same for every connector of the instance that shows this system these credentials; tells nothing about them. */
function budgetKey({ secrets }: GateDeps, { at, credentials }: CallsOf, origin: string): string {
  const shown = Object.entries(credentials).sort(([one], [other]) => (one < other ? -1 : 1));
  return secrets.sign("rate-budget", JSON.stringify([at, origin, shown]));
}

interface Waiting {
  traffic: Traffic;
  goes: () => void;
}

class Gate {
  readonly #deps: GateDeps;
  readonly #budgetOf: BudgetPlace;
  readonly #origin: string;
  readonly #queue: Waiting[] = [];
  #budget: RateBudget = newRateBudget();
  #lastHeartbeatAt = -Infinity;
  #saidAt = -Infinity;
  /** Telling the others for the first time: nobody counts on a number that is not there yet. */
  #saying: Promise<void> | null = null;
  /** The system has said how many calls it takes. */
  #isCounted = false;
  #hearing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: GateDeps, { origin, ...place }: BudgetPlace & { origin: string }) {
    this.#deps = deps;
    this.#budgetOf = place;
    this.#origin = origin;
  }

  /** Answers the system's reply; a refusal only when waiting for it would take longer than the caller has patience. */
  async send(calls: CallsOf, request: HttpRequest, send: Send): Promise<HttpReply> {
    for (let refusals = 0; ; refusals += 1) {
      await this.#hear();
      await this.#turnOfAll(calls, request.signal);
      const reply = await send(request).catch((error: unknown) => {
        this.#ended(null);
        throw error;
      });
      this.#ended(reply);
      await this.#saying;
      if (!isRateRefusal(reply) || refusals >= MAX_REFUSALS) return reply;
      if (this.#waitOf(calls) > longestWait(calls)) return reply;
    }
  }

  /** This process's turn; and where a system counts calls, one of those that all processes share. */
  async #turnOfAll(calls: CallsOf, signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      await this.#turn(calls, signal);
      if (!this.#isCounted) return;
      const kept = reservedFor(this.#budget.limit, calls.patience?.traffic ?? "live");
      const taken = await this.#take(kept);
      if (taken.may) return;
      // The others have used it up.
      const used = { left: kept, limit: this.#budget.limit, resetAt: this.#now + taken.resetMs };
      this.#budget = mergeRemoteRemaining(this.#budget, used, this.#now);
      this.#ended(null);
    }
  }

  async #take(kept: number): Promise<TakenCall> {
    const { dataPool, log } = this.#deps;
    return takeCall(dataPool, this.#budgetOf, kept).catch((error: unknown) => {
      log.warn({ err: error, origin: this.#origin }, "what is left of a budget could not be shared");
      return { may: true, resetMs: 0 };
    });
  }

  get #now(): number {
    return this.#deps.clock.now().getTime();
  }

  #waitOf({ patience }: CallsOf): number {
    const wait = waitBefore(this.#budget, patience?.traffic ?? "live", this.#now);
    return wait === Infinity ? 0 : wait;
  }

  /** Resolves when a call may leave, which then counts as under way. */
  async #turn(calls: CallsOf, signal: AbortSignal | undefined): Promise<void> {
    const { patience } = calls;
    const traffic = patience?.traffic ?? "live";
    if (this.#queue.length === 0 && waitBefore(this.#budget, traffic, this.#now) === 0) {
      this.#budget = onCallStarted(this.#budget, this.#now);
      return;
    }
    const wait = this.#waitOf(calls);
    if (wait > longestWait(calls) || patience?.giveUp.aborted) throw patienceAsked(wait);
    const enders = [calls.signal, ...(patience ? [patience.giveUp] : []), ...(signal ? [signal] : [])];
    const over = AbortSignal.any(enders);
    patience?.onWait(true);
    try {
      await this.#queued(traffic, over);
    } finally {
      patience?.onWait(false);
    }
  }

  #queued(traffic: Traffic, over: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      const waiting: Waiting = { traffic, goes: resolve };
      const leave = (): void => {
        const index = this.#queue.indexOf(waiting);
        if (index < 0) return;
        this.#queue.splice(index, 1);
        reject(patienceAsked(Math.min(waitBefore(this.#budget, traffic, this.#now), MAX_WAIT)));
      };
      this.#queue.push(waiting);
      over.addEventListener("abort", leave, { once: true });
      if (over.aborted) leave();
      else this.#letGo();
    });
  }

  /** Lets those go whose turn has come, and sleeps until the next may. */
  #letGo(): void {
    clearTimeout(this.#timer);
    const { budget, calls, nextInMs } = nextQueuedCall(this.#queue, this.#budget, this.#now);
    this.#budget = budget;
    for (const { goes } of calls) goes();
    if (nextInMs !== Infinity) this.#timer = setTimeout(() => this.#letGo(), Math.min(nextInMs, MAX_TIMER_MS));
  }

  #ended(reply: HttpReply | null): void {
    const before = this.#budget.openAt;
    this.#budget = onCallFinished(this.#budget, reply, this.#now, Math.random());
    const wait = this.#budget.openAt - this.#now;
    if (this.#budget.openAt > before && wait > 0) this.#say(wait);
    if (reply) this.#sayLeft();
    if (this.#queue.length > 0) this.#letGo();
  }

  #sayLeft(): void {
    const { left, limit, resetAt, underWay } = this.#budget;
    const { clock, dataPool, log } = this.#deps;
    const moment = clock.monotonicMs();
    if (left === null || moment - this.#saidAt < PUBLISH_INTERVAL_MS) return;
    this.#saidAt = moment;
    const budget = { left: left + underWay, limit, resetMs: resetAt - this.#now };
    const said = saveLeft(dataPool, this.#budgetOf, budget).catch((error: unknown) =>
      log.warn({ err: error, origin: this.#origin }, "what is left of a budget was not shared"),
    );
    if (!this.#isCounted) this.#saying = said;
    this.#isCounted = true;
  }

  #say(wait: number): void {
    const { dataPool, log } = this.#deps;
    saveRateWait(dataPool, this.#budgetOf, wait).catch((error: unknown) =>
      log.warn({ err: error, origin: this.#origin }, "a system's wish for patience was not shared"),
    );
  }

  /** Learns what other processes were told, at most once a second. */
  async #hear(): Promise<void> {
    const { clock, dataPool, log } = this.#deps;
    if (clock.monotonicMs() - this.#lastHeartbeatAt < SHARED_STATE_TTL_MS) return this.#hearing ?? undefined;
    this.#lastHeartbeatAt = clock.monotonicMs();
    this.#hearing = readRate(dataPool, this.#budgetOf)
      .then(({ wait, budget }) => {
        const now = this.#now;
        if (wait > 0) this.#budget = mergeRemoteBackoff(this.#budget, now + wait);
        this.#isCounted ||= budget !== null;
        if (budget)
          this.#budget = mergeRemoteRemaining(this.#budget, { ...budget, resetAt: now + budget.resetMs }, now);
      })
      .catch((error: unknown) =>
        log.warn({ err: error, origin: this.#origin }, "what other processes were told is not known"),
      )
      .finally(() => (this.#hearing = null));
    await this.#hearing;
  }
}

const longestWait = ({ patience }: CallsOf): number => (patience ? MAX_WAIT : SHORT_WAIT);

const patienceAsked = (waitMs: number): ConnectorError =>
  new ConnectorError("rateLimited", "The system takes no more calls for now.", {
    retryAfterMs: Math.max(waitMs, 1),
    neverSent: true,
  });
