/** Settings of a pipeline that are stored as soon as they are changed: what is being stored is shown meanwhile. */
import type { AnyEndpoint, Id } from "@accord/contracts";
import {
  DEFAULT_SETTINGS,
  getPipeline,
  patchPipelineSettings,
  type PipelineSettings,
} from "@accord/contracts/sync/pipelines";
import { useState } from "react";
import { useCall } from "../../../app/queries.ts";
import { toast } from "../../../shared/toast.tsx";
import { usePipelineRow } from "../pipeline-editor/queries.ts";

interface StoredSettings {
  settings: PipelineSettings;
  /** They are not known yet, or being stored. */
  isBusy: boolean;
  store: (part: Partial<PipelineSettings>) => void;
}

/** `refreshes`: what depends on them besides the pipeline itself. */
export function useStoredSettings(entityId: Id<"entity">, refreshes: readonly AnyEndpoint[] = []): StoredSettings {
  const row = usePipelineRow(entityId).data;
  const patch = useCall(patchPipelineSettings, {
    refreshes: [getPipeline, ...refreshes],
    outlivesPage: true,
    onError: (error) => toast.failed(error),
  });
  const stored = row?.settings ?? DEFAULT_SETTINGS;
  // Known at once: the call is seen to be on its way only a turn later, and a switch would go back meanwhile.
  const [next, setNext] = useState<Partial<PipelineSettings>>();
  return {
    settings: {
      realtimePipeline: next?.realtimePipeline ?? stored.realtimePipeline,
      testBeforePublish: next?.testBeforePublish ?? stored.testBeforePublish,
      loggedNodes: next?.loggedNodes ?? stored.loggedNodes,
    },
    isBusy: row === undefined || next !== undefined,
    store: (part) => {
      setNext(part);
      patch.mutate({ params: { entityId }, body: part }, { onSettled: () => setNext(undefined) });
    },
  };
}
