/** Stopping ends: a part that does not stop in time is named in the log, and the rest stops without it. */
import type { Log } from "./log/log.ts";

/** Longest that one part of the server may take to stop, in milliseconds; what was under way is taken up by the next start. */
const TIME_LIMIT_MS = 30_000;

/** Resolves once the part has stopped, or after `limitMs`. Rejects with what the part rejects with in that time. */
export async function stopInTime(
  part: string,
  stop: () => Promise<void>,
  { log, limitMs = TIME_LIMIT_MS }: { log: Log; limitMs?: number },
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ part, afterMs: limitMs }, "a part of the server does not stop; going on without it");
      resolve();
    }, limitMs);
  });
  const stopped = stop();
  // Nobody waits for it any more once it is late.
  stopped.catch(() => {});
  try {
    await Promise.race([stopped, late]);
  } finally {
    clearTimeout(timer);
  }
}
