/** The first rows of a dataset, or what keeps it from running. */
import type { ReplyOf } from "@accord/contracts";
import type { previewDataset } from "@accord/contracts/insights/datasets";
import { ModelTable } from "@accord/cards/views";
import { formatValue, isNumberColumn } from "@accord/cards/definitions";
import { Card, EmptyState, TableSkeleton } from "@accord/ui";
import { Collapse, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo } from "react";
import { useWords } from "../../../app/words.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

type Rows = ReplyOf<typeof previewDataset>;

export function PreviewTable({ query }: { query: UseQueryResult<Rows> }) {
  const { t } = useWords("insights");
  const [sqlShown, sql] = useDisclosure(false);
  const model = useMemo(() => (query.data ? modelOf(query.data) : null), [query.data]);
  return (
    <Card
      title={t("editor.preview")}
      actions={
        query.data ? (
          <>
            <span className="ac-quiet">
              {query.data.truncated
                ? t("editor.firstRows", { count: query.data.rows.length })
                : t("editor.rows", { count: query.data.rows.length })}
            </span>
            <Button size="xs" variant="subtle" color="idle" aria-expanded={sqlShown} onClick={sql.toggle}>
              {t("editor.sql")}
            </Button>
          </>
        ) : null
      }
    >
      {query.isError ? <RefusalBox error={query.error} /> : null}
      {query.data ? (
        <Collapse expanded={sqlShown}>
          <pre className="ac-dataset__sql">{query.data.sql}</pre>
        </Collapse>
      ) : null}
      {model ? (
        model.rows.length === 0 ? (
          <EmptyState compact title={t("card.no_data_title")} body={t("card.no_data_body")} />
        ) : (
          <div className="ac-dataset__table">
            <ModelTable model={model} />
          </div>
        )
      ) : query.isError ? null : (
        <TableSkeleton />
      )}
    </Card>
  );
}

const modelOf = ({ columns, rows }: Rows) => ({
  kind: "table" as const,
  notes: [],
  columns: columns.map((column) => ({
    key: column.name,
    title: column.displayName,
    isNumber: isNumberColumn(column),
    color: undefined,
  })),
  rows: rows.map((row) => ({
    values: columns.map(({ name }) => row[name]),
    texts: columns.map((column) => formatValue(row[column.name], column)),
  })),
});
