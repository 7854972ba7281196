/** The entities of a synapse; one opened beside the list with its fields. */
import {
  isConnectorActionAllowed,
  type ConnectorDetail,
  type ConnectorEntitySummary,
} from "@accord/contracts/connections/connectors";
import { DataTable, EmptyState, SearchBox, StatusTag, TableSkeleton, Toolbar, type Column } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconPlus, IconTable } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { isDescribedHere } from "../connections.model.ts";
import { useConnectorEntities } from "../queries.ts";
import { EntityPanel } from "./entity-panel.tsx";
import { idName } from "./id-name.ts";

const route = getRouteApi("/signed-in/synapses/connections/$connectorId");

export function EntityList({ connector }: { connector: ConnectorDetail }) {
  const entities = useConnectorEntities(connector.connectorId);
  const { entity } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (name: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, entity: name }), replace: true });
  return (
    <div className="ac-entities">
      <div className="ac-entities__list">
        <QueryView query={entities} skeleton={<TableSkeleton columns={5} />}>
          {(data) => <Entities connector={connector} entities={data.entities} onOpen={open} />}
        </QueryView>
      </div>
      {entity ? (
        <EntityPanel key={entity} connector={connector} entityApiName={entity} onClose={() => open(undefined)} />
      ) : null}
    </div>
  );
}

interface EntitiesProps {
  connector: ConnectorDetail;
  entities: readonly ConnectorEntitySummary[];
  onOpen: (apiName: string) => void;
}

function Entities({ connector, entities, onOpen }: EntitiesProps) {
  const { t } = useWords("connections");
  const { q = "", entity: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const columns = useColumns();
  const wanted = q.trim().toLowerCase();
  const shown = entities.filter(({ apiName, displayName }) =>
    `${apiName} ${displayName}`.toLowerCase().includes(wanted),
  );
  if (entities.length === 0)
    return (
      <EmptyState
        icon={<IconTable size={22} />}
        title={t("detail.noEntities")}
        body={t(isDescribedHere(connector) ? "detail.noEntitiesHttp" : "detail.noEntitiesBody")}
        action={isDescribedHere(connector) ? <DescribeButton connector={connector} /> : null}
      />
    );
  return (
    <>
      <Toolbar end={isDescribedHere(connector) ? <DescribeButton connector={connector} /> : null}>
        <SearchBox
          value={q}
          placeholder={t("detail.findEntity")}
          width={260}
          onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        />
      </Toolbar>
      <DataTable
        fill
        label={t("detail.entities")}
        columns={columns}
        rows={shown}
        rowId={({ apiName }) => apiName}
        rowLabel={({ displayName }) => displayName}
        activeRow={opened}
        onRowOpen={({ apiName }) => onOpen(apiName)}
        empty={<EmptyState compact title={t("detail.noEntityMatches", { text: q })} />}
      />
    </>
  );
}

function useColumns(): Column<ConnectorEntitySummary>[] {
  const { t } = useWords("connections");
  return [
    {
      id: "name",
      header: t("name"),
      minWidth: 180,
      grow: 1.4,
      sortValue: ({ displayName }) => displayName,
      cell: ({ displayName, status, problem }) => (
        <>
          <strong>{displayName}</strong>
          {status === "INACTIVE" ? (
            <StatusTag tone="idle">{t("detail.gone")}</StatusTag>
          ) : problem ? (
            <StatusTag tone="warn" title={problem}>
              {t("detail.needsId")}
            </StatusTag>
          ) : null}
        </>
      ),
    },
    {
      id: "apiName",
      header: t("http.apiName"),
      minWidth: 130,
      mono: true,
      sortValue: (e) => e.apiName,
      cell: (e) => e.apiName,
    },
    {
      id: "fields",
      header: t("detail.fields"),
      width: 80,
      align: "end",
      sortValue: (e) => e.fieldCount,
      cell: (e) => e.fieldCount,
    },
    {
      id: "id",
      header: t("detail.idField"),
      minWidth: 120,
      mono: true,
      cell: ({ idField }) => (idField === null ? "–" : idName(idField)),
    },
    {
      id: "watermark",
      header: t("detail.watermarkField"),
      minWidth: 120,
      mono: true,
      cell: ({ watermarkField }) => watermarkField ?? "–",
    },
    {
      id: "access",
      header: t("detail.access"),
      width: 130,
      sortValue: ({ readOnly }) => readOnly,
      cell: ({ readOnly }) => t(readOnly ? "detail.readOnly" : "detail.readWrite"),
    },
  ];
}

function DescribeButton({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("connections");
  const leave = useNavigate();
  const mayWrite = useCan("WRITE_CONNECTOR") && isConnectorActionAllowed(connector, "edit");
  if (!mayWrite) return null;
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      variant={connector.entities.length === 0 ? "filled" : "default"}
      onClick={() =>
        void leave({ to: "/synapses/connections/$connectorId/http-entity", params: { connectorId: connector.id } })
      }
    >
      {t("action.describeEntity")}
    </Button>
  );
}
