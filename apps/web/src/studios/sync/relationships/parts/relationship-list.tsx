/** The relationships as a table: the same as the graph, for keyboards, screen readers and phones. */
import { DataTable, type Column } from "@accord/ui";
import type { CoreEntity } from "@accord/contracts/data/entities";
import { useNavigate } from "@tanstack/react-router";
import { useWords } from "../../../../app/words.ts";
import { nameOf } from "../queries.ts";
import { HealthTag } from "./health-tag.tsx";
import type { RelationshipProps } from "./relationship-props.ts";

export function RelationshipList({ entities, references, healthOf, shownId }: RelationshipProps) {
  const { t } = useWords("sync");
  const navigate = useNavigate();
  const names = (ids: readonly string[]): string => ids.map((id) => nameOf(entities, id)).join(", ");
  const refersTo = ({ id }: CoreEntity) => names(references.filter(({ from }) => from === id).map(({ to }) => to));
  const referredBy = ({ id }: CoreEntity) => names(references.filter(({ to }) => to === id).map(({ from }) => from));
  const columns: Column<CoreEntity>[] = [
    {
      id: "entity",
      header: t("relationships.entity"),
      minWidth: 140,
      cell: (entity) => <strong>{entity.displayName}</strong>,
      sortValue: (entity) => entity.displayName,
      always: true,
    },
    { id: "health", header: t("table.health"), width: 200, cell: ({ id }) => <HealthTag health={healthOf(id)} /> },
    { id: "to", header: t("relationships.refersTo"), grow: 1, minWidth: 120, cell: refersTo },
    { id: "by", header: t("relationships.referredBy"), grow: 1, minWidth: 120, cell: referredBy },
  ];
  return (
    <DataTable
      label={t("relationships.title")}
      columns={columns}
      rows={entities}
      rowId={({ id }) => id}
      rowLabel={({ displayName }) => displayName}
      activeRow={shownId}
      onRowOpen={({ id: entityId }) =>
        void navigate({ to: "/sync-studio/relationships/$entityId", params: { entityId }, search: { view: "list" } })
      }
    />
  );
}
