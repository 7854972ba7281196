/** Counts of the published graph: of the last cycle in which records passed, and running sums while a cycle runs. */
import { flowCounted, getPipelineFlow, type PipelineFlowCounts } from "@accord/contracts/sync/monitoring/flow";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import type { Id, ReplyOf } from "@accord/contracts";
import { createContext, useContext, useEffect, useRef, useState, type ReactNode } from "react";
import { polling, refresh, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { onEvent, useStreamState } from "../../../../app/realtime.ts";
import { isTelling } from "./flow-counts.model.ts";
import { type RunningFlow, runningFlow } from "./running-flow.ts";

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

/** Sums are sent about once a second; a page of a slow system takes longer. */
const SILENCE_MS = 15_000;

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
  const stream = useStreamState();
  const watched = useRef<RunningFlow<Running>>(undefined);
  useEffect(() => {
    if (!isShown) return;
    const flowOfCycle = runningFlow<Running>({
      show: setRunning,
      readStored: () => refresh(getPipelineFlow),
      silenceMs: SILENCE_MS,
    });
    watched.current = flowOfCycle;
    const stopCounting = onEvent(flowCounted, (message) => {
      if (message.entityId === entityId && isTelling(message.counts)) flowOfCycle.counted(message);
    });
    const stopWatching = onEvent(pipelineStatusChanged, (message) => {
      const isOver = message.read + message.changed + message.delivered === 0;
      if (message.entityId === entityId && isOver) flowOfCycle.ended();
    });
    return () => {
      stopCounting();
      stopWatching();
      flowOfCycle.stop();
    };
  }, [entityId, isShown]);
  // While the stream was down the message of the end may have been sent.
  useEffect(() => {
    if (stream === "live") watched.current?.ended();
  }, [stream]);
  return <FlowContext value={isShown ? shownOf(flow.data, running) : null}>{children}</FlowContext>;
}

function shownOf(stored: ReplyOf<typeof getPipelineFlow> | undefined, running: Running | null): ShownFlow | null {
  if (!stored) return null;
  if (running?.versionNumber === stored.versionNumber)
    return { counts: running.counts, isRunning: true, finishedAt: null };
  return { counts: stored.cycle?.counts ?? null, isRunning: false, finishedAt: stored.cycle?.finishedAt ?? null };
}
