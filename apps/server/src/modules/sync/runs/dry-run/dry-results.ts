/** Answers to what nodes ask in a dry run: what is stored here is looked up, nothing outside is called or done. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { Id } from "@accord/contracts";
import type { Effect } from "@accord/sync-engine/run";
import { isExternal } from "@accord/sync-engine/functions";
import type { DryPorts } from "./dry-run.ts";
import type { CompiledPipeline, RunsDependencies } from "../worker/plans.ts";

/** The pipeline on whose behalf data is requested. */
export type RequestingPipeline = { entity: Pick<CompiledPipeline["entity"], "id">; plan: CompiledPipeline["plan"] };

export function dryResults(
  needs: Pick<RunsDependencies, "answers">,
  at: Id<"instance">,
  pipeline: RequestingPipeline,
): DryPorts["answer"] {
  const asking = {
    instanceId: at,
    pipelineId: pipeline.entity.id,
    versionNumber: pipeline.plan.versionNumber,
    connect: (): never => {
      throw new Error("a dry run opens no connection to answer questions");
    },
  };
  return async ({ dataRequests }: Extract<Effect, { kind: "ask" }>) => {
    const own = dataRequests.filter((dataRequest) => !isExternal(dataRequest));
    const answers = own.length > 0 ? await needs.answers.answer(asking, own) : [];
    let next = 0;
    return dataRequests.map((dataRequest) => (isExternal(dataRequest) ? NOT_DONE : (answers[next++] ?? NOT_DONE)));
  };
}

export const NOT_DONE = {
  ok: false,
  code: "not_done",
  message: syncRefusals.notAskedForExplanation,
} as const;
