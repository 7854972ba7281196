/** What paths wait for and what pages leave to be done: lookups answered, actions performed as the server does it. */
import {
  OUTCOME_UNKNOWN,
  isIdempotent,
  nextState,
  toFinalState,
  type ActionAttempt,
  type ActionCall,
} from "@accord/sync-engine/actions";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { Effect, Input, SystemFailure } from "@accord/sync-engine/run";
import type { Rng } from "./rng.ts";
import { HOLD_MS, type KeptAction, type MemoryActions } from "./memory/memory-actions.ts";
import type { FakeService } from "./systems/fake-service.ts";
import type { Timeline } from "./timeline.ts";

const LOOK_MS = 700;

const STILL_AT_IT: SystemFailure = {
  kind: "unavailable",
  message: "simulated: still being performed",
  retryable: true,
  retryAfterMs: HOLD_MS,
  isSafeToRetry: true,
};

export class ActionRunner {
  readonly #actions: MemoryActions;
  readonly #fakeService: FakeService;
  readonly #timeline: Timeline;
  readonly #rng: Rng;

  constructor(actions: MemoryActions, fakeService: FakeService, timeline: Timeline, rng: Rng) {
    this.#actions = actions;
    this.#fakeService = fakeService;
    this.#timeline = timeline;
    this.#rng = rng;
  }

  /** Somebody performs what is due, again and again, and dies over it now and then. */
  begin(): void {
    this.#timeline.later(this.#rng.between(0, LOOK_MS), () => this.#look());
  }

  #look(): void {
    for (const { kept, isLeft } of this.#actions.claimDue(this.#timeline.now)) {
      if (this.#dies()) break;
      const attempt =
        isLeft && !isIdempotent(kept.call.work) ? OUTCOME_UNKNOWN : this.#fakeService.call(kept.id, kept.call);
      if (this.#dies()) break;
      const end = nextState(kept.call.work, kept.attempts, attempt);
      this.#actions.settle(kept, end, this.#timeline.now);
    }
    this.#timeline.later(LOOK_MS, () => this.#look());
  }

  #dies(): boolean {
    return this.#timeline.isBusy && this.#rng.bool(0.03);
  }

  /** Null: the worker died over it. */
  ask({ nodeId, placeId, dataRequests }: Extract<Effect, { kind: "ask" }>): Input | null {
    const lookups = dataRequests.filter(({ kind }) => kind !== "action");
    const found = lookups.length > 0 ? this.#fakeService.answer(lookups) : [];
    if (!Array.isArray(found)) return { kind: "requestFailed", nodeId, placeId, failure: found };
    const answers: DataResult[] = [];
    for (const dataRequest of dataRequests) {
      const answer = dataRequest.kind === "action" ? this.perform(dataRequest) : found[lookups.indexOf(dataRequest)];
      if (answer === "died") return null;
      if (answer === "busy") return { kind: "requestFailed", nodeId, placeId, failure: STILL_AT_IT };
      if (answer) answers.push(answer);
    }
    return { kind: "answered", nodeId, placeId, answers };
  }

  perform({ call, later }: Extract<DataRequest, { kind: "action" }>): DataResult | "died" | "busy" {
    const { now } = this.#timeline;
    if (later) {
      this.#actions.write([call], "keyed", now);
      return { ok: true, found: [] };
    }
    const { kept, isOwn } = this.#actions.begin(call, now);
    if (kept.outcome && kept.state !== "BEGUN") return asResult(kept);
    if (!isOwn && !this.#actions.reclaim(kept, now)) return "busy";
    if (this.#dies()) return "died";
    const attempt = this.#tryOf(kept, call, isOwn);
    if (this.#dies()) return "died";
    this.#actions.settle(kept, toFinalState(attempt), now);
    return asResult(kept);
  }

  #tryOf(kept: KeptAction, call: ActionCall, isOwn: boolean): ActionAttempt {
    return isOwn || isIdempotent(call.work) ? this.#fakeService.call(kept.id, call) : OUTCOME_UNKNOWN;
  }
}

const asResult = ({ outcome }: KeptAction): DataResult => ({
  ok: true,
  found: [{ ...(outcome ?? OUTCOME_UNKNOWN.outcome) }],
});
