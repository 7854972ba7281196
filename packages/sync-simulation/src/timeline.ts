/** Virtual time: what is to happen when. Two things at one moment happen in the order in which they were planned. */
import { START } from "./systems/fake-system.ts";

interface Event {
  at: number;
  order: number;
  act: () => void;
}

/** People edit and things break until then; afterwards everything has to come to rest. */
export const BUSY_MS = 25_000;

export class Timeline {
  readonly #events: Event[] = [];
  #order = 0;
  now = START;

  get isBusy(): boolean {
    return this.now < START + BUSY_MS;
  }

  /** Somewhere in the busy time that is left after `from` milliseconds of it. */
  static moment(part: number, from = 0): number {
    return Math.floor(from + part * (BUSY_MS - from));
  }

  later(delay: number, act: () => void): void {
    this.#order += 1;
    this.#events.push({ at: this.now + Math.round(delay), order: this.#order, act });
  }

  /** Does the next thing; false when there is none. */
  step(): boolean {
    let at = 0;
    let [event] = this.#events;
    for (const [index, other] of this.#events.entries()) {
      if (!event || (other.at - event.at || other.order - event.order) >= 0) continue;
      event = other;
      at = index;
    }
    const last = this.#events.pop();
    if (!event || !last) return false;
    if (event !== last) this.#events[at] = last;
    this.now = Math.max(this.now, event.at);
    event.act();
    return true;
  }
}
