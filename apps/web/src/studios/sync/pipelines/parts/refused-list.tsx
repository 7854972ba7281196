/** Values that fields of the core can't hold, or of destinations can't take, with their records, page by page, and what to do. */
import { listConnectors } from "@accord/contracts/connections/connectors";
import { getEntity } from "@accord/contracts/data/core-schema";
import { listRefusedValues, type RefusedValue } from "@accord/contracts/sync/monitoring/refused-values";
import type { PipelineRow } from "@accord/contracts/sync/pipelines";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { DataTable, EmptyState, FilterChips, RelativeTime, TableSkeleton, type Column } from "@accord/ui";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { polling, refreshOn, useEndpoint } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { useTypeWords } from "../../../../shared/words/type-words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import type { ActivityNarrowing } from "../activity-tabs.ts";
import { LongText } from "./long-text.tsx";
import { PageTurns, type Turn } from "./page-turns.tsx";
import { useNodeNames } from "./node-names.ts";
import { valueWords } from "./value-words.ts";

refreshOn(pipelineStatusChanged, [listRefusedValues]);

interface Props {
  row: PipelineRow;
  narrowing: ActivityNarrowing;
  onNarrow: (narrowing: ActivityNarrowing) => void;
}

export function RefusedList({ row, narrowing, onNarrow }: Props) {
  const { node: nodeId, field } = narrowing;
  const { t } = useWords("sync");
  const [turn, setTurn] = useState<Turn>({});
  const values = useEndpoint(
    listRefusedValues,
    { params: { entityId: row.id }, query: { nodeId, field, ...turn } },
    { placeholderData: keepPreviousData, ...polling() },
  );
  const columns = useColumns(row);
  return (
    <QueryView query={values} skeleton={<TableSkeleton />}>
      {({ values: found, page }) => (
        <div className="ac-quarantine">
          <span className="ac-quarantine__lead">{t("refused.lead")}</span>
          <Narrowing row={row} narrowing={narrowing} onNarrow={onNarrow} />
          <DataTable
            label={t("refused.title")}
            columns={columns}
            rows={found}
            rowId={({ recordId, nodeId: at, field }) => `${recordId} ${at} ${field}`}
            stale={values.isPlaceholderData}
            empty={<EmptyState compact title={t("refused.none")} body={t("refused.noneHint")} />}
          />
          <PageTurns page={page} onTurn={setTurn} />
        </div>
      )}
    </QueryView>
  );
}

/** What the list is narrowed to, each taken off by a press. */
function Narrowing({ row, narrowing, onNarrow }: Props) {
  const { t } = useWords("sync");
  const nodeName = useNodeNames(row);
  const entity = useEndpoint(getEntity, { params: { entityId: row.id } });
  const { node, field } = narrowing;
  const named = entity.data?.fields.find(({ apiName }) => apiName === field)?.displayName ?? field ?? "";
  const chips = [
    { id: "field", of: field, label: t("refused.onlyField", { field: named }), rest: { node, field: undefined } },
    {
      id: "node",
      of: node,
      label: t("refused.onlyNode", { node: nodeName(node ?? null) }),
      rest: { node: undefined, field },
    },
  ].flatMap(({ id, of, label, rest }) => (of === undefined ? [] : [{ id, label, onRemove: () => onNarrow(rest) }]));
  return chips.length > 0 ? (
    <FilterChips chips={chips} onClear={() => onNarrow({ node: undefined, field: undefined })} />
  ) : null;
}

function useColumns(row: PipelineRow): Column<RefusedValue>[] {
  const { t } = useWords("sync");
  const typeWord = useTypeWords();
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  const entity = useEndpoint(getEntity, { params: { entityId: row.id } });
  const fieldOf = (apiName: string) => entity.data?.fields.find((field) => field.apiName === apiName);
  const systemOf = ({ connectorId, connectorEntity }: RefusedValue) =>
    `${connectors.data?.connectors.find(({ id }) => id === connectorId)?.name ?? ""} ${connectorEntity}`.trim();
  const reasonOf = ({ direction, reason, field }: RefusedValue) => {
    if (direction === "destination") return reason ?? t("refused.fitsNow");
    const type = fieldOf(field)?.dataType;
    if (type) return t("refused.notOfType", { type: typeWord(type) });
    return entity.isSuccess ? t("refused.fieldGone") : "";
  };
  return [
    {
      id: "record",
      header: t("refused.record"),
      grow: 2,
      minWidth: 140,
      cell: ({ recordId, recordName, externalId }) => (
        <div className="ac-claim">
          <span>
            <Link
              className="ac-claim__link"
              to="/data-studio/entity/$entityId/record/$recordId"
              params={{ entityId: row.id, recordId }}
              title={recordName ?? undefined}
            >
              {recordName ?? t("refused.unnamed", { id: recordId.slice(-6) })}
            </Link>
          </span>
          <span className="ac-claim__by">{externalId}</span>
        </div>
      ),
    },
    {
      id: "field",
      header: t("refused.field"),
      minWidth: 100,
      cell: ({ direction, field }) =>
        direction === "destination" ? (
          <span title={t("refused.ofSystem")}>{field}</span>
        ) : (
          <Link
            to="/schema-studio/synapse/$connectorId/entity/$entityApiName/$version"
            params={{ connectorId: "core", entityApiName: row.apiName, version: "published" }}
            search={{ field }}
            title={t("refused.editField")}
          >
            {fieldOf(field)?.displayName ?? field}
          </Link>
        ),
    },
    {
      id: "value",
      header: t("refused.value"),
      grow: 2,
      minWidth: 140,
      cell: ({ value }) => <LongText text={valueWords(undefined, value, t("conflicts.empty"))} />,
    },
    { id: "system", header: t("refused.system"), minWidth: 120, grow: 1.4, cell: systemOf },
    {
      id: "reason",
      header: t("refused.reason"),
      minWidth: 160,
      grow: 2,
      cell: (one) => <LongText text={reasonOf(one)} />,
    },
    { id: "since", header: t("refused.since"), width: 116, cell: ({ at }) => <RelativeTime at={at} /> },
  ];
}
