/** /synapses/connections: all synapses of the instance as tiles or a list, and the library of kinds below. */
import type { Connector, ConnectorType } from "@accord/contracts/connections/connectors";
import {
  CardSkeleton,
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  Toolbar,
  type Column,
} from "@accord/ui";
import { ActionIcon, Button, Menu, SegmentedControl } from "@mantine/core";
import { IconDots, IconLayoutGrid, IconList, IconPlug, IconPlus } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { shownConnectors, statusCounts } from "./connections.model.ts";
import { ConnectorIcon } from "./parts/connector-icon.tsx";
import { ConnectorStatusTag } from "./parts/connector-status.tsx";
import { SchemaProgressBar } from "./parts/schema-progress.tsx";
import { useConnectors, useConnectorTypes } from "./queries.ts";
import { useConnectorActions, type ConnectorActions } from "./use-connector-actions.tsx";
import "./connections-screen.css";

const route = getRouteApi("/signed-in/synapses/connections");

export function ConnectionsScreen() {
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Connections />
    </Demand>
  );
}

function Connections() {
  const { t } = useWords("connections");
  usePage({ title: t("title") });
  const mayAdd = useCan("WRITE_CONNECTOR");
  const connectors = useConnectors();
  const navigate = useNavigate();
  return (
    <PageBody>
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          mayAdd ? (
            <Button
              leftSection={<IconPlus size={16} />}
              onClick={() => void navigate({ to: "/synapses/connections/new" })}
            >
              {t("add")}
            </Button>
          ) : null
        }
      />
      <QueryView query={connectors} skeleton={<TileSkeletons />}>
        {(data) => <Overview connectors={data.connectors} />}
      </QueryView>
      {mayAdd ? <Library /> : null}
    </PageBody>
  );
}

function Overview({ connectors }: { connectors: readonly Connector[] }) {
  const { t } = useWords("connections");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const actions = useConnectorActions();
  const shown = shownConnectors(connectors, search);
  if (connectors.length === 0)
    return <EmptyState icon={<IconPlug size={22} />} title={t("none")} body={t("noneBody")} />;
  const isList = search.view === "list";
  return (
    <>
      <Toolbar
        end={
          <SegmentedControl
            size="xs"
            aria-label={t("view")}
            value={isList ? "list" : "tiles"}
            onChange={(view) =>
              void navigate({
                search: (old) => ({ ...old, view: view === "list" ? "list" : undefined }),
                replace: true,
              })
            }
            data={[
              { value: "tiles", label: <ViewLabel icon={<IconLayoutGrid size={14} />} label={t("tiles")} /> },
              { value: "list", label: <ViewLabel icon={<IconList size={14} />} label={t("list")} /> },
            ]}
          />
        }
      >
        <SearchBox
          value={search.q ?? ""}
          placeholder={t("search")}
          width={260}
          onChange={(q) => void navigate({ search: (old) => ({ ...old, q: q || undefined }), replace: true })}
        />
        <StatusFilter connectors={connectors} />
      </Toolbar>
      {shown.length === 0 ? (
        <EmptyState
          icon={<IconPlug size={22} />}
          title={t("noMatch")}
          body={t("noMatchBody", { count: connectors.length })}
          action={
            <Button variant="default" onClick={() => void navigate({ search: {}, replace: true })}>
              {t("shell:action.clearFilters")}
            </Button>
          }
        />
      ) : isList ? (
        <ConnectorTable connectors={shown} actions={actions} />
      ) : (
        <ul className="ac-synapses">
          {shown.map((connector) => (
            <ConnectorTile key={connector.id} connector={connector} actions={actions} />
          ))}
        </ul>
      )}
      {actions.dialogs}
    </>
  );
}

const ViewLabel = ({ icon, label }: { icon: React.ReactNode; label: string }) => (
  <span className="ac-synapses__view">
    {icon}
    {label}
  </span>
);

