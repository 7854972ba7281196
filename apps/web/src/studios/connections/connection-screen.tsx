/** /synapses/connections/{connectorId}: one synapse: its state, its entities and fields, its settings, its uses. */
import type { ConnectorAction, ConnectorDetail } from "@accord/contracts/connections/connectors";
import { EmptyState, PageBody, PageHeader, PageSkeleton, RelativeTime, StatusTag, DataTable } from "@accord/ui";
import { ActionIcon, Button, Menu, Tabs } from "@mantine/core";
import { IconDots, IconSchema } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { usePage } from "../../app/page.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { ProblemBox } from "./parts/check-result.tsx";
import { ConnectionSettings } from "./parts/connection-settings.tsx";
import { ConnectorIcon } from "../../shared/connector-icon/connector-icon.tsx";
import { ConnectorStatusTag } from "./parts/connector-status.tsx";
import { EntityList } from "./parts/entity-list.tsx";
import { SchemaProgressBar } from "./parts/schema-progress.tsx";
import { asConnectorId, useConnector } from "./queries.ts";
import { FilesTab } from "./files/files-tab.tsx";
import { readsUploads } from "./files/file-preview.model.ts";
import { WebhookPosts } from "./webhook/webhook-posts.tsx";
import { WebhookSettings } from "./webhook/webhook-settings.tsx";
import { useConnectorActions } from "./use-connector-actions.tsx";
import "./connection-screen.css";

const TABS = ["posts", "files", "entities", "settings", "uses"] as const;

const route = getRouteApi("/signed-in/synapses/connections/$connectorId");

export function ConnectionScreen() {
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Loaded />
    </Demand>
  );
}

function Loaded() {
  const { t } = useWords("connections");
  const connectorId = asConnectorId(route.useParams().connectorId);
  const connector = useConnector(connectorId);
  usePage({
    title: connector.data?.name ?? t("title"),
    crumbs: [
      { label: t("title"), to: "/synapses/connections" },
      { kind: "connector", id: connectorId },
    ],
  });
  return (
    <QueryView isScreen query={connector} skeleton={<PageSkeleton />}>
      {(data) => <Connection connector={data} />}
    </QueryView>
  );
}

function Connection({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("connections", "connectorFiles");
  const { tab = connector.webhook ? "posts" : "entities" } = route.useSearch();
  const navigate = route.useNavigate();
  const isReading = connector.schemaRefreshStatus === "PROCESSING";
  const problemTitle = t(connector.status === "ERROR" ? "check.fails" : "detail.refreshFailed");
  return (
    <PageBody fill>
      <Header connector={connector} />
      {isReading ? (
        <div className="ac-connection__state">
          <SchemaProgressBar connector={connector} />
        </div>
      ) : connector.errorDetails ? (
        <div className="ac-connection__state">
          <ProblemBox title={problemTitle} problem={connector.errorDetails} />
        </div>
      ) : null}
      <Tabs
        className="ac-connection__tabs"
        value={tab}
        keepMounted={false}
        onChange={(next) => void navigate({ search: { tab: TABS.find((known) => known === next) }, replace: true })}
      >
        <Tabs.List>
          {connector.webhook ? <Tabs.Tab value="posts">{t("detail.posts")}</Tabs.Tab> : null}
          <Tabs.Tab value="entities">{t("detail.entities")}</Tabs.Tab>
          {readsUploads(connector) ? <Tabs.Tab value="files">{t("connectorFiles:tab")}</Tabs.Tab> : null}
          <Tabs.Tab value="settings">{t("detail.settings")}</Tabs.Tab>
          <Tabs.Tab value="uses">{t("detail.uses")}</Tabs.Tab>
        </Tabs.List>
        {connector.webhook ? (
          <Tabs.Panel value="posts" className="ac-connection__panel" data-fill>
            <WebhookPosts connector={connector} />
          </Tabs.Panel>
        ) : null}
        <Tabs.Panel value="entities" className="ac-connection__panel" data-fill>
          <EntityList connector={connector} />
        </Tabs.Panel>
        {readsUploads(connector) ? (
          <Tabs.Panel value="files" className="ac-connection__panel">
            <FilesTab connector={connector} />
          </Tabs.Panel>
        ) : null}
        <Tabs.Panel value="settings" className="ac-connection__panel">
          {connector.webhook ? (
            <WebhookSettings connector={connector} />
          ) : (
            <ConnectionSettings key={connector.version} connector={connector} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="uses" className="ac-connection__panel">
          <Uses connector={connector} />
        </Tabs.Panel>
      </Tabs>
    </PageBody>
  );
}

/** Shown as buttons when offered; the others are in the menu. */
const BUTTONS: readonly ConnectorAction[] = ["test", "refreshSchema", "activate"];

function Header({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("connections");
  const leave = useNavigate();
  const actions = useConnectorActions(() => void leave({ to: "/synapses/connections" }));
  const offered = actions.offered(connector);
  const buttons = BUTTONS.filter((action) => offered.includes(action));
  const others = offered.filter((action) => !buttons.includes(action) && action !== "edit");
  return (
    <>
      <PageHeader
        icon={<ConnectorIcon icon={connector.metadata.icon} color={connector.metadata.backgroundColor} size={40} />}
        title={connector.name}
        tags={<ConnectorStatusTag connector={connector} />}
        subtitle={
          <>
            {connector.typeName} · {t(`statusHint.${connector.status}`)}{" "}
            {connector.schemaRefreshedAt ? (
              <>
                {t("refreshed")} <RelativeTime at={connector.schemaRefreshedAt} />
              </>
            ) : null}
          </>
        }
        actions={
          <>
            {buttons.map((action) => (
              <Button
                key={action}
                variant={action === "activate" ? "filled" : "default"}
                disabled={actions.isBusy}
                onClick={() => actions.run(connector, action)}
              >
                {t(`action.${action as "test"}`)}
              </Button>
            ))}
            {others.length > 0 ? (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon size={30} variant="default" aria-label={t("shell:action.more")}>
                    <IconDots size={16} />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {others.map((action) => (
                    <Menu.Item
                      key={action}
                      color={action === "delete" ? "error" : undefined}
                      onClick={() => actions.run(connector, action)}
                    >
                      {t(`action.${action as "delete"}`)}
                    </Menu.Item>
                  ))}
                </Menu.Dropdown>
              </Menu>
            ) : null}
          </>
        }
      />
      {actions.dialogs}
    </>
  );
}

function Uses({ connector }: { connector: ConnectorDetail }) {
  const { t } = useWords("connections");
  const leave = useNavigate();
  return (
    <DataTable
      label={t("detail.uses")}
      columns={[
        { id: "name", header: t("name"), sortValue: ({ name }) => name, cell: ({ name }) => <strong>{name}</strong> },
        {
          id: "state",
          header: t("state"),
          width: 160,
          sortValue: ({ published }) => published,
          cell: ({ published }) => (
            <StatusTag tone={published ? "ok" : "warn"}>{t(published ? "detail.published" : "detail.draft")}</StatusTag>
          ),
        },
      ]}
      rows={connector.usedBy}
      rowId={({ entityId, published }) => `${entityId} ${published}`}
      rowLabel={({ name }) => name}
      onRowOpen={({ entityId }) => void leave({ to: `/sync-studio/entity/${entityId}/pipeline` as string })}
      empty={<EmptyState icon={<IconSchema size={22} />} title={t("detail.noUses")} body={t("detail.noUsesBody")} />}
    />
  );
}
