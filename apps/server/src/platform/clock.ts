/** The server's only source of time; tests put a hand-wound clock in its place. */

export interface Clock {
  /** Wall-clock time, for what people read. Leases and cursors use the database's clock instead. */
  now(): Date;
  /** Milliseconds that never jump back: for timeouts and durations. */
  monotonicMs(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};
