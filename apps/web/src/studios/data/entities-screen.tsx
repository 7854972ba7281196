/** The entities of the instance with how many records each holds and when it last changed. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import type { RecordCount } from "@accord/contracts/data/records";
import {
  DataTable,
  EmptyState,
  PageBody,
  PageHeader,
  RelativeTime,
  SearchBox,
  TableSkeleton,
  Toolbar,
  type Column,
} from "@accord/ui";
import { Button } from "@mantine/core";
import { IconTable } from "@tabler/icons-react";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { usePage } from "../../app/page.ts";
import { useCan } from "../../app/session.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { CountView } from "./parts/count-view.tsx";
import { useEntities, useRecordCounts } from "./queries.ts";
import "../../shared/text/text.css";

const route = getRouteApi("/signed-in/data-studio");

interface EntityRow {
  entity: CoreEntity;
  active: RecordCount | undefined;
  deleted: RecordCount | undefined;
  changedAt: string | null;
}

export function EntitiesScreen() {
  const { t } = useWords("data");
  usePage({ title: t("title") });
  return (
    <Demand anyOf={["READ_DATA_STUDIO"]}>
      <Entities />
    </Demand>
  );
}

function Entities() {
  const { t } = useWords("data");
  const { q = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const entities = useEntities();
  const counts = useRecordCounts();
  const totals = counts.data?.totals.active;
  const number = entities.data?.entities.length ?? 0;
  return (
    <PageBody fill>
      <PageHeader
        title={t("title")}
        subtitle={
          totals
            ? t("totals", { active: t(`count.${totals.precision}`, { count: totals.count }), entities: number })
            : t("subtitle")
        }
      />
      <Toolbar>
        <SearchBox
          value={q}
          placeholder={t("searchEntities")}
          onChange={(text) => void navigate({ search: { q: text || undefined }, replace: true })}
        />
      </Toolbar>
      <QueryView query={entities} skeleton={<TableSkeleton columns={5} />}>
        {(data) => {
          const rows = data.entities
            .filter((entity) =>
              `${entity.displayName} ${entity.pluralName} ${entity.apiName}`.toLowerCase().includes(q.toLowerCase()),
            )
            .map((entity): EntityRow => {
              const counted = counts.data?.countMap[entity.apiName];
              return {
                entity,
                active: counted?.active,
                deleted: counted?.deleted,
                changedAt: counted?.updatedAt ?? null,
              };
            });
          return <EntityTable rows={rows} search={q} />;
        }}
      </QueryView>
    </PageBody>
  );
}

function EntityTable({ rows, search }: { rows: readonly EntityRow[]; search: string }) {
  const { t } = useWords("data");
  const navigate = useNavigate();
  const maySeeSchema = useCan("READ_STUDIO");
  const columns: Column<EntityRow>[] = [
    {
      id: "name",
      header: t("entity"),
      sortValue: ({ entity }) => entity.pluralName,
      grow: 1.2,
      always: true,
      cell: ({ entity }) => (
        <Link to="/data-studio/entity/$entityId" params={{ entityId: entity.id }} className="ac-name">
          {entity.pluralName}
        </Link>
      ),
    },
    {
      id: "records",
      header: t("records"),
      align: "end",
      width: 130,
      sortValue: ({ active }) => active?.count,
      cell: ({ active }) => <CountView count={active} />,
    },
    {
      id: "deleted",
      header: t("deletedRecords"),
      align: "end",
      width: 110,
      sortValue: ({ deleted }) => deleted?.count,
      cell: ({ deleted }) => <CountView count={deleted} quietZero />,
    },
    {
      id: "changed",
      header: t("lastChange"),
      width: 150,
      sortValue: ({ changedAt }) => changedAt,
      cell: ({ changedAt }) => <RelativeTime at={changedAt} />,
    },
    {
      id: "fields",
      header: t("fields"),
      align: "end",
      width: 90,
      sortValue: ({ entity }) => entity.fields.length,
      cell: ({ entity }) => entity.fields.length,
    },
    {
      id: "description",
      header: t("description"),
      grow: 2,
      minWidth: 200,
      cell: ({ entity }) => <span className="ac-quiet">{entity.description}</span>,
    },
  ];
  return (
    <DataTable
      label={t("title")}
      fill
      columns={columns}
      rows={rows}
      rowId={({ entity }) => entity.id}
      rowLabel={({ entity }) => entity.pluralName}
      onRowOpen={({ entity }) =>
        void navigate({ to: "/data-studio/entity/$entityId", params: { entityId: entity.id } })
      }
      empty={
        search ? (
          <EmptyState icon={<IconTable size={22} />} title={t("noEntityMatches", { text: search })} />
        ) : (
          <EmptyState
            icon={<IconTable size={22} />}
            title={t("noEntities")}
            body={t("noEntitiesBody")}
            action={
              maySeeSchema ? (
                <Button component={Link} to="/schema-studio">
                  {t("openSchema")}
                </Button>
              ) : undefined
            }
          />
        )
      }
    />
  );
}
