/** What went wrong in the last cycle, each leading to its node in the graph and to where its cause is fixed. */
import { EmptyState, StatusTag, TableSkeleton } from "@accord/ui";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { getPipelineErrors, pipelineStatusChanged, type RunProblem } from "@accord/contracts/sync/monitoring/runs";
import { Link } from "@tanstack/react-router";
import { polling, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { useCountText } from "../../../../shared/health.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { ProblemCount } from "../../pipeline-editor/problems/problem-count.tsx";
import { ProblemFix } from "../../pipeline-editor/problems/problem-fix.tsx";
import { useNodeConnectors } from "./node-names.ts";

refreshOn(pipelineStatusChanged, [getPipelineErrors]);

type OnLeave = (() => void) | undefined;

export function RunProblems({ row, onLeave }: { row: PipelineRow; onLeave: OnLeave }) {
  const { t } = useWords("sync");
  const problems = useEndpoint(getPipelineErrors, { params: { entityId: row.id }, query: {} }, polling());
  return (
    <QueryView query={problems} skeleton={<TableSkeleton rows={3} />}>
      {({ error, warnings }) =>
        error.length + warnings.length === 0 ? (
          <EmptyState compact title={t("activity.noProblems")} body={t("activity.noProblemsHint")} />
        ) : (
          <ProblemList row={row} errors={error} warnings={warnings} onLeave={onLeave} />
        )
      }
    </QueryView>
  );
}

interface ProblemListProps {
  row: PipelineRow;
  errors: readonly RunProblem[];
  warnings: readonly RunProblem[];
  onLeave: OnLeave;
}

export function ProblemList({ row, errors, warnings, onLeave }: ProblemListProps) {
  const connectorOf = useNodeConnectors(row);
  const ofAll = { row, onLeave, connectorOf };
  return (
    <ul className="ac-run-problems">
      {errors.map((problem, index) => (
        <Problem key={`e${index}`} {...ofAll} problem={problem} severity="error" />
      ))}
      {warnings.map((problem, index) => (
        <Problem key={`w${index}`} {...ofAll} problem={problem} severity="warning" />
      ))}
    </ul>
  );
}

interface ProblemProps {
  row: PipelineRow;
  problem: RunProblem;
  severity: "error" | "warning";
  onLeave: OnLeave;
  connectorOf: (nodeId: string | null) => string | undefined;
}

function Problem({ row, problem, severity, onLeave, connectorOf }: ProblemProps) {
  const { t } = useWords("sync");
  const countText = useCountText();
  const records = t("activity.problemRecords", { count: problem.count, shown: countText(problem) });
  return (
    <li>
      <StatusTag tone={severity === "error" ? "error" : "warn"}>{t(`problems.${severity}`)}</StatusTag>
      <div className="ac-run-problems__words">
        <span>{problem.errorMessage}</span>
        {problem.errorDetail && problem.errorDetail !== problem.errorMessage ? (
          <span className="ac-run-problems__detail">{problem.errorDetail}</span>
        ) : null}
      </div>
      <ProblemCount entityId={row.id} problem={problem}>
        {(isLink) => (isLink ? records : <span className="ac-run-problems__count">{records}</span>)}
      </ProblemCount>
      {problem.nodeId ? (
        <Link
          to="/sync-studio/entity/$entityId/pipeline/$graphVersion"
          params={{ entityId: row.id, graphVersion: "published" }}
          search={{ focusNodeId: problem.nodeId }}
          onClick={onLeave}
        >
          {t("activity.toNode")}
        </Link>
      ) : null}
      <ProblemFix problem={problem} connectorId={connectorOf(problem.nodeId)} />
    </li>
  );
}
