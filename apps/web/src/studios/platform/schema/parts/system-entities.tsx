/** The entities of one connected system as a table. */
import type { ConnectorEntitySummary } from "@accord/contracts/connections/connectors";
import {
  DataTable,
  EmptyState,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  TableSkeleton,
  Toolbar,
  type Column,
} from "@accord/ui";
import { IconSchema } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { useSystemEntities } from "../queries.ts";

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
  const navigate = useNavigate();
  const rows = entities.filter((entity) =>
    `${entity.displayName} ${entity.apiName}`.toLowerCase().includes(search.toLowerCase()),
  );
  const addressOf = (entity: ConnectorEntitySummary) => ({
    to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version" as const,
    params: { connectorId, entityApiName: entity.apiName, version: "published" },
  });
  const columns: Column<ConnectorEntitySummary>[] = [
    {
      id: "name",
      header: t("column.entity"),
      always: true,
      sortValue: (entity) => entity.displayName,
      cell: (entity) => (
        <Link {...addressOf(entity)} className="ac-name">
          {entity.displayName}
        </Link>
      ),
    },
    {
      id: "apiName",
      header: t("column.apiName"),
      mono: true,
      sortValue: (entity) => entity.apiName,
      cell: (entity) => entity.apiName,
    },
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
    <DataTable
      label={t("entities")}
      fill
      columns={columns}
      rows={rows}
      rowId={(entity) => entity.apiName}
      rowLabel={(entity) => entity.displayName}
      onRowOpen={(entity) => void navigate(addressOf(entity))}
      empty={
        <EmptyState
          icon={<IconSchema size={22} />}
          title={search ? t("noMatch", { text: search }) : t("noneSystem")}
          body={search ? undefined : t("noneSystemBody", { name })}
        />
      }
    />
  );
}
