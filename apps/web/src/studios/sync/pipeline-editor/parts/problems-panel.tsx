/** What validation found: errors and warnings, filterable, each leading to its node. */
import { EmptyState, SearchBox, SidePanel, StatusTag } from "@accord/ui";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";

/** Problems whose message or detail holds the text, whatever its case. */
export function filterProblems(problems: readonly PipelineProblem[], text: string): PipelineProblem[] {
  const wanted = text.trim().toLowerCase();
  return problems.filter((problem) => `${problem.errorMessage}\n${problem.errorDetail}`.toLowerCase().includes(wanted));
}

export function ProblemsPanel({ onGoTo }: { onGoTo: (nodeId: string) => void }) {
  const { t } = useWords("sync");
  const problems = useEditor((state) => state.problems) ?? [];
  const show = useEditor((state) => state.show);
  const [text, setText] = useState("");
  const found = filterProblems(problems, text);
  const errors = problems.filter((problem) => problem.severity === "error").length;
  return (
    <SidePanel
      title={errors > 0 ? t("problems.validationFailed") : t("problems.title")}
      subtitle={`${t("problems.errors", { count: errors })}, ${t("problems.warnings", { count: problems.length - errors })}`}
      onClose={() => show("none")}
      bar={
        problems.length > 5 ? (
          <SearchBox value={text} onChange={setText} placeholder={t("problems.search")} width="100%" />
        ) : undefined
      }
    >
      {problems.length === 0 ? <EmptyState compact title={t("problems.none")} /> : null}
      {problems.length > 0 && found.length === 0 ? (
        <EmptyState compact title={t("problems.nothing", { text })} />
      ) : null}
      <ul className="ac-problems">
        {found.map((problem, index) => (
          <li key={`${problem.code} ${problem.nodeId} ${problem.targetId} ${index}`}>
            <button type="button" disabled={!problem.nodeId} onClick={() => problem.nodeId && onGoTo(problem.nodeId)}>
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
