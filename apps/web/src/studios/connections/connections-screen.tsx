/** /synapses/connections: all synapses of the instance as tiles or a list, and the library of kinds below. */
import type { Connector } from "@accord/contracts/connections/connectors";
import { EmptyState, PageBody, PageHeader, SearchBox, Toolbar } from "@accord/ui";
import { Button, SegmentedControl } from "@mantine/core";
import { IconLayoutGrid, IconList, IconPlug, IconPlus } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { usePage } from "../../app/page.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { shownConnectors, statusCounts } from "./connections.model.ts";
import { ConnectorTable } from "./parts/connector-table.tsx";
import { ConnectorTile } from "./parts/connector-tile.tsx";
import { Library, TileSkeletons } from "./parts/library.tsx";
import { useConnectors } from "./queries.ts";
import { useConnectorActions } from "./use-connector-actions.tsx";
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
          <>
            <Button variant="default" onClick={() => void navigate({ to: "/synapses/custom-synapses" })}>
              {t("custom")}
            </Button>
            {mayAdd ? (
              <Button
                leftSection={<IconPlus size={16} />}
                onClick={() => void navigate({ to: "/synapses/connections/new" })}
              >
                {t("add")}
              </Button>
            ) : null}
          </>
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
