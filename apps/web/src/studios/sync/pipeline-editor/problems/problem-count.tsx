/** The number of records that a problem happened to: a link where they, or the cycle that met them, are listed. */
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { ReactNode } from "react";
import { ReasonLink } from "../../../../shared/health.tsx";

type Counted = Pick<RunProblem, "code" | "nodeId" | "targetId" | "listedIn" | "cycleId">;

/** Values that are refused stand in a list of their own, whatever said so. */
const isRefused = ({ code }: Counted): boolean => code === "not_convertible";

export const isCountListed = (problem: Counted): boolean => isRefused(problem) || problem.listedIn !== undefined;

interface Props {
  entityId: string;
  problem: Counted;
  /** What it says, as a link or without one. */
  children: (isLink: boolean) => ReactNode;
}

export function ProblemCount({ entityId, problem, children }: Props) {
  const { nodeId, targetId, listedIn, cycleId } = problem;
  if (!isCountListed(problem)) return children(false);
  if (!isRefused(problem) && listedIn === "cycle")
    return (
      <ReasonLink entityId={entityId} tab="cycles" cycle={cycleId}>
        {children(true)}
      </ReasonLink>
    );
  return (
    <ReasonLink
      entityId={entityId}
      tab={isRefused(problem) ? "refused" : "quarantine"}
      node={nodeId ?? undefined}
      field={isRefused(problem) ? (targetId ?? undefined) : undefined}
    >
      {children(true)}
    </ReasonLink>
  );
}
