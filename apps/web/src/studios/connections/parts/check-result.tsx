/** What trying a connection found: it works, or what is wrong and what to do about it. */
import type { CheckResult, ConnectorProblem } from "@accord/contracts/connections/connectors";
import { ErrorBox } from "@accord/ui";
import { IconCircleCheck } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import "./check-result.css";

export function CheckResultView({ result }: { result: CheckResult }) {
  const { t } = useWords("connections");
  if (result.problem) return <ProblemBox title={t("check.fails")} problem={result.problem} />;
  return (
    <p className="ac-check" role="status">
      <IconCircleCheck size={16} aria-hidden />
      {t("check.works", { ms: Math.round(result.durationMs) })}
    </p>
  );
}

interface ProblemBoxProps {
  title: string;
  problem: ConnectorProblem;
  /** Where it may pass by itself. */
  onRetry?: () => void;
}

export function ProblemBox({ title, problem, onRetry }: ProblemBoxProps) {
  return (
    <ErrorBox
      title={title}
      {...(onRetry ? { onRetry } : {})}
      message={
        <>
          {problem.message}
          {problem.hint ? <div className="ac-check__hint">{problem.hint}</div> : null}
        </>
      }
    />
  );
}
