/**
 * Counts posts that are refused without a look at them, and writes their number now and then: whoever sends many of them
 * makes the database do little.
 */
import { keepRecent } from "../../../platform/keep-recent.ts";
import type { WebhookPlace } from "./inbox.store.ts";
import type { PostLog, Refusal } from "./post-log.store.ts";

/** In milliseconds. The first is written at once; what comes meanwhile together. */
const PAUSE_MS = 2_000;
/** Webhooks counted in this process at a time. */
const MAX_COUNTED = 10_000;

type Counted = Pick<Refusal, "code" | "status" | "isProven">;

export interface RefusalCounts {
  add(place: WebhookPlace, refusal: Counted): void;
}

export function refusalCounts(log: Pick<PostLog, "countRefusals">, failed: (error: unknown) => void): RefusalCounts {
  const waiting = new Map<string, { times: number }>();
  const write = (place: WebhookPlace, refusal: Counted, times: number): void =>
    void log.countRefusals(place, { ...refusal, times }).catch(failed);
  return {
    add(place, refusal) {
      const key = `${place.instanceId} ${place.connectorId} ${refusal.code}`;
      const counted = waiting.get(key);
      if (counted) {
        counted.times += 1;
        return;
      }
      const fresh = { times: 0 };
      keepRecent(waiting, key, fresh, MAX_COUNTED);
      write(place, refusal, 1);
      setTimeout(() => {
        if (waiting.get(key) === fresh) waiting.delete(key);
        if (fresh.times > 0) write(place, refusal, fresh.times);
      }, PAUSE_MS).unref();
    },
  };
}
