/** Stopping ends: a part that does not stop in time is named in the log, and the rest stops without it. */
import type { Log } from "./log/log.ts";
import { orLate } from "./or-late.ts";

/** Longest that one part of the server may take to stop, in milliseconds; what was under way is taken up by the next start. */
const TIME_LIMIT_MS = 30_000;

/** Resolves once the part has stopped, or after `limitMs`. Rejects with what the part rejects with in that time. */
export async function stopInTime(
  part: string,
  stop: () => Promise<void>,
  { log, limitMs = TIME_LIMIT_MS }: { log: Log; limitMs?: number },
): Promise<void> {
  if ((await orLate(stop(), limitMs)) === "late")
    log.error({ part, afterMs: limitMs }, "a part of the server does not stop; going on without it");
}
