/** The promise of background work: typed jobs in PostgreSQL, at least once, retried with growing pauses. */
import type { z } from "zod";

export interface Job<Data extends z.ZodType = z.ZodType> {
  /** `runs.cycle`: also the queue's name. */
  name: string;
  data: Data;
  /** How often a failing job is tried again; default 3. */
  retries?: number;
  /** Seconds before the first retry, doubled each time; default 5. */
  retryDelay?: number;
  /** Seconds after which a silent job counts as lost; default 900. */
  expiresAfter?: number;
  /** Only one waiting job for each key. */
  oneWaitingPerKey?: true;
}

/** Declares a job: `defineJob({ name: "runs.cycle", data: z.strictObject({ instanceId: id("instance") }) })`. */
export function defineJob<Data extends z.ZodType>(job: Job<Data>): Readonly<Job<Data>> {
  return Object.freeze(job);
}

export interface JobOptions {
  /** See `oneWaitingPerKey`. */
  key?: string;
  startAfter?: Date;
  /** Higher goes first; default 0. */
  priority?: number;
}

export interface Jobs {
  send<D extends z.ZodType>(job: Readonly<Job<D>>, data: z.input<D>, options?: JobOptions): Promise<void>;
  /** Starts working on a kind of job in this process; returns how to stop. `signal` aborts when the server stops. */
  work<D extends z.ZodType>(
    job: Readonly<Job<D>>,
    handle: (data: z.output<D>, context: { signal: AbortSignal }) => Promise<void>,
    options?: { concurrency?: number },
  ): Promise<() => Promise<void>>;
  /** Sends the job again and again by a cron line (minutes are the finest), once in the whole installation. */
  schedule<D extends z.ZodType>(
    job: Readonly<Job<D>>,
    cron: string,
    data: z.input<D>,
    timeZone?: string,
  ): Promise<void>;
}
