/** Background work: performs actions that are due, and forgets those that ended long ago. */
import type { Deps } from "../../../platform/deps.ts";
import { LOST_SIGHT } from "@accord/sync-engine/actions";
import { endAbandoned, forgetOld } from "./action-runs.store.ts";
import type { Performing } from "./performing.ts";

const POLL_MS = 1_000;
const TIDY_MS = 3_600_000;
const KEPT_DAYS = 30;

/** Answers how to stop, which waits for actions under way. */
export function startActionWorker(deps: Pick<Deps, "dataPool" | "log">, performing: Performing): () => Promise<void> {
  const stopping = new AbortController();
  let under: Promise<void> = Promise.resolve();
  let isBusy = false;

  async function look(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      while (await performing.drain(stopping.signal));
    } catch (error) {
      if (!stopping.signal.aborted) deps.log.warn({ err: error }, "performing due actions failed");
    } finally {
      isBusy = false;
    }
  }
  const tidy = (): void =>
    void endAbandoned(deps.dataPool, LOST_SIGHT.outcome)
      .then(() => forgetOld(deps.dataPool, KEPT_DAYS))
      .catch((error: unknown) => deps.log.warn({ err: error }, "old actions were not forgotten"));
  const timer = setInterval(() => {
    if (!isBusy) under = look();
  }, POLL_MS);
  const hourly = setInterval(tidy, TIDY_MS);
  under = look();
  return async () => {
    clearInterval(timer);
    clearInterval(hourly);
    stopping.abort();
    await under;
  };
}
