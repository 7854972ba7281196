/** What came back for a test: how it ended, status, time, headers and body, and what was sent for it. */
import { StatusTag } from "@accord/ui";
import type { ActionTestResult } from "@accord/contracts/sync/custom-action-checks";
import { useWords } from "../../../../app/words.ts";
import { indentedJson } from "../../../../shared/indented-json.ts";
import { RequestText } from "./request-preview.tsx";

export function TestResult({ result }: { result: ActionTestResult }) {
  const { t } = useWords("customActions");
  const { succeeded, code, message, durationMs, request, response } = result;
  /** The server's own guard kept it from being sent. */
  const isUnsent = code === "http_refused";
  return (
    <section className="ac-action-stack" aria-label={t("test.result")}>
      <div className="ac-action-line">
        <StatusTag tone={succeeded ? "ok" : "error"}>{t(succeeded ? "test.succeeded" : "test.failed")}</StatusTag>
        {response ? <span>{t("test.status", { status: response.status })}</span> : null}
        {isUnsent ? null : <span className="ac-quiet">{t("test.took", { ms: durationMs })}</span>}
      </div>
      {message ? <p>{message}</p> : null}
      {response ? (
        <>
          {response.body === "" ? (
            <p className="ac-quiet">{t("test.emptyBody")}</p>
          ) : (
            <div className="ac-action-raw" role="region" aria-label={t("test.body")} tabIndex={0}>
              <div className="ac-action-raw__body">{indentedJson(response.body)}</div>
            </div>
          )}
          {response.isCut ? <p className="ac-quiet">{t("test.cut")}</p> : null}
          <details className="ac-action-details">
            <summary>{t("test.headers")}</summary>
            <div className="ac-action-raw" role="region" aria-label={t("test.headers")} tabIndex={0}>
              {Object.entries(response.headers).map(([name, value]) => (
                <div key={name}>
                  <b>{name}:</b> {value}
                </div>
              ))}
            </div>
          </details>
        </>
      ) : (
        <p>{t(isUnsent ? "test.unsent" : "test.noResponse")}</p>
      )}
      {isUnsent ? null : (
        <details className="ac-action-details">
          <summary>{t("test.sent")}</summary>
          <RequestText label={t("test.sent")} request={request} />
        </details>
      )}
    </section>
  );
}
