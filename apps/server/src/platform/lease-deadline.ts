/**
 * Until when a worker may change anything outside: the end of its lease by both clocks, checked right before each single
 * request. A worker that was stopped, swapped out or suspended finds it passed before it sends one byte more.
 */
import { ConnectorError } from "@accord/connector-sdk";
import type { Clock } from "./clock.ts";

/** Nothing is sent this close to the end of a lease: what is under way then has time to end. */
const MARGIN_MS = 5_000;

/** What both clocks show at one moment. */
export interface ClockReading {
  monotonicMs: number;
  wallMs: number;
}

export const readClocks = (clock: Clock): ClockReading => ({
  monotonicMs: clock.monotonicMs(),
  wallMs: clock.now().getTime(),
});

/** What writing on behalf of a lease needs: leave for each request, and the end of those under way. */
export interface SendPermit {
  /** @throws LeaseEndedError once the lease is over. */
  assertMaySend: () => void;
  /** Aborts when the lease is over. */
  signal: AbortSignal;
}

/** Surely not sent: the lease was over. Says nothing about the system. */
export class LeaseEndedError extends ConnectorError {
  constructor() {
    super("unavailable", "Another worker may have taken over: nothing more is sent.", { neverSent: true });
  }
}

/** The deadline of one lease. Once passed it stays so: another worker may have begun meanwhile. */
export class LeaseDeadline implements SendPermit {
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #ended = new AbortController();
  #renewedAt: ClockReading;

  /** `takenAt`: read before the lease was asked for, so that it can't end earlier than is thought here. */
  constructor(clock: Clock, leaseMs: number, takenAt: ClockReading) {
    this.#clock = clock;
    this.#leaseMs = leaseMs;
    this.#renewedAt = takenAt;
  }

  /**
   * The steady clock of some systems stands still while the machine sleeps, the other one can be set back: whichever
   * says that more time has passed is believed.
   */
  get isOver(): boolean {
    if (this.#ended.signal.aborted) return true;
    const { monotonicMs, wallMs } = readClocks(this.#clock);
    const elapsed = Math.max(monotonicMs - this.#renewedAt.monotonicMs, wallMs - this.#renewedAt.wallMs);
    if (elapsed <= this.#leaseMs - MARGIN_MS) return false;
    this.#ended.abort();
    return true;
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  readonly assertMaySend = (): void => {
    if (this.isOver) throw new LeaseEndedError();
  };

  /** `askedAt`: read before the renewal was asked for. */
  renewed(askedAt: ClockReading): void {
    if (!this.isOver) this.#renewedAt = askedAt;
  }

  /** The lease is known to be somebody else's. */
  end(): void {
    this.#ended.abort();
  }
}
