/** What actions call and lookups ask: a service that answers by e-mail, breaks off, refuses, and keeps what it was told. */
import type { ActionAttempt, ActionCall } from "@accord/sync-engine/actions";
import type { DataResult, DataRequest } from "@accord/sync-engine/functions";
import type { SystemFailure } from "@accord/sync-engine/run";
import type { Rng } from "../rng.ts";
import type { Timeline } from "../timeline.ts";

/** An action that was done, as the receiver knows it. */
export interface Done {
  /** Key of the action, by which it would know it again. */
  id: string;
  call: ActionCall;
  body: string;
  at: number;
}

/** What the service knows of somebody. */
export const tagOf = (email: string): string => `tag of ${email}`;

const certainly = (succeeded: boolean, code: string | null, isTransient = false): ActionAttempt => ({
  outcome: { succeeded, body: succeeded ? { said: "yes" } : null, code, message: succeeded ? null : "simulated" },
  isOutcomeKnown: true,
  isTransient,
});

const BROKEN_OFF: ActionAttempt = {
  outcome: { succeeded: false, body: null, code: "no_answer", message: "simulated: no answer" },
  isOutcomeKnown: false,
  isTransient: true,
};

export class FakeService {
  readonly done: Done[] = [];
  /** E-mails about which it says no, until people have fixed that. */
  readonly unwilling = new Set<string>();
  readonly #timeline: Timeline;
  readonly #rng: Rng;
  /** Actions it has done: it does none of them twice if it is asked to know them again. */
  readonly #known = new Set<string>();

  constructor(timeline: Timeline, rng: Rng) {
    this.#timeline = timeline;
    this.#rng = rng;
  }

  #fails(probability: number): boolean {
    return this.#timeline.isBusy && this.#rng.bool(probability);
  }

  /** A call of an action, under the id it has over all its tries. */
  call(id: string, call: ActionCall): ActionAttempt {
    if (this.#fails(0.06)) return certainly(false, "http_503", true);
    if (this.#fails(0.05)) return certainly(false, "http_400");
    if (this.#fails(0.06)) {
      if (this.#rng.bool(0.5)) this.#do(id, call);
      return BROKEN_OFF;
    }
    this.#do(id, call);
    return certainly(true, null);
  }

  #do(id: string, call: ActionCall): void {
    const { work } = call;
    if (work.kind !== "http") return;
    if (work.isRepeatable && this.#known.has(id)) return;
    this.#known.add(id);
    this.done.push({ id, call, body: work.body ?? "", at: this.#timeline.now });
  }

  /** Null: nobody answers for now. */
  answer(dataRequests: readonly DataRequest[]): DataResult[] | SystemFailure {
    if (this.#fails(0.05))
      return { kind: "unavailable", message: "simulated: nobody answers", retryable: true, isSafeToRetry: true };
    return dataRequests.map((dataRequest): DataResult => {
      const email = dataRequest.kind === "externalRecords" ? String(dataRequest.value) : "";
      if (this.unwilling.has(email)) return { ok: false, code: "unwilling", message: "simulated: not this one" };
      return { ok: true, found: [{ externalId: email, tag: tagOf(email) }] };
    });
  }
}
