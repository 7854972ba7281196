/** The entities of the unified model as a table. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import {
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
import { IconChevronDown, IconPlug, IconPlus, IconSchema } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { useCoreEntities, useSystems } from "../queries.ts";
import { CORE, stateOf, type EntityState } from "../schema.model.ts";
import { CreateEntityDrawer } from "./create-entity-drawer.tsx";
import { EntityTable } from "./entity-table.tsx";
import { FromSystemDrawer } from "./from-system-drawer.tsx";

const route = getRouteApi("/signed-in/schema-studio/synapse/$connectorId");

const TONES: Record<EntityState, Tone> = { NEW: "idle", APPROVED: "ok", PUBLISHED_WITH_DRAFT: "warn" };

/** The unified model: every entity with its state, and ways to make another. */
export function CoreEntities() {
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
  const systems = useSystems();
  const nameOf = (id: string | undefined) => systems.data?.connectors.find((each) => each.id === id)?.name ?? "";
  const rows = entities.filter((entity) =>
    `${entity.displayName} ${entity.apiName} ${entity.tags.join(" ")}`.toLowerCase().includes(search.toLowerCase()),
  );
  const columns: Column<CoreEntity>[] = [
    {
      id: "state",
      header: t("column.status"),
      width: 130,
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
      minWidth: 180,
      grow: 1.4,
      cell: (entity) => (
        <span className="ac-quiet">
          {[...new Set(entity.fields.flatMap((field) => field.referenceTo ?? []))].join(", ") || "–"}
        </span>
      ),
    },
    {
      id: "madeFrom",
      header: t("column.madeFrom"),
      width: 120,
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
    <EntityTable
      entities={rows}
      search={search}
      addressOf={({ hasDraft, version }) => ({
        connectorId: CORE,
        version: hasDraft || version === 0 ? "draft" : "published",
      })}
      columns={columns}
      none={{ title: t("none"), body: t("noneBody") }}
    />
  );
}
