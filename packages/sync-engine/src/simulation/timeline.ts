/** Virtual time: what is to happen when. Two things at one moment happen in the order in which they were planned. */
import { START } from "./fake-system.ts";

interface Event {
  at: number;
  order: number;
  act: () => void;
}

/** People edit and things break until then; afterwards everything has to come to rest. */
const BUSY_MS = 25_000;

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
    this.#events.push({ at: this.now + delay, order: this.#order, act });
  }

  /** Does the next thing; false when there is none. */
  step(): boolean {
    let first = 0;
    for (let index = 1; index < this.#events.length; index += 1) {
      const event = this.#events[index]!;
      const best = this.#events[first]!;
      if (event.at < best.at || (event.at === best.at && event.order < best.order)) first = index;
    }
    const last = this.#events.pop();
    if (!last) return false;
    let event = last;
    if (first !== this.#events.length) {
      event = this.#events[first]!;
      this.#events[first] = last;
    }
    this.now = Math.max(this.now, event.at);
    event.act();
    return true;
  }
}
