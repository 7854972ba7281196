/** The first ten records of the source as the core would hold them; what would not be taken over says why. */
import type { ConnectorEntity, getSampleRecords } from "@accord/contracts/connections/connectors";
import type { ReplyOf } from "@accord/contracts";
import { CONVERSION_CODES } from "@accord/expressions";
import { Card, EmptyState, ErrorBox, TableSkeleton } from "@accord/ui";
import { Button } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { previewColumns, previewRows, valueText, type PreviewCell, type PreviewColumn } from "../preview.model.ts";
import type { ProposedRow } from "../proposal.model.ts";

interface Props {
  entity: ConnectorEntity;
  rows: readonly ProposedRow[];
  preview: UseQueryResult<ReplyOf<typeof getSampleRecords>>;
}

export function PreviewCard({ entity, rows, preview }: Props) {
  const { t } = useWords("sync");
  const columns = previewColumns(rows);
  const { displayName } = entity;
  return (
    <Card
      title={t("newPipeline.preview")}
      actions={
        <Button variant="default" size="xs" loading={preview.isFetching} onClick={() => void preview.refetch()}>
          {t("newPipeline.previewAgain")}
        </Button>
      }
    >
      <QueryView query={preview} skeleton={<TableSkeleton rows={4} columns={4} />}>
        {({ records, bad }) => (
          <>
            <p className="ac-new-pipeline__hint">
              {t("newPipeline.previewLead", { count: records.length, entity: displayName })}
            </p>
            {records.length === 0 && bad.length === 0 ? (
              <EmptyState compact title={t("newPipeline.previewEmpty", { entity: displayName })} />
            ) : null}
            {records.length > 0 && columns.length > 0 ? (
              <div className="ac-new-pipeline__scroll" tabIndex={0} role="region" aria-label={t("newPipeline.preview")}>
                <table className="ac-new-pipeline__preview">
                  <thead>
                    <tr>
                      {columns.map(({ core }) => (
                        <th key={core.apiName} scope="col">
                          {core.displayName || core.apiName}
                        </th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {previewRows(
                      columns,
                      records.map(({ values }) => values),
                    ).map((cells, row) => (
                      <tr key={records[row]?.id ?? row}>
                        {cells.map((cell, index) => (
                          <Cell key={columns[index]?.core.apiName ?? index} cell={cell} column={columns[index]} />
                        ))}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            ) : null}
            {bad.map(({ place, message }) => (
              <ErrorBox key={place} tone="warn" title={t("newPipeline.bad", { place })} message={message} />
            ))}
          </>
        )}
      </QueryView>
    </Card>
  );
}

const MAX_SHOWN = 60;

function Cell({ cell, column }: { cell: PreviewCell; column: PreviewColumn | undefined }) {
  const { t } = useWords("sync", "values");
  const text = valueText(cell.value);
  if (!("refused" in cell)) return <td title={text}>{text}</td>;
  const code = CONVERSION_CODES.find((one) => one === cell.refused);
  const shown = text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
  const reason = code
    ? t(`values:conversion.${code}`, { value: shown, limit: column?.core.length ?? "" })
    : cell.refused;
  return <td data-refused>{t("newPipeline.previewRefused", { reason })}</td>;
}
