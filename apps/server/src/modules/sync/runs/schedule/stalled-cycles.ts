/** Cycles that hang: found by their silence, taken from their worker, begun anew from their last checkpoint. */
import type { Deps } from "../../../../platform/deps.ts";
import type { ScheduleStore } from "./schedule.store.ts";
import { STALLED_MS } from "../monitoring/sync-state.ts";

const LOOK_MS = 60_000;

/** Looks once a minute; the hanging worker learns from its next renewal that it has lost the pipeline. */
export function monitorStalledCycles(
  { log }: Pick<Deps, "log">,
  schedule: Pick<ScheduleStore, "releaseStalled">,
): () => void {
  const look = async (): Promise<void> => {
    const freed = await schedule.releaseStalled(STALLED_MS / 1000);
    if (freed > 0) log.warn({ freed }, "cycles hung and were begun anew");
  };
  const timer = setInterval(() => {
    look().catch((error: unknown) => log.warn({ err: error }, "looking for hanging cycles failed"));
  }, LOOK_MS);
  return () => clearInterval(timer);
}
