/** What validation found: errors and warnings, filterable, each leading to its node. */
import { EmptyState, SearchBox, SidePanel, StatusTag, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";
import { hasText } from "./problem-causes.ts";

interface Props {
  isValidating: boolean;
  onValidate: () => void;
  onGoTo: (nodeId: string) => void;
}

export function ProblemsPanel({ isValidating, onValidate, onGoTo }: Props) {
  const { t } = useWords("sync");
  const known = useEditor((state) => state.problems);
  const problems = known ?? [];
  const nodes = useEditor((state) => state.graph.nodes);
  // Publishing names problems of field pipelines too, whose nodes are elsewhere.
  const present = new Set<string | null>(nodes.map(({ id }) => id));
  const show = useEditor((state) => state.show);
  const [text, setText] = useState("");
  const found = problems.filter((problem) => hasText(problem, text));
  const errors = problems.filter((problem) => problem.severity === "error").length;
  return (
    <SidePanel
      title={errors > 0 ? t("problems.validationFailed") : t("problems.title")}
      subtitle={
        known
          ? `${t("problems.errors", { count: errors })}, ${t("problems.warnings", { count: problems.length - errors })}`
          : undefined
      }
      onClose={() => show("none")}
      bar={
        problems.length > 5 ? (
          <SearchBox value={text} onChange={setText} placeholder={t("problems.search")} width="100%" />
        ) : undefined
      }
    >
      {known === null && isValidating ? <TableSkeleton rows={3} /> : null}
      {known === null && !isValidating ? (
        <EmptyState
          compact
          title={t("problems.unknown")}
          action={
            <Button variant="default" onClick={onValidate}>
              {t("editor.validate")}
            </Button>
          }
        />
      ) : null}
      {known?.length === 0 ? <EmptyState compact title={t("problems.none")} /> : null}
      {problems.length > 0 && found.length === 0 ? (
        <EmptyState compact title={t("problems.nothing", { text })} />
      ) : null}
      <ul className="ac-problems">
        {found.map((problem, index) => (
          <li key={`${problem.code} ${problem.nodeId} ${problem.targetId} ${index}`}>
            <button
              type="button"
              className="ac-row-button"
              disabled={!present.has(problem.nodeId)}
              onClick={() => problem.nodeId && onGoTo(problem.nodeId)}
            >
              <StatusTag tone={problem.severity === "error" ? "error" : "warn"}>
                {t(`problems.${problem.severity}`)}
              </StatusTag>
              <span>{problem.errorMessage}</span>
            </button>
          </li>
        ))}
      </ul>
    </SidePanel>
  );
}
