/** Counts of the published graph: of the last cycle in which records passed, and running sums while a cycle runs. */
import { flowCounted, getPipelineFlow, type PipelineFlowCounts } from "@accord/contracts/sync/flow";
import { pipelineStatusChanged } from "@accord/contracts/sync/runs";
import type { Id, ReplyOf } from "@accord/contracts";
import { createContext, useContext, useEffect, useState, type ReactNode } from "react";
import { polling, refresh, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { onEvent } from "../../../app/realtime.ts";
import { isTelling } from "./flow-counts.model.ts";

refreshOn(pipelineStatusChanged, [getPipelineFlow]);

export interface ShownFlow {
  /** Null: no record has passed since this version was published. */
  counts: PipelineFlowCounts | null;
  isRunning: boolean;
  /** When the cycle that is counted ended; null while it runs. */
  finishedAt: string | null;
}

/** Null where another graph than the published one is open, or nothing is known yet. */
const FlowContext = createContext<ShownFlow | null>(null);

export const useShownFlow = (): ShownFlow | null => useContext(FlowContext);

interface Running {
  versionNumber: number;
  counts: PipelineFlowCounts;
}

interface Props {
  entityId: Id<"entity">;
  /** The open graph is the one that runs. */
  isShown: boolean;
  children: ReactNode;
}

export function FlowProvider({ entityId, isShown, children }: Props) {
  const flow = useEndpoint(getPipelineFlow, { params: { entityId } }, { enabled: isShown, ...polling() });
  const [running, setRunning] = useState<Running | null>(null);
  useEffect(() => {
    if (!isShown) return;
    let isCounting = false;
    const stopCounting = onEvent(flowCounted, (message) => {
      if (message.entityId !== entityId || !isTelling(message.counts)) return;
      isCounting = true;
      setRunning(message);
    });
    const stopWatching = onEvent(pipelineStatusChanged, (message) => {
      const isOver = message.read + message.changed + message.delivered === 0;
      if (message.entityId !== entityId || !isOver || !isCounting) return;
      isCounting = false;
      // The cycle is over. Its sums stay on screen until what is kept of it has been read.
      void refresh(getPipelineFlow).then(() => setRunning(null));
    });
    return () => {
      stopCounting();
      stopWatching();
    };
  }, [entityId, isShown]);
  return <FlowContext value={isShown ? shownOf(flow.data, running) : null}>{children}</FlowContext>;
}

function shownOf(stored: ReplyOf<typeof getPipelineFlow> | undefined, running: Running | null): ShownFlow | null {
  if (!stored) return null;
  if (running?.versionNumber === stored.versionNumber)
    return { counts: running.counts, isRunning: true, finishedAt: null };
  return { counts: stored.cycle?.counts ?? null, isRunning: false, finishedAt: stored.cycle?.finishedAt ?? null };
}
