/** Reads wait while the pages of all cycles leave no room for another one. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import { setTimeout as sleep } from "node:timers/promises";
import { ConnectorError, type ReadPage } from "@accord/connector-sdk";
import type { CycleSlot, EndpointPlan } from "@accord/sync-engine/run";

/** How often it is asked for again. */
const ROOM_MS = 100;

/** Says that a page is there, or that none came. */
export type PageArrived = (page: ReadPage | null) => void;

/** undefined for a cycle without a slot, which nothing bounds. Throws `ConnectorError` once `signal` is aborted. */
export async function reservePageMemory(
  slot: CycleSlot | undefined,
  { connectorId, entity }: EndpointPlan,
  requestId: number,
  signal: AbortSignal,
): Promise<PageArrived | undefined> {
  for (;;) {
    const completed = slot?.reads({ connectorId, entity }, requestId);
    if (completed !== null) return completed;
    try {
      await sleep(ROOM_MS, undefined, { signal });
    } catch {
      throw new ConnectorError("rateLimited", syncRefusals.cycleEnds, { neverSent: true });
    }
  }
}
