/** Two paths one behind the other, run as one. */
import type { RunEnv } from "../../functions/run-env.ts";
import { type FlowRecord } from "../../functions/flow.ts";
import type { PathExecution, CompiledPath } from "./compiled-path.ts";

/** Two paths one behind the other. */
export function chainPaths(first: CompiledPath, second: CompiledPath): CompiledPath {
  const behind = (execution: PathExecution, env: RunEnv): PathExecution => {
    if (execution.state === "suspended")
      return { ...execution, resume: (answers) => behind(execution.resume(answers), env) };
    const failed = execution.completed.filter(({ failure }) => failure !== null);
    const sound =
      failed.length === 0 ? execution.completed : execution.completed.filter(({ failure }) => failure === null);
    return withBefore(second(sound, env), failed, execution);
  };
  return (page, env) => behind(first(page, env), env);
}

function withBefore(
  execution: PathExecution,
  failed: readonly FlowRecord[],
  before: CompletedExecution,
): PathExecution {
  if (execution.state === "suspended") {
    return { ...execution, resume: (answers) => withBefore(execution.resume(answers), failed, before) };
  }
  return {
    state: "completed",
    completed: [...execution.completed, ...failed],
    deferredActions: [...before.deferredActions, ...execution.deferredActions],
    executedActions: [...before.executedActions, ...execution.executedActions],
    // Of the first alone: what follows it are the pipelines of single fields.
    ...(before.counts ? { counts: before.counts } : {}),
  };
}

type CompletedExecution = Extract<PathExecution, { state: "completed" }>;
