/** Calls to systems that have been under way, or have waited for a limit, for so long that people want to know of it. */
import type { HeldUp } from "../schedule/pipeline-rows.store.ts";

/** Milliseconds after which a call is named. Most are answered in a fraction of that. */
export const SLOW_CALL_MS = 10_000;

interface Call {
  connectorId: string;
  /** UTC milliseconds. */
  since: number;
  isLimited: boolean;
}

export class SlowCalls {
  readonly #now: () => number;
  readonly #calls = new Set<Call>();

  /** `now`: UTC milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** A call begins, or the wait for a limit; answers how to say that it is over. */
  begin(connectorId: string, isLimited = false): () => void {
    const call = { connectorId, since: this.#now(), isLimited };
    this.#calls.add(call);
    return () => this.#calls.delete(call);
  }

  /** Systems that hold the cycle up, each once, with what it has done for longest; a limit says more than a silence. */
  heldUp(): HeldUp[] {
    const now = this.#now();
    const slow = [...this.#calls].filter(({ since }) => now - since >= SLOW_CALL_MS);
    return [...Map.groupBy(slow, ({ connectorId }) => connectorId)].map(([connectorId, calls]) => {
      const limited = calls.filter(({ isLimited }) => isLimited);
      const named = limited.length > 0 ? limited : calls;
      return { connectorId, isLimited: limited.length > 0, since: Math.min(...named.map(({ since }) => since)) };
    });
  }
}
