/** Records of all pipelines that could not be read or written, with the reason of each and the way to its pipeline. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { listConnectors } from "@accord/contracts/connections/connectors";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { listSyncErrors, type SyncError } from "@accord/contracts/sync/monitoring/quarantine";
import { type Column, DataTable, EmptyState, RelativeTime, SearchBox, StatusTag, TableSkeleton } from "@accord/ui";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { LongText } from "../pipelines/parts/long-text.tsx";
import { PageTurns } from "../pipelines/parts/page-turns.tsx";
import { EntityChoice, LogChoice } from "../log-choice.tsx";
import { entityColumn, LogPage, useEntityInAddress } from "./log-page.tsx";
import type { SyncErrorsSearch } from "./routes.tsx";
import "./logs.css";

const SHOWN = 50;
const TONES = { OPEN: "warn", RETRYING: "info", RESOLVED: "ok" } as const;

refreshOn(pipelineStatusChanged, [listSyncErrors]);

export function SyncErrorsScreen() {
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <SyncErrors />
    </Demand>
  );
}

function SyncErrors() {
  const { t } = useWords("sync");
  const search: SyncErrorsSearch = useSearch({ strict: false });
  const { cursor, direction, entity: apiName, status, side, text } = search;
  const navigate = useNavigate();
  // Another filter has another first page.
  const narrow = (part: SyncErrorsSearch) =>
    void navigate({ to: ".", search: { entity: apiName, status, side, text, ...part }, replace: true });
  const { known, entity, isResolved, isUnknown } = useEntityInAddress(apiName);
  const query = {
    ...(entity ? { entityId: entity.id } : {}),
    ...(side ? { side } : {}),
    ...(text ? { search: text } : {}),
    ...(status === "all" ? {} : { status: status ?? ("UNRESOLVED" as const) }),
    ...(cursor ? { cursor, direction: direction ?? ("next" as const) } : {}),
    count: SHOWN,
  };
  const errors = useEndpoint(
    listSyncErrors,
    { query },
    { placeholderData: keepPreviousData, enabled: isResolved, ...polling() },
  );
  const columns = useColumns(known);
  const isNarrowed = [entity, side, text, status].some(Boolean);
  return (
    <LogPage
      title={t("syncErrors.title")}
      lead={t("syncErrors.lead")}
      filters={<Filters search={search} entities={known} onChange={narrow} />}
      unknownEntity={isUnknown ? apiName : undefined}
    >
      <QueryView query={errors} skeleton={<TableSkeleton />}>
        {({ entries, page }) => (
          <DataTable
            label={t("syncErrors.title")}
            columns={columns}
            rows={entries}
            rowId={({ id }) => id}
            stale={errors.isPlaceholderData}
            empty={
              isNarrowed ? (
                <EmptyState title={t("syncErrors.noneFound")} />
              ) : (
                <EmptyState title={t("syncErrors.none")} body={t("syncErrors.noneHint")} />
              )
            }
            {...(page.nextCursor || page.previousCursor ? { footer: <PageTurns page={page} onTurn={narrow} /> } : {})}
          />
        )}
      </QueryView>
    </LogPage>
  );
}

interface FiltersProps {
  search: SyncErrorsSearch;
  entities: readonly CoreEntity[];
  onChange: (part: SyncErrorsSearch) => void;
}

function Filters({ search, entities, onChange }: FiltersProps) {
  const { t } = useWords("sync");
  return (
    <div className="ac-logs__filters">
      <SearchBox
        value={search.text ?? ""}
        onChange={(text) => onChange({ text: text || undefined })}
        placeholder={t("syncErrors.search")}
      />
      <EntityChoice entities={entities} value={search.entity} onChange={(entity) => onChange({ entity })} />
      <LogChoice
        label={t("syncErrors.side")}
        any={t("syncErrors.anySide")}
        data={(["source", "destination"] as const).map((value) => ({ value, label: t(`syncErrors.side_${value}`) }))}
        value={search.side}
        onChange={(side) => onChange({ side })}
      />
      <LogChoice
        label={t("syncErrors.status")}
        any={t("syncErrors.status_UNRESOLVED")}
        data={[
          { value: "RESOLVED", label: t("syncErrors.status_RESOLVED") },
          { value: "all", label: t("syncErrors.anyStatus") },
        ]}
        value={search.status}
        onChange={(status) => onChange({ status })}
      />
    </div>
  );
}

function useColumns(entities: readonly CoreEntity[]): Column<SyncError>[] {
  const { t } = useWords("sync");
  const connectors = useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });
  const placeOf = ({ connectorId, connectorEntity }: SyncError): string => {
    const system = connectors.data?.connectors.find(({ id }) => id === connectorId);
    return `${system?.name ?? ""} ${connectorEntity}`.trim();
  };
  return [
    { id: "when", header: t("activity.when"), width: 120, cell: ({ at }) => <RelativeTime at={at} /> },
    entityColumn(t, entities),
    {
      id: "record",
      header: t("quarantine.record"),
      grow: 2,
      minWidth: 170,
      cell: (entry) => {
        const name = entry.recordName ?? entry.externalId ?? t("quarantine.openRecord");
        const from = t(`quarantine.${entry.direction}`, { place: placeOf(entry) });
        return (
          <div className="ac-logs__record" title={`${name} ${from}`}>
            {entry.recordId ? (
              <Link
                to="/data-studio/entity/$entityId/record/$recordId"
                params={{ entityId: entry.entityId, recordId: entry.recordId }}
              >
                {name}
              </Link>
            ) : (
              <span>{name}</span>
            )}
            <small>{from}</small>
          </div>
        );
      },
    },
    {
      id: "why",
      header: t("quarantine.why"),
      grow: 4,
      minWidth: 220,
      cell: ({ message, status, isPublished }) => (
        <LongText text={message}>
          {isPublished || status === "RESOLVED" ? null : <span>{t("syncErrors.unpublishedHint")}</span>}
        </LongText>
      ),
    },
    {
      id: "status",
      header: t("quarantine.status"),
      width: 140,
      cell: ({ status, isPublished }) =>
        isPublished || status === "RESOLVED" ? (
          <StatusTag tone={TONES[status]} busy={status === "RETRYING"}>
            {t(`quarantine.status_${status}`)}
          </StatusTag>
        ) : (
          <StatusTag tone="idle">{t("syncErrors.unpublished")}</StatusTag>
        ),
    },
    {
      id: "open",
      header: "",
      width: 140,
      cell: ({ entityId }) => (
        <Link to="/sync-studio/details" search={{ panel: "activity", activity: entityId, tab: "quarantine" }}>
          {t("syncErrors.open")}
        </Link>
      ),
    },
  ];
}
