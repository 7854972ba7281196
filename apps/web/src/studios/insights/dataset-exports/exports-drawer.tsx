/** Exports of a dataset: start one in a format, and one's own with their progress, cancel, download, delete and try again. */
import type { Id } from "@accord/contracts";
import {
  createDatasetExport,
  EXPORT_LIMITS,
  ExportFormat,
  listDatasetExports,
} from "@accord/contracts/insights/dataset-exports";
import { datasetVariables } from "@accord/contracts/insights/datasets";
import type { VariableValues } from "@accord/contracts/insights/variables";
import { EmptyState, ErrorBox, TableSkeleton } from "@accord/ui";
import { Button, Drawer, Radio } from "@mantine/core";
import { IconFileExport, IconLock } from "@tabler/icons-react";
import { type RefObject, useRef, useState } from "react";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { showSuccess } from "../parts/show-success.ts";
import { ViewerVariables } from "../cards/viewer-variables.tsx";
import { ExportItem, isUnderWay } from "./export-item.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import "../parts/drawer-list.css";
import "./exports.css";

export interface ExportsDrawerProps {
  dataset: { id: Id<"dataset">; displayName: string };
  onClose: () => void;
}

/** Exports change by themselves only while one waits or runs. */
const POLL_MS = 1_000;
const MAX_ROWS: Readonly<Record<ExportFormat, number>> = { CSV: EXPORT_LIMITS.csvRows, XLSX: EXPORT_LIMITS.xlsxRows };

/** Whether somebody may do anything here. */
export const useMayExport = (): boolean => useCan("EXPORT_DATASET", "VIEW_EXPORT_JOBS");

export function ExportsDrawer({ dataset, onClose }: ExportsDrawerProps) {
  const { t } = useWords("insights");
  const mayStart = [useCan("EXPORT_DATASET"), useCan("PREVIEW_DATACARD")].every(Boolean);
  const maySee = useCan("VIEW_EXPORT_JOBS");
  const list = useRef<HTMLElement>(null);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={t("exports.title", { name: dataset.displayName })}
    >
      <div className="ac-exports">
        <p className="ac-quiet">{t("exports.about")}</p>
        {mayStart ? (
          <StartExport datasetId={dataset.id} />
        ) : (
          <ErrorBox tone="info" message={t("exports.mayNotStart")} />
        )}
        <section className="ac-exports__list" aria-label={t("exports.list")} tabIndex={-1} ref={list}>
          <h3>{t("exports.list")}</h3>
          {maySee ? (
            <Exports datasetId={dataset.id} mayStart={mayStart} list={list} />
          ) : (
            <EmptyState compact icon={<IconLock size={22} />} title={t("exports.mayNotSee")} />
          )}
        </section>
      </div>
    </Drawer>
  );
}

function StartExport({ datasetId }: { datasetId: Id<"dataset"> }) {
  const { t } = useWords("insights");
  const [format, setFormat] = useState<ExportFormat>("CSV");
  const [values, setValues] = useState<VariableValues>({});
  const variables = useEndpoint(datasetVariables, { params: { id: datasetId } });
  const start = useCall(createDatasetExport, {
    refreshes: [listDatasetExports],
    onSuccess: () => showSuccess(t("exports.started")),
  });
  return (
    <form
      className="ac-exports__form"
      onSubmit={(event) => {
        event.preventDefault();
        start.mutate({ params: { id: datasetId }, body: { format, variablesMap: values } });
      }}
    >
      <Radio.Group
        label={t("exports.format")}
        value={format}
        onChange={(chosen) => setFormat(ExportFormat.parse(chosen))}
      >
        <div className="ac-exports__formats">
          {ExportFormat.options.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(`exports.formats.${one}`)}
              description={t(`exports.formatHelp.${one}`, { rows: MAX_ROWS[one].toLocaleString("en-US") })}
            />
          ))}
        </div>
      </Radio.Group>
      <QueryView query={variables} skeleton={null}>
        {(found) => <ViewerVariables variables={found.variables} values={values} onChange={setValues} />}
      </QueryView>
      {start.isError ? <RefusalBox error={start.error} /> : null}
      <Button type="submit" leftSection={<IconFileExport size={16} />} loading={start.isPending}>
        {t("exports.start")}
      </Button>
    </form>
  );
}

interface ExportsProps {
  datasetId: Id<"dataset">;
  mayStart: boolean;
  /** Takes the focus of an export that is deleted. */
  list: RefObject<HTMLElement | null>;
}

function Exports({ datasetId, mayStart, list }: ExportsProps) {
  const { t } = useWords("insights");
  const query = useEndpoint(
    listDatasetExports,
    { params: { id: datasetId } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.exports.some(isUnderWay) ? POLL_MS : false),
    },
  );
  return (
    <QueryView query={query} skeleton={<TableSkeleton rows={3} />}>
      {({ exports }) =>
        exports.length === 0 ? (
          <EmptyState
            compact
            icon={<IconFileExport size={22} />}
            title={t("exports.none")}
            body={mayStart ? t("exports.noneBody") : undefined}
          />
        ) : (
          <ul className="ac-drawer-list">
            {exports.map((one) => (
              <ExportItem key={one.id} one={one} mayStart={mayStart} onDeleted={() => list.current?.focus()} />
            ))}
          </ul>
        )
      }
    </QueryView>
  );
}
