/** The rows of a statement as it was last run, or what keeps it from running. */
import type { Id } from "@accord/contracts";
import type { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { previewDataset } from "@accord/contracts/insights/datasets";
import { EmptyState } from "@accord/ui";
import { IconTable } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { endpointQuery } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { PreviewTable } from "../dataset-editor/preview-table.tsx";

interface SqlPreviewProps {
  config: DatasetConfig;
  /** Counts the runs: running again asks again. */
  run: number;
  isChanged: boolean;
  datasetId?: Id<"dataset"> | undefined;
}

const ROWS = 100;

export function SqlPreview({ config, run, isChanged, datasetId }: SqlPreviewProps) {
  const { t } = useWords("insights");
  const body = { datasetConfig: config, rows: ROWS, ...(datasetId ? { datasetId } : {}) };
  const options = endpointQuery(previewDataset, { body });
  const isEmpty = (config.sql ?? "").trim() === "";
  const query = useQuery({ ...options, queryKey: [...options.queryKey, run], enabled: !isEmpty, retry: false });
  if (isEmpty)
    return (
      <EmptyState compact icon={<IconTable size={22} />} title={t("editor.preview")} body={t("sqlEditor.notRun")} />
    );
  return (
    <>
      <PreviewTable query={query} />
      {isChanged ? <p className="ac-quiet">{t("sqlEditor.changed")}</p> : null}
      {query.data?.truncated ? <p className="ac-quiet">{t("sqlEditor.firstRows", { count: ROWS })}</p> : null}
    </>
  );
}
