/** Problems for which the server refused a graph. Pure. */
import { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { z } from "zod";
import { ApiError } from "../../../../app/api-error.ts";

const Refusal = z.object({ problems: PipelineProblem.array() });

/** Undefined where it was refused for another reason. */
export const problemsIn = (error: unknown): readonly PipelineProblem[] | undefined =>
  error instanceof ApiError && error.code === "pipeline_invalid"
    ? Refusal.safeParse(error.details).data?.problems
    : undefined;
