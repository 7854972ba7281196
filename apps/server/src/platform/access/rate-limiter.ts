/**
 * Limits attempts at every door: by account, by network, by whatever is named. Counted before the work, so that parallel
 * attempts count too.
 */

export interface RateLimit {
  /** What is attempted: `signIn.network`. */
  scope: string;
  attempts: number;
  windowMs: number;
}

/** Beyond its attempts others are not refused but wait for one another, longer and longer. */
export interface PacedLimit extends RateLimit {
  maxGapMs: number;
}

/** Whom an attempt is counted for: a subject, or a part of it (`[account, network]`). */
export type AttemptKey = string | readonly [subject: string, part: string];

export interface RateLimiter {
  /** Counts an attempt and answers how many there were. @throws AppError `too_many_tries` with the time to wait. */
  consumeAttempt(limit: RateLimit, key: AttemptKey): Promise<number>;
  /** Counts an attempt and answers whether it is within the limit. */
  tryAttempt(limit: RateLimit, key: AttemptKey): Promise<boolean>;
  /** Like `consumeAttempt`, but waits for its turn. @throws AppError `too_many_tries` when that is too far off. */
  awaitAttempt(limit: PacedLimit, key: AttemptKey): Promise<number>;
  /** Takes an attempt back: it succeeded, or never came to be one. */
  refundAttempt(limit: RateLimit, key: AttemptKey): Promise<void>;
  /** Forgets the attempts of a key; of a subject those of its parts too. */
  resetAttempts(limit: RateLimit, key: AttemptKey): Promise<void>;
  /** Attempts now, by subject; without those that made none. */
  countAttempts(limit: RateLimit, subjects: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Removes what has ended. */
  removeEnded(): Promise<void>;
}
