/** Tries the list of a described entity and shows what came back: status, lists found, records, the answer itself. */
import { previewHttpEntity, type ConnectorDetail } from "@accord/contracts/connections/connectors";
import { HttpField } from "@accord/contracts/connections/http-entity";
import { Card, StatusTag } from "@accord/ui";
import { Button, Code } from "@mantine/core";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import type { EntityDraft } from "../http-entity.model.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { FoundLists } from "./found-lists.tsx";
import { ProblemBox } from "../parts/check-result.tsx";
import { ValueTable } from "../parts/value-table.tsx";

export interface HttpPreviewProps {
  connector: ConnectorDetail;
  draft: EntityDraft;
  onSelector: (selector: string) => void;
  onProposal: (fields: HttpField[], selector: string) => void;
}

export function HttpPreview({ connector, draft, onSelector, onProposal }: HttpPreviewProps) {
  const { t } = useWords("connections");
  const preview = useCall(previewHttpEntity);
  const run = (list: EntityDraft["list"]) =>
    preview.mutate({
      body: {
        typeId: connector.metadataId,
        config: connector.config,
        authType: connector.authType,
        credentials: connector.credentialValues,
        connectorId: connector.connectorId,
        entity: JSON.parse(JSON.stringify({ list })),
      },
    });
  const result = preview.data;
  const selector = draft.list.recordSelector || result?.recordSelectors[0] || "$";
  return (
    <Card
      title={t("http.tryIt")}
      className="ac-http__preview"
      actions={
        <Button loading={preview.isPending} disabled={draft.list.path.trim() === ""} onClick={() => run(draft.list)}>
          {t("http.tryIt")}
        </Button>
      }
    >
      {!result && !preview.isPending && !preview.error ? <p className="ac-form__lead">{t("http.tryLead")}</p> : null}
      <div aria-live="polite" className="ac-http__results">
        {preview.isPending ? <p>{t("http.trying")}</p> : null}
        {preview.error ? <RefusalBox error={preview.error} /> : null}
        {result ? (
          <>
            <div className="ac-http__line">
              <StatusTag tone={result.problem ? "error" : "ok"}>
                {t("http.answered", { status: result.status, ms: Math.round(result.durationMs) })}
              </StatusTag>
              {result.problem ? null : <span>{t("http.found", { count: result.recordCount })}</span>}
            </div>
            {result.problem ? <ProblemBox title={t("check.fails")} problem={result.problem} /> : null}
            <FoundLists
              label={t("http.foundLists")}
              result={result}
              selector={selector}
              onSelector={(next) => {
                onSelector(next);
                run({ ...draft.list, recordSelector: next });
              }}
            />
            {result.sample.length > 0 ? (
              <>
                <ValueTable
                  label={t("http.sampleRecords")}
                  columns={result.proposed.map((field) => ({
                    name: String(field["apiName"]),
                    label: String(field["apiName"]),
                  }))}
                  rows={result.sample}
                />
                <Button variant="light" onClick={() => onProposal(HttpField.array().parse(result.proposed), selector)}>
                  {t("http.useProposed")}
                </Button>
              </>
            ) : null}
            <details>
              <summary>{t("http.raw")}</summary>
              <Code block className="ac-http__raw" tabIndex={0}>
                {result.bodyExcerpt}
              </Code>
            </details>
          </>
        ) : null}
      </div>
    </Card>
  );
}
