/** Entities as a table: name, API name, what their kind adds, and the way to each. */
import { DataTable, EmptyState, type Column } from "@accord/ui";
import { IconSchema } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../app/words.ts";

interface EntityTableProps<Entity> {
  /** Those that the search left. */
  entities: readonly Entity[];
  search: string;
  /** Where the entity's page is. */
  addressOf: (entity: Entity) => { connectorId: string; version: "draft" | "published" };
  columns: readonly Column<Entity>[];
  /** Said when there is none, unless something is searched for. */
  none: { title: string; body: string };
}

export function EntityTable<Entity extends { apiName: string; displayName: string }>({
  entities,
  search,
  addressOf,
  columns,
  none,
}: EntityTableProps<Entity>) {
  const { t } = useWords("schema");
  const navigate = useNavigate();
  const wayTo = (entity: Entity) => ({
    to: "/schema-studio/synapse/$connectorId/entity/$entityApiName/$version" as const,
    params: { ...addressOf(entity), entityApiName: entity.apiName },
  });
  const named: Column<Entity>[] = [
    {
      id: "name",
      header: t("column.entity"),
      always: true,
      sortValue: (entity) => entity.displayName,
      cell: (entity) => (
        <Link {...wayTo(entity)} className="ac-name">
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
  ];
  return (
    <DataTable
      label={t("entities")}
      fill
      columns={[...named, ...columns]}
      rows={entities}
      rowId={(entity) => entity.apiName}
      rowLabel={(entity) => entity.displayName}
      onRowOpen={(entity) => void navigate(wayTo(entity))}
      empty={
        <EmptyState
          icon={<IconSchema size={22} />}
          title={search ? t("noMatch", { text: search }) : none.title}
          body={search ? undefined : none.body}
        />
      }
    />
  );
}
