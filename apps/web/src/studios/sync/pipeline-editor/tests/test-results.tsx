/** What came of a test or a live run: expected values beside the actual ones, and each node with what went in and out. */
import { ErrorBox, StatusTag, type Tone } from "@accord/ui";
import type { Value } from "@accord/contracts/data/values";
import type { NodeResult, NodeTestData, TestResult, TestRunStatus } from "@accord/contracts/sync/tests/pipeline-tests";
import { isProcessing } from "@accord/contracts/sync/tests/pipeline-tests";
import { textOf } from "@accord/expressions";
import { useState } from "react";
import { explain } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

const NODE_TONES: Record<NodeResult["status"], Tone> = {
  success: "ok",
  failed: "error",
  skipped: "info",
  not_reached: "idle",
};

export function RunTag({ status }: { status: TestRunStatus | null }) {
  const { t } = useWords("sync");
  if (status === null) return <StatusTag tone="idle">{t("tests.notRun")}</StatusTag>;
  if (isProcessing(status)) {
    return (
      <StatusTag tone="info" busy>
        {t("tests.processing")}
      </StatusTag>
    );
  }
  if (status === "success") return <StatusTag tone="ok">{t("tests.passed")}</StatusTag>;
  if (status === "completed") return <StatusTag tone="ok">{t("tests.completed")}</StatusTag>;
  if (status === "failed") return <StatusTag tone="error">{t("tests.failed")}</StatusTag>;
  return <StatusTag tone="error">{t(status === "aborted" ? "tests.aborted" : "tests.error")}</StatusTag>;
}

export function TestResultView({ result, onGoTo }: { result: TestResult; onGoTo: (nodeId: string) => void }) {
  const { t } = useWords("sync");
  const { values } = result.actualResult;
  return (
    <>
      {result.message ? <ErrorBox title={t("tests.error")} message={result.message} /> : null}
      {values.length > 0 ? (
        <section className="ac-tests__section">
          <h3>{t("tests.expectations")}</h3>
          <ul className="ac-tests__expected">
            {values.map((one, index) => (
              <Expectation key={`${one.apiName} ${index}`} value={one} />
            ))}
          </ul>
        </section>
      ) : null}
      {result.nodes.length > 0 ? (
        <section className="ac-tests__section">
          <h3>{t("tests.nodes")}</h3>
          <ul className="ac-tests__nodes">
            {result.nodes.map((node) => (
              <NodeRow key={node.nodeId} node={node} onGoTo={onGoTo} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
}

function Expectation({ value: one }: { value: TestResult["actualResult"]["values"][number] }) {
  const { t } = useWords("sync");
  const shown = useShown();
  return (
    <li data-failed={one.failed || undefined}>
      <StatusTag tone={one.failed ? "error" : "ok"}>{t(one.failed ? "tests.failed" : "tests.passed")}</StatusTag>
      <div>
        <strong>{one.apiName}</strong>
        <span>{t("tests.expectedWas", { expected: shown(one.expected) })}</span>
        {one.failed ? <span>{one.message ?? t("tests.actualWas", { actual: shown(one.value) })}</span> : null}
      </div>
    </li>
  );
}

function NodeRow({ node, onGoTo }: { node: NodeResult; onGoTo: (nodeId: string) => void }) {
  const { t } = useWords("sync");
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <button
        type="button"
        className="ac-row-button"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
          onGoTo(node.nodeId);
        }}
      >
        <span>{node.label}</span>
        <StatusTag tone={NODE_TONES[node.status]}>{t(`tests.node.${node.status}`)}</StatusTag>
      </button>
      {isOpen ? node.testData.map((data, index) => <NodeData key={`${data.recordId} ${index}`} data={data} />) : null}
      {isOpen && node.isTruncated ? <p>{t("tests.truncated")}</p> : null}
    </li>
  );
}

function NodeData({ data }: { data: NodeTestData }) {
  const { t } = useWords("sync");
  const shown = useShown();
  const fields = [...new Set([...Object.keys(data.input), ...Object.keys(data.output)])];
  const notes = [...(data.message ? [data.message] : []), ...data.warnings, ...data.skipped.map((one) => one.message)];
  return (
    <div className="ac-tests__data">
      <table>
        <caption>{t("tests.record", { id: data.recordId })}</caption>
        <thead>
          <tr>
            <th scope="col">{t("tests.field")}</th>
            <th scope="col">{t("tests.input")}</th>
            <th scope="col">{t("tests.output")}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td>{field in data.input ? shown(data.input[field] ?? null) : ""}</td>
              <td>{field in data.output ? shown(data.output[field] ?? null) : ""}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  );
}

/** A value as text; nothing says so. */
function useShown(): (value: Value) => string {
  const { t } = useWords("sync");
  return (value) => (value === null || value === "" ? t("tests.empty") : textOf(value));
}

/** A run or a save that was refused, or a run that broke off. */
export function RunError({ error }: { error: unknown }) {
  const { t } = useWords("sync");
  return explain(error).reasons.length > 0 ? (
    <RefusalBox error={error} />
  ) : (
    <RefusalBox title={t("tests.error")} error={error} />
  );
}
