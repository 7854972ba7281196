/** What went wrong while the pipeline ran, grouped by cause, narrowed by node, field and text; each leads to its node and to its fix. */
import { CountBadge, EmptyState, SearchBox, SidePanel, StatusTag, TableSkeleton } from "@accord/ui";
import { Select } from "@mantine/core";
import { getPipelineErrors, pipelineStatusChanged, type RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { Id, ReplyOf } from "@accord/contracts";
import { nodeTitle } from "@accord/sync-engine/graph";
import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import { polling, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { useCountText } from "../../../../shared/health.tsx";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useEditor } from "../editor-context.tsx";
import { causesOf, isOfFieldPipeline, matchesFilter, type Cause, type ProblemFilter } from "./problem-causes.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { useCoreEntity } from "../queries.ts";
import { isCountListed, ProblemCount } from "./problem-count.tsx";
import { ProblemFix } from "./problem-fix.tsx";

refreshOn(pipelineStatusChanged, [getPipelineErrors]);

interface Props {
  entityId: Id<"entity">;
  onGoTo: (nodeId: string) => void;
}

export function ErrorsPanel({ entityId, onGoTo }: Props) {
  const { t } = useWords("sync");
  const show = useEditor((state) => state.show);
  const all = useEndpoint(getPipelineErrors, { params: { entityId }, query: {} }, polling());
  const problems = useOfOpenGraph(all);
  const [filter, setFilter] = useState<ProblemFilter>({});
  const { error = [], warnings = [] } = problems.data ?? {};
  const listed = [...error, ...warnings];
  return (
    <SidePanel
      title={t("errors.title")}
      subtitle={
        problems.data
          ? `${t("problems.errors", { count: error.length })}, ${t("problems.warnings", { count: warnings.length })}`
          : undefined
      }
      onClose={() => show("none")}
      bar={
        listed.length > 0 ? (
          <Filters entityId={entityId} all={listed} filter={filter} onFilter={setFilter} />
        ) : undefined
      }
    >
      <QueryView query={problems} skeleton={<TableSkeleton rows={3} />}>
        {(data) => {
          const causes = causesOf({
            error: data.error.filter(matchesFilter(filter)),
            warning: data.warnings.filter(matchesFilter(filter)),
          });
          if (causes.length > 0)
            return causes.map((cause) => (
              <CauseList key={`${cause.severity} ${cause.code}`} entityId={entityId} cause={cause} onGoTo={onGoTo} />
            ));
          return listed.length === 0 ? (
            <EmptyState compact title={t("activity.noProblems")} body={t("activity.noProblemsHint")} />
          ) : (
            <EmptyState compact title={t("errors.noMatch")} />
          );
        }}
      </QueryView>
    </SidePanel>
  );
}

/** In a field pipeline only what went wrong at its own nodes. */
function useOfOpenGraph(problems: UseQueryResult<ReplyOf<typeof getPipelineErrors>>) {
  const isField = useFieldScope() !== null;
  const nodes = useEditor((state) => state.graph.nodes);
  if (!isField || !problems.data) return problems;
  const isOwn = isOfFieldPipeline(new Set(nodes.map(({ id }) => id)));
  const { error, warnings } = problems.data;
  return { ...problems, data: { error: error.filter(isOwn), warnings: warnings.filter(isOwn) } };
}

function useNames(entityId: Id<"entity">) {
  const { t } = useWords("sync");
  const nodes = useEditor((state) => state.graph.nodes);
  const fields = useCoreEntity(entityId).data?.fields;
  return {
    node: (id: string) => {
      const node = nodes.find((each) => each.id === id);
      return node ? nodeTitle(node) : t("errors.elsewhere");
    },
    connectorOf: (id: string | null) => nodes.find((each) => each.id === id)?.configuration.connectorId,
    isShown: (id: string) => nodes.some((each) => each.id === id),
    field: (id: string) => fields?.find(({ apiName }) => apiName === id)?.displayName ?? id,
  };
}

interface FilterProps {
  entityId: Id<"entity">;
  all: readonly RunProblem[];
  filter: ProblemFilter;
  onFilter: (filter: ProblemFilter) => void;
}

function Filters({ entityId, all, filter, onFilter }: FilterProps) {
  const { t } = useWords("sync");
  const names = useNames(entityId);
  const choices = (ids: readonly (string | null)[], nameOf: (id: string) => string) =>
    [...new Set(ids)].flatMap((id) => (id === null ? [] : [{ value: id, label: nameOf(id) }]));
  return (
    <div className="ac-problem-filters">
      <SearchBox
        value={filter.text ?? ""}
        onChange={(text) => onFilter({ ...filter, text })}
        placeholder={t("problems.search")}
        width="100%"
      />
      <Select
        aria-label={t("errors.node")}
        placeholder={t("errors.allNodes")}
        clearable
        data={choices(
          all.map(({ nodeId }) => nodeId),
          names.node,
        )}
        value={filter.nodeId ?? null}
        onChange={(nodeId) => onFilter({ ...filter, nodeId: nodeId ?? undefined })}
      />
      <Select
        aria-label={t("errors.field")}
        placeholder={t("errors.allFields")}
        clearable
        data={choices(
          all.map(({ targetId }) => targetId),
          names.field,
        )}
        value={filter.targetId ?? null}
        onChange={(targetId) => onFilter({ ...filter, targetId: targetId ?? undefined })}
      />
    </div>
  );
}

function CauseList({ entityId, cause, onGoTo }: { entityId: Id<"entity">; cause: Cause; onGoTo: Props["onGoTo"] }) {
  const { t } = useWords("sync");
  const { severity, message, problems, count } = cause;
  return (
    <section className="ac-cause" aria-label={message}>
      <h3>
        <StatusTag tone={severity === "error" ? "error" : "warn"}>{t(`problems.${severity}`)}</StatusTag>
        <span>{message}</span>
        <CountBadge count={count} tone={severity === "error" ? "error" : "warn"} />
      </h3>
      <ul className="ac-problems">
        {problems.map((problem) => (
          <CauseItem
            key={`${problem.nodeId} ${problem.targetId} ${problem.errorMessage} ${problem.errorDetail}`}
            entityId={entityId}
            problem={problem}
            heading={message}
            onGoTo={onGoTo}
          />
        ))}
      </ul>
    </section>
  );
}

interface CauseItemProps {
  entityId: Id<"entity">;
  problem: RunProblem;
  /** What stands above all problems of the cause. */
  heading: string;
  onGoTo: Props["onGoTo"];
}

/** One press leads to the node; where the values themselves are listed, their number leads there. */
function CauseItem({ entityId, problem, heading, onGoTo }: CauseItemProps) {
  const { t } = useWords("sync");
  const names = useNames(entityId);
  const countText = useCountText();
  const { nodeId, targetId, errorMessage, errorDetail, count, isLowerBound } = problem;
  const records = t("activity.problemRecords", { count, shown: countText({ count, isLowerBound }) });
  const isListed = isCountListed(problem);
  return (
    <li>
      <button
        type="button"
        className="ac-row-button"
        disabled={nodeId === null || !names.isShown(nodeId)}
        onClick={() => nodeId && onGoTo(nodeId)}
      >
        <span>
          {[nodeId && names.node(nodeId), targetId && names.field(targetId)].filter(Boolean).join(" · ") ||
            t("errors.pipeline")}
        </span>
        {errorMessage === heading ? null : <span>{errorMessage}</span>}
        {errorDetail === "" || errorDetail === errorMessage ? null : (
          <span className="ac-problems__detail">{errorDetail}</span>
        )}
        {isListed ? null : <span className="ac-problems__detail">{records}</span>}
      </button>
      {isListed ? (
        <span className="ac-problems__records">
          <ProblemCount entityId={entityId} problem={problem}>
            {() => records}
          </ProblemCount>
        </span>
      ) : null}
      <ProblemFix problem={problem} connectorId={names.connectorOf(nodeId)} />
    </li>
  );
}