function StatusFilter({ connectors }: { connectors: readonly Connector[] }) {
  const { t } = useWords("connections");
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const counts = statusCounts(connectors);
  if (counts.length < 2) return null;
  const choices = [{ value: undefined, label: `${t("allStatuses")} ${connectors.length}` }].concat(
    counts.map(({ status: of, count }) => ({ value: of as never, label: `${t(`status.${of}`)} ${count}` })),
  );
  return (
    <div className="ac-synapses__filter" role="group" aria-label={t("state")}>
      {choices.map(({ value, label }) => (
        <button
          key={label}
          type="button"
          aria-pressed={status === value}
          onClick={() => void navigate({ search: (old) => ({ ...old, status: value }), replace: true })}
        >
          {label}
        </button>
      ))}
    </div>
  );
}

function ConnectorTile({ connector, actions }: { connector: Connector; actions: ConnectorActions }) {
  const { t } = useWords("connections");
  const { metadata, schemaRefreshStatus } = connector;
  const isReading = schemaRefreshStatus === "PROCESSING";
  return (
    <li className="ac-synapse">
      <div className="ac-synapse__head">
        <ConnectorIcon icon={metadata.icon} color={metadata.backgroundColor} size={40} />
        <div className="ac-synapse__words">
          <h2>
            <Link to="/synapses/connections/$connectorId" params={{ connectorId: connector.id }}>
              {connector.name}
            </Link>
          </h2>
          <p>{connector.typeName}</p>
        </div>
        <TileMenu connector={connector} actions={actions} />
      </div>
      {isReading ? (
        <SchemaProgressBar connector={connector} />
      ) : connector.errorMessage ? (
        <p className="ac-synapse__problem">{connector.errorMessage}</p>
      ) : null}
      <div className="ac-synapse__foot">
        <ConnectorStatusTag connector={connector} />
        <span>
          {connector.schemaRefreshedAt ? t("entityCount", { count: connector.entityCount }) : t("noEntitiesYet")}
        </span>
        {connector.schemaRefreshedAt ? <RelativeTime at={connector.schemaRefreshedAt} /> : null}
      </div>
    </li>
  );
}

function TileMenu({ connector, actions }: { connector: Connector; actions: ConnectorActions }) {
  const { t } = useWords();
  const entries = actions.menu(connector);
  if (entries.length === 0) return null;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon aria-label={`${t("action.more")}: ${connector.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ label, danger, onSelect }) => (
          <Menu.Item key={label} color={danger ? "error" : undefined} onClick={onSelect}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function ConnectorTable({ connectors, actions }: { connectors: readonly Connector[]; actions: ConnectorActions }) {
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

function Library() {
  const { t } = useWords("connections");
  const types = useConnectorTypes();
  return (
    <section className="ac-library" aria-labelledby="library">
      <h2 id="library">{t("library")}</h2>
      <p>{t("libraryLead")}</p>
      <QueryView query={types} skeleton={<TileSkeletons />}>
        {(data) => (
          <ul className="ac-synapses">
            {data.types.map((type) => (
              <LibraryTile key={type.id} type={type} />
            ))}
          </ul>
        )}
      </QueryView>
    </section>
  );
}

function LibraryTile({ type }: { type: ConnectorType }) {
  const { t } = useWords("connections");
  return (
    <li>
      <Link to="/synapses/connections/new" search={{ type: type.id }} className="ac-synapse" data-library>
        <div className="ac-synapse__head">
          <ConnectorIcon icon={type.icon} color={type.backgroundColor} size={40} />
          <div className="ac-synapse__words">
            <h3>{type.displayName}</h3>
            <p>{t(`category.${type.category}`)}</p>
          </div>
          <span className="ac-library__connect">
            <IconPlus size={14} aria-hidden />
            {t("connect")}
          </span>
        </div>
        <p className="ac-synapse__about">{type.description}</p>
      </Link>
    </li>
  );
}

const TileSkeletons = () => (
  <div className="ac-synapses">
    <CardSkeleton />
    <CardSkeleton />
    <CardSkeleton />
  </div>
);
