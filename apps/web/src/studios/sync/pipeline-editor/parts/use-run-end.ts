/** What both kinds of test runs have in common: what they are started with, and what happens while one is under way. */
import type { Id } from "@accord/contracts";
import { isFinished, type PipelineTestRun } from "@accord/contracts/sync/pipeline-tests";
import { useEffect } from "react";
import { refresh } from "../../../../app/queries.ts";
import { useEditorStore } from "../editor-context.tsx";
import { OF_TESTS } from "../queries.ts";

export interface TestsProps {
  entityId: Id<"entity">;
  mayWrite: boolean;
  /** A run tests what is saved. */
  save: () => Promise<boolean>;
  onGoTo: (nodeId: string) => void;
}

/** Keeps the graph as it is while a run is under way, and reads everything again once it has ended. */
export function useRunEnd(run: PipelineTestRun | undefined, isPending: boolean): boolean {
  const store = useEditorStore();
  const isRunning = isPending || (run !== undefined && !isFinished(run.status));
  useEffect(() => {
    if (!isRunning) return;
    store.getState().setTesting(true);
    return () => {
      store.getState().setTesting(false);
      void refresh(...OF_TESTS);
    };
  }, [isRunning, store]);
  return isRunning;
}
