/** Work that goes on after the answer: a caller must not learn from the time it takes whether there was any. */
import type { Log } from "./log/log.ts";

export interface BackgroundTasks {
  /** Starts the work and does not wait for it. `failure`: what the log says when it fails. */
  run(failure: string, work: () => Promise<void>): void;
  /** Waits for what was started. */
  settle(): Promise<void>;
}

export function backgroundTasks(log: Log): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    run(failure, work) {
      const task: Promise<void> = work()
        .catch((error: unknown) => log.error({ err: error }, failure))
        .finally(() => running.delete(task));
      running.add(task);
    },
    async settle() {
      await Promise.all(running);
    },
  };
}
