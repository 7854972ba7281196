/** Problems of runs by cause, and what they are narrowed by. Pure. */
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";

export interface ProblemFilter {
  nodeId?: string | undefined;
  /** Core field. */
  targetId?: string | undefined;
  text?: string | undefined;
}

/** Whether message or detail holds the text, whatever its case. */
export const hasText = (
  { errorMessage, errorDetail }: Pick<RunProblem, "errorMessage" | "errorDetail">,
  text: string,
): boolean => `${errorMessage}\n${errorDetail}`.toLowerCase().includes(text.trim().toLowerCase());

export const matchesFilter =
  ({ nodeId, targetId, text = "" }: ProblemFilter) =>
  (problem: RunProblem): boolean =>
    (nodeId === undefined || problem.nodeId === nodeId) &&
    (targetId === undefined || problem.targetId === targetId) &&
    hasText(problem, text);

/** Whether a problem of a pipeline is one of this field's own pipeline. */
export const isOfFieldPipeline =
  (nodeIds: ReadonlySet<string>) =>
  ({ nodeId }: Pick<RunProblem, "nodeId">): boolean =>
    nodeId !== null && nodeIds.has(nodeId);

export interface Cause {
  severity: "error" | "warning";
  code: string;
  /** Of the problem that most records have. */
  message: string;
  /** Records, over all nodes and fields. */
  count: number;
  problems: readonly RunProblem[];
}

/** Errors before warnings; of each the cause of most records first. */
export function causesOf(found: Record<Cause["severity"], readonly RunProblem[]>): Cause[] {
  return (["error", "warning"] as const).flatMap((severity) =>
    [...Map.groupBy(found[severity], ({ code }) => code)]
      .map(([code, problems]): Cause => {
        const sorted = problems.toSorted((a, b) => b.count - a.count);
        const count = problems.reduce((sum, one) => sum + one.count, 0);
        return { severity, code, message: sorted[0]?.errorMessage ?? code, count, problems: sorted };
      })
      .toSorted((a, b) => b.count - a.count),
  );
}
