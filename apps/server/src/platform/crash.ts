/** Ends the process after an error that nobody caught: what it would do from then on, nobody knows. */
import type { Log } from "./log/log.ts";

/** The last line of the log may take this long to reach the disk. */
const MAX_FLUSH_MS = 1_000;

/**
 * Logs the error and exits with 1; whoever started the process starts it again. What was half done is undone by the
 * database, as after kill -9.
 */
export function exitOnCrash(log: Log, flush: () => Promise<void> = () => Promise.resolve()): void {
  let isCrashing = false;
  const crash = (origin: string, error: unknown): void => {
    if (isCrashing) return;
    isCrashing = true;
    const exit = (): never => process.exit(1);
    setTimeout(exit, MAX_FLUSH_MS);
    log.fatal({ err: error, origin }, "the server crashed");
    void flush().then(exit, exit);
  };
  process.on("uncaughtException", (error) => crash("uncaughtException", error));
  process.on("unhandledRejection", (error) => crash("unhandledRejection", error));
}
