/** Synapses as a table. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { DataTable, RelativeTime, type Column } from "@accord/ui";
import { Link, useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";
import type { ConnectorActions } from "../use-connector-actions.tsx";
import { ConnectorIcon } from "../../../shared/connector-icon/connector-icon.tsx";
import { ConnectorStatusTag } from "./connector-status.tsx";

export function ConnectorTable({
  connectors,
  actions,
}: {
  connectors: readonly Connector[];
  actions: ConnectorActions;
}) {
  const { t } = useWords("connections");
  const navigate = useNavigate();
  const columns: Column<Connector>[] = [
    {
      id: "name",
      header: t("name"),
      minWidth: 200,
      grow: 1.4,
      sortValue: ({ name }) => name,
      cell: ({ id, name, metadata }) => (
        <>
          <ConnectorIcon icon={metadata.icon} color={metadata.backgroundColor} size={22} />
          <Link to="/synapses/connections/$connectorId" params={{ connectorId: id }}>
            {name}
          </Link>
        </>
      ),
    },
    {
      id: "kind",
      header: t("kind"),
      width: 140,
      sortValue: ({ typeName }) => typeName,
      cell: ({ typeName }) => typeName,
    },
    {
      id: "status",
      header: t("state"),
      width: 150,
      sortValue: ({ status }) => status,
      cell: (connector) => <ConnectorStatusTag connector={connector} />,
    },
    {
      id: "entities",
      header: t("entities"),
      width: 100,
      align: "end",
      sortValue: ({ entityCount }) => entityCount,
      cell: ({ entityCount }) => entityCount.toLocaleString("en-US"),
    },
    {
      id: "refreshed",
      header: t("refreshed"),
      width: 140,
      sortValue: ({ schemaRefreshedAt }) => schemaRefreshedAt,
      cell: ({ schemaRefreshedAt }) => <RelativeTime at={schemaRefreshedAt} />,
    },
  ];
  return (
    <DataTable
      label={t("title")}
      columns={columns}
      rows={connectors}
      rowId={({ id }) => id}
      rowLabel={({ name }) => name}
      rowMenu={actions.menu}
      onRowOpen={({ id }) => void navigate({ to: "/synapses/connections/$connectorId", params: { connectorId: id } })}
    />
  );
}
