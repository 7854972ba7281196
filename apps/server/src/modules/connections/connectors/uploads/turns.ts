/** Work that goes one after the other by key, on this server; whoever waits does so within bounds. */

export interface TurnBounds {
  /** How many may wait for one key. */
  waiting: number;
  /** Milliseconds that one waits. */
  ms: number;
  /** Why it waits no longer. */
  busy: () => Error;
}

export class Turns {
  readonly #bounds: TurnBounds;
  /** Those who wait, by key; a key that is not there is free. */
  readonly #queues = new Map<string, (() => void)[]>();

  constructor(bounds: TurnBounds) {
    this.#bounds = bounds;
  }

  /** @throws the reason of `signal`, or `busy`, where the turn has not come by then. */
  async take<Result>(key: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted();
    const queue = this.#queues.get(key);
    if (queue) await this.#wait(queue, signal);
    else this.#queues.set(key, []);
    try {
      return await work();
    } finally {
      const next = this.#queues.get(key)?.shift();
      if (next) next();
      else this.#queues.delete(key);
    }
  }

  #wait(queue: (() => void)[], signal: AbortSignal): Promise<void> {
    const { waiting, ms, busy } = this.#bounds;
    if (queue.length >= waiting) throw busy();
    return new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        act();
      };
      const go = () => settle(resolve);
      const giveUp = (error: unknown): void => {
        queue.splice(queue.indexOf(go), 1);
        settle(() => reject(error));
      };
      const leave = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(busy()), ms);
      signal.addEventListener("abort", leave, { once: true });
      queue.push(go);
    });
  }
}
