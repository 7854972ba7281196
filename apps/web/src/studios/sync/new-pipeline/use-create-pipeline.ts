/** Making the pipeline from the page: what is under way, what failed and what exists by then; then on to its graph. */
import { getEntity, listEntities } from "@accord/contracts/data/core-schema";
import { getPipeline, getPipelineGraph, listPipelines } from "@accord/contracts/sync/pipelines";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isStale } from "../../../app/api-error.ts";
import { refresh } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { newElementId } from "../pipeline-editor/canvas/new-node.ts";
import { createPipeline, newProgress, StepFailed, type Progress, type Wanted } from "./create-pipeline.ts";

export interface Making {
  busy: "none" | "publishing" | "saving";
  failed: StepFailed | undefined;
  /** What exists by now. */
  made: Pick<Progress, "entity" | "hasDraft" | "isEarlierPublished">;
  /** The core entity was made, or may have been: what it is made from stays. */
  isEntityFixed: boolean;
  /** A core entity was asked for, and the answer is not known. */
  isUnsure: boolean;
}

export function useCreatePipeline() {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const [progress, setProgress] = useState(newProgress);
  const [ids] = useState(() => new Map<string, string>());
  const read = (busy: Making["busy"], failed?: StepFailed): Making => ({
    busy,
    failed,
    made: {
      entity: progress.entity,
      hasDraft: progress.hasDraft,
      isEarlierPublished: progress.isEarlierPublished,
    },
    isEntityFixed: progress.asked !== undefined,
    isUnsure: progress.asked !== undefined && progress.entity === undefined,
  });
  const [state, setState] = useState<Making>(() => read("none"));

  const submit = async (wanted: Wanted): Promise<void> => {
    const publishes = wanted.versionName !== undefined;
    setState(read(publishes ? "publishing" : "saving"));
    try {
      const made = await createPipeline(wanted, progress);
      await refresh(listPipelines, getPipeline, getPipelineGraph, listEntities, getEntity);
      const name = "id" in wanted.into ? wanted.into.displayName : (progress.entity?.displayName ?? "");
      if (progress.isEarlierPublished) toast.warning(t("newPipeline.earlierPublished", { name }), { keep: true });
      else if (publishes) toast.success(t("newPipeline.published", { name }));
      await navigate({
        to: "/sync-studio/entity/$entityId/pipeline/$graphVersion",
        params: { ...made },
        ignoreBlocker: true,
      });
    } catch (error) {
      // What somebody else changed is shown before the next try.
      if (error instanceof StepFailed && isStale(error.cause)) await refresh(listEntities);
      setState(read("none", error instanceof StepFailed ? error : new StepFailed("draft", error)));
    }
  };
  /** The same id for the same element at each try. */
  const idOf = (element: string): string => {
    const id = ids.get(element) ?? newElementId();
    ids.set(element, id);
    return id;
  };
  /** For another core entity; what was made before stays as it is. */
  const restart = () => {
    setProgress(newProgress());
    setState({
      busy: "none",
      failed: undefined,
      made: { entity: undefined, hasDraft: false, isEarlierPublished: false },
      isEntityFixed: false,
      isUnsure: false,
    });
  };
  return { state, submit, idOf, restart };
}

export type MakingPipeline = ReturnType<typeof useCreatePipeline>;
