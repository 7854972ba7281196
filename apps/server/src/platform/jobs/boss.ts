/** Background work on pg-boss: queues live in the database `app`, workers wake by NOTIFY and poll as a safety net. */
import { PgBoss } from "pg-boss";
import type { z } from "zod";
import type { Log } from "../log/log.ts";
import type { Job, Jobs } from "./jobs.ts";

const DEFAULTS = { retries: 3, retryDelay: 5, expiresAfter: 900 };
const MAX_RETRY_PAUSE_SECONDS = 3_600;
const STOP_TIMEOUT_MS = 15_000;

export interface BossJobs extends Jobs {
  /** Whether background work runs in this process. */
  isRunning(): boolean;
  /** Waits for running jobs, then closes. */
  stop(): Promise<void>;
}

/** Connects at the first use: a process that neither sends nor works pays nothing. */
export function bossJobs({ url, log }: { url: string; log: Log }): BossJobs {
  let starting: Promise<PgBoss> | undefined;
  let working = 0;
  const queues = new Map<string, Promise<void>>();
  const stopping = new AbortController();

  const boss = () => (starting ??= start(url, log));

  async function withQueue(job: Readonly<Job>): Promise<PgBoss> {
    const running = await boss();
    let queue = queues.get(job.name);
    if (!queue) {
      queue = running.createQueue(job.name, queueOptions(job));
      queues.set(job.name, queue);
    }
    await queue;
    return running;
  }

  return {
    async send(job, data, { key, startAfter, priority } = {}) {
      const running = await withQueue(job);
      await running.send(job.name, asObject(job, data), {
        // An option that is there but undefined is refused.
        ...(key === undefined ? {} : { singletonKey: key }),
        ...(startAfter === undefined ? {} : { startAfter }),
        ...(priority === undefined ? {} : { priority }),
      });
    },
    async work(job, handle, { concurrency = 1 } = {}) {
      const running = await withQueue(job);
      const options = {
        batchSize: 1,
        localConcurrency: concurrency,
        pollingIntervalSeconds: 2,
        notifyPollingIntervalSeconds: 2,
      };
      const workerId = await running.work<unknown>(job.name, options, async (batch) => {
        for (const { data, signal } of batch) {
          await handle(job.data.parse(data) as z.output<typeof job.data>, {
            signal: AbortSignal.any([signal, stopping.signal]),
          });
        }
      });
      working++;
      return async () => {
        working--;
        await running.offWork(job.name, { id: workerId });
      };
    },
    async schedule(job, cron, data, timeZone = "UTC") {
      const running = await withQueue(job);
      await running.schedule(job.name, cron, asObject(job, data), { tz: timeZone });
    },
    isRunning: () => working > 0,
    async stop() {
      stopping.abort();
      if (!starting) return;
      const running = await starting;
      await running.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}

async function start(url: string, log: Log): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: url, application_name: "accord jobs", max: 4, useListenNotify: true });
  boss.on("error", (error) => log.error({ err: error }, "background work has a problem"));
  boss.on("warning", (warning) => log.warn({ warning }, "background work is slow"));
  return boss.start();
}

function queueOptions(job: Readonly<Job>) {
  return {
    policy: job.oneWaitingPerKey ? "short" : "standard",
    retryLimit: job.retries ?? DEFAULTS.retries,
    retryDelay: job.retryDelay ?? DEFAULTS.retryDelay,
    retryBackoff: true,
    retryDelayMax: MAX_RETRY_PAUSE_SECONDS,
    expireInSeconds: job.expiresAfter ?? DEFAULTS.expiresAfter,
    notify: true,
  };
}

function asObject(job: Readonly<Job>, data: unknown): object {
  const parsed = job.data.parse(data);
  if (typeof parsed !== "object" || parsed === null) throw new TypeError(`${job.name}: the data of a job is an object`);
  return parsed;
}
