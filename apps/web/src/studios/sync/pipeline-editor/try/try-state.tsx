/** How current the result of a tried record is, and why there is none for the graph as it is now. */
import { ErrorBox, StatusTag } from "@accord/ui";
import type { PipelineProblem } from "@accord/contracts/sync/pipelines";
import { ApiError, reasonOf } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { problemsIn } from "../draft/refused-graph.ts";
import { useTried, useTryStore } from "./try-context.tsx";

/** Says while a result is computed that the one on screen is older; nothing once it is current. */
export function TryState() {
  const { t } = useWords("sync");
  const isCurrent = useTried((state) => state.isCurrent);
  const hasResult = useTried((state) => state.result !== null);
  const hasFailed = useTried((state) => Boolean(state.error));
  return (
    <span role="status" className="ac-try__state">
      {isCurrent || (hasFailed && !hasResult) ? null : (
        <StatusTag tone={hasFailed ? "warn" : "info"} busy={!hasFailed}>
          {t(hasResult ? "try.outdated" : "try.computing")}
        </StatusTag>
      )}
    </span>
  );
}

/** `nodeId`: problems of other nodes are left to those. */
export function TryError({ nodeId }: { nodeId?: string }) {
  const { t } = useWords("sync");
  const store = useTryStore();
  const error = useTried((state) => state.error);
  if (!error) return null;
  return (
    <ErrorBox
      tone="warn"
      title={t("try.refused")}
      message={reasonsOf(error, nodeId).join(" ")}
      onRetry={() => store.getState().runAgain()}
    />
  );
}

const bySeverity = (problems: readonly PipelineProblem[]): readonly PipelineProblem[] =>
  problems.filter(({ severity }) => severity === "error");

/** Each problem names its field once. */
const withField = (field: string, message: string): string =>
  message.startsWith(`${field} `) ? message : `${field}: ${message}`;

function reasonsOf(error: unknown, nodeId: string | undefined): string[] {
  const problems = bySeverity(problemsIn(error) ?? []);
  const own = problems.filter((problem) => problem.nodeId === nodeId);
  const [first] = own.length > 0 ? own : problems;
  if (first) return [first.errorMessage];
  if (error instanceof ApiError && error.fieldProblems.length > 0)
    return error.fieldProblems.map(({ path, message }) => withField(path.replace(/^record\.(values\.)?/, ""), message));
  return [reasonOf(error)];
}
