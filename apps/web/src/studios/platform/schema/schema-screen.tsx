/** All entities of the unified model, or of one connected system; systems on the left. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { ConnectorEntitySummary } from "@accord/contracts/connections/connectors";
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  StatusTag,
  TableSkeleton,
  Toolbar,
  type Column,
  type Tone,
} from "@accord/ui";
import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconDatabase, IconPlug, IconPlus, IconSchema } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { ConnectorIcon } from "../connectors/parts/connector-icon.tsx";
import { CreateEntityDrawer } from "./parts/create-entity-drawer.tsx";
import { FromSystemDrawer } from "./parts/from-system-drawer.tsx";
import { useCoreEntities, useSystemEntities, useSystems } from "./queries.ts";
import { CORE } from "./routes.tsx";
import { stateOf, type EntityState } from "./schema.model.ts";
import "./schema-screen.css";
import "../data/parts/text.css";

const route = getRouteApi("/signed-in/schema-studio/synapse/$connectorId");

export function SchemaScreen() {
  const { t } = useWords("schema");
  const { connectorId } = route.useParams();
  const systems = useSystems();
  const system = systems.data?.connectors.find((each) => each.id === connectorId);
  const name = connectorId === CORE ? t("core") : (system?.name ?? connectorId);
  usePage({ title: t("title"), crumbs: [{ label: t("title"), to: "/schema-studio" }, { label: name }] });
  return (
    <Demand anyOf={["READ_STUDIO"]}>
      <PageBody fill>
        <div className="ac-schema">
          <SystemList active={connectorId} />
          <div className="ac-schema__main">
            {connectorId === CORE ? (
              <CoreEntities />
            ) : (
              <SystemEntities key={connectorId} connectorId={connectorId} name={name} />
            )}
          </div>
        </div>
      </PageBody>
    </Demand>
  );
}

function SystemList({ active }: { active: string }) {
  const { t } = useWords("schema");
  const systems = useSystems();
  const entry = (id: string, name: string, icon: React.ReactNode) => (
    <li key={id}>
      <Link
        to="/schema-studio/synapse/$connectorId"
        params={{ connectorId: id }}
        className="ac-schema__system"
        aria-current={id === active ? "page" : undefined}
      >
        {icon}
        <span>{name}</span>
      </Link>
    </li>
  );
  const connectors = systems.data?.connectors ?? [];
  return (
    <nav className="ac-schema__systems" aria-label={t("systems")}>
      <ul>{entry(CORE, t("core"), <IconDatabase size={16} aria-hidden />)}</ul>
      <h2>{t("systems")}</h2>
      {systems.data && connectors.length === 0 ? (
        <p className="ac-quiet">
          {t("noSystems")}{" "}
          <Link to={"/synapses" as string} className="ac-link">
            {t("connect")}
          </Link>
        </p>
      ) : (
        <ul>
          {connectors.map((each) =>
            entry(
              each.id,
              each.name,
              <ConnectorIcon icon={each.metadata.icon} color={each.backgroundColor} size={20} />,
            ),
          )}
        </ul>
      )}
    </nav>
  );
}

const TONES: Record<EntityState, Tone> = { NEW: "idle", APPROVED: "ok", PUBLISHED_WITH_DRAFT: "warn" };

function CoreEntities() {
  const { t } = useWords("schema");
  const { q = "", create } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useCan("WRITE_STUDIO");
  const entities = useCoreEntities();
  const openCreate = (kind: "hand" | "system" | undefined) =>
    void navigate({ search: (old) => ({ ...old, create: kind }) });
  return (
    <>
      <PageHeader
        title={t("core")}
        subtitle={t("coreHint")}
        actions={
          mayWrite ? (
            <Menu position="bottom-end">
              <Menu.Target>
                <Button leftSection={<IconPlus size={16} />} rightSection={<IconChevronDown size={14} />}>
                  {t("newEntity")}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconSchema size={16} />} onClick={() => openCreate("hand")}>
                  {t("byHand")}
                </Menu.Item>
                <Menu.Item leftSection={<IconPlug size={16} />} onClick={() => openCreate("system")}>
                  {t("fromSystem")}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          ) : undefined
        }
      />
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t("search")}
          onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
        />
      </Toolbar>
      <QueryView query={entities} skeleton={<TableSkeleton columns={6} />}>
        {(data) => <CoreTable entities={data.entities} search={q} />}
      </QueryView>
      <CreateEntityDrawer opened={mayWrite && create === "hand"} onClose={() => openCreate(undefined)} />
      <FromSystemDrawer opened={mayWrite && create === "system"} onClose={() => openCreate(undefined)} />
    </>
  );
}

function CoreTable({ entities, search }: { entities: readonly CoreEntity[]; search: string }) {
  const { t } = useWords("schema");
  const navigate = useNavigate();
  const systems = useSystems();
  const nameOf = (id: string | undefined) => systems.data?.connectors.find((each) => each.id === id)?.name ?? "";
  const rows = entities.filter((entity) =>
    `${entity.displayName} ${entity.apiName} ${entity.tags.join(" ")}`.toLowerCase().includes(search.toLowerCase()),
  );
  const addressOf = (entity: CoreEntity) => ({
    to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version" as const,
    params: {
      connectorId: CORE,
      entityApiName: entity.apiName,
      version: entity.hasDraft || entity.version === 0 ? "draft" : "published",
    },
  });
  const columns: Column<CoreEntity>[] = [
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
      id: "state",
      header: t("column.status"),
      width: 180,
      sortValue: stateOf,
      cell: (entity) => <StatusTag tone={TONES[stateOf(entity)]}>{t(`state.${stateOf(entity)}`)}</StatusTag>,
    },
    {
      id: "fields",
      header: t("column.fields"),
      align: "end",
      width: 80,
      sortValue: (entity) => entity.fields.length,
      cell: (entity) => entity.fields.length,
    },
    {
      id: "references",
      header: t("column.references"),
      minWidth: 140,
      cell: (entity) => (
        <span className="ac-quiet">
          {[...new Set(entity.fields.flatMap((field) => field.referenceTo ?? []))].join(", ") || "–"}
        </span>
      ),
    },
    {
      id: "madeFrom",
      header: t("column.madeFrom"),
      width: 150,
      cell: (entity) => nameOf(entity.madeFrom?.connectorId) || <span className="ac-quiet">–</span>,
    },
    {
      id: "updated",
      header: t("column.updated"),
      width: 120,
      sortValue: (entity) => entity.updatedAt,
      cell: (entity) => <RelativeTime at={entity.updatedAt} />,
    },
  ];
  return (
    <DataTable
      label={t("entities")}
      fill
      columns={columns}
      rows={rows}
      rowId={(entity) => entity.id}
      rowLabel={(entity) => entity.displayName}
      onRowOpen={(entity) => void navigate(addressOf(entity))}
      empty={
        <EmptyState
          icon={<IconSchema size={22} />}
          title={search ? t("noMatch", { text: search }) : t("none")}
          body={search ? undefined : t("noneBody")}
        />
      }
    />
  );
}

function SystemEntities({ connectorId, name }: { connectorId: string; name: string }) {
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
