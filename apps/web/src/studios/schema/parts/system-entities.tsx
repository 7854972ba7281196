/** The entities of one connected system as a table. */
import type { ConnectorEntitySummary } from "@accord/contracts/connections/connectors";
import { PageHeader, RelativeTime, SearchBox, StatusTag, TableSkeleton, Toolbar, type Column } from "@accord/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { useSystemEntities } from "../queries.ts";
import { EntityTable } from "./entity-table.tsx";

const route = getRouteApi("/signed-in/schema-studio/synapse/$connectorId");

/** What one connected system offers; looked at only. */
export function SystemEntities({ connectorId, name }: { connectorId: string; name: string }) {
  const { t } = useWords("schema");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const entities = useSystemEntities(connectorId);
  return (
    <>
      <PageHeader title={name} subtitle={t("entity.readOnly", { name })} />
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t("search")}
          onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        />
      </Toolbar>
      <QueryView query={entities} skeleton={<TableSkeleton columns={5} />}>
        {(data) => <SystemTable connectorId={connectorId} name={name} entities={data.entities} search={q} />}
      </QueryView>
    </>
  );
}

interface SystemTableProps {
  connectorId: string;
  name: string;
  entities: readonly ConnectorEntitySummary[];
  search: string;
}

function SystemTable({ connectorId, name, entities, search }: SystemTableProps) {
  const { t } = useWords("schema");
  const rows = entities.filter((entity) =>
    `${entity.displayName} ${entity.apiName}`.toLowerCase().includes(search.toLowerCase()),
  );
  const columns: Column<ConnectorEntitySummary>[] = [
    {
      id: "fields",
      header: t("column.fields"),
      align: "end",
      width: 90,
      sortValue: (entity) => entity.fieldCount,
      cell: (entity) => entity.fieldCount,
    },
    {
      id: "key",
      header: t("column.key"),
      mono: true,
      cell: (entity) => entity.idField ?? <StatusTag tone="warn">{entity.problem ?? "–"}</StatusTag>,
    },
    {
      id: "updated",
      header: t("column.updated"),
      width: 130,
      cell: (entity) => <RelativeTime at={entity.refreshedAt} />,
    },
  ];
  return (
    <EntityTable
      entities={rows}
      search={search}
      addressOf={() => ({ connectorId, version: "published" })}
      columns={columns}
      none={{ title: t("noneSystem"), body: t("noneSystemBody", { name }) }}
    />
  );
}
