/** How many calls a fake system takes in a span of time, and what it tells of that. */
import type { RateAnswer } from "@accord/sync-engine/run";

export interface LimitOptions {
  /** Taken in each window. */
  calls: number;
  windowMs: number;
  /** When to come back after a refusal; besides, with each answer, how many calls are left; or neither. */
  affectedSinks: "when" | "left" | "nothing";
}

const SECOND = 1_000;

export class RequestLimit {
  readonly #options: LimitOptions;
  #until = 0;
  #left = 0;
  #refusedInWindow = 0;
  /** Calls refused in one window, at most. */
  mostRefused = 0;

  constructor(options: LimitOptions) {
    this.#options = options;
  }

  /** Whether it lets a call in that arrives now. */
  take(now: number): RateAnswer {
    const { calls, windowMs, affectedSinks } = this.#options;
    if (now >= this.#until) {
      // Told in whole seconds: nobody comes back before it is over.
      this.#until = now + windowMs;
      this.#left = calls;
      this.#refusedInWindow = 0;
    }
    const seconds = String(Math.ceil((this.#until - now) / SECOND));
    if (this.#left === 0) {
      this.#refusedInWindow += 1;
      this.mostRefused = Math.max(this.mostRefused, this.#refusedInWindow);
      return { status: 429, headers: affectedSinks === "nothing" ? {} : { "retry-after": seconds } };
    }
    this.#left -= 1;
    const counts = { "x-ratelimit-limit": String(calls), "x-ratelimit-remaining": String(this.#left) };
    return { status: 200, headers: affectedSinks === "left" ? { ...counts, "x-ratelimit-reset": seconds } : {} };
  }
}
