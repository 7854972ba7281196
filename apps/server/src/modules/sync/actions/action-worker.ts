/** Background work: performs actions that are due, and forgets those that ended long ago. */
import type { Deps } from "../../../platform/deps.ts";
import { OUTCOME_UNKNOWN } from "@accord/sync-engine/actions";
import { dueInstances, endAbandoned, forgetOld } from "./action-runs.store.ts";
import type { ActionExecutor } from "./action-executor.ts";

type Instance = Awaited<ReturnType<typeof dueInstances>>[number];

const POLL_MS = 1_000;
const TIDY_MS = 3_600_000;
const KEPT_DAYS = 30;

/** Answers how to stop, which waits for actions under way. */
export function startActionWorker(deps: Pick<Deps, "dataPool" | "log">, executor: ActionExecutor): () => Promise<void> {
  const stopping = new AbortController();
  /** By instance: each is worked on by itself, so that none waits for another one's claim to end. */
  const under = new Map<string, Promise<void>>();
  let looking: Promise<void> = Promise.resolve();
  const failed = (error: unknown): void => {
    if (!stopping.signal.aborted) deps.log.warn({ err: error }, "performing due actions failed");
  };

  async function workOn(instanceId: Instance): Promise<void> {
    while (await executor.drain(instanceId, stopping.signal));
  }
  async function look(): Promise<void> {
    for (const instanceId of stopping.signal.aborted ? [] : await dueInstances(deps.dataPool)) {
      if (under.has(instanceId)) continue;
      const work = workOn(instanceId)
        .catch(failed)
        .finally(() => under.delete(instanceId));
      under.set(instanceId, work);
    }
  }
  const tidy = (): void =>
    void endAbandoned(deps.dataPool, OUTCOME_UNKNOWN.outcome)
      .then(() => forgetOld(deps.dataPool, KEPT_DAYS))
      .catch((error: unknown) => deps.log.warn({ err: error }, "action cleanup failed"));
  const timer = setInterval(() => (looking = look().catch(failed)), POLL_MS);
  const hourly = setInterval(tidy, TIDY_MS);
  looking = look().catch(failed);
  return async () => {
    clearInterval(timer);
    clearInterval(hourly);
    stopping.abort();
    await looking;
    await Promise.all(under.values());
  };
}
