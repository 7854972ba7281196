/** A record's fields by group, narrowed by a search, the empty ones left out until somebody wants to see them. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import { Card, EmptyState, SearchBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { groupFields } from "../value.model.ts";

const route = getRouteApi("/signed-in/data-studio/entity/$entityId/record/$recordId/fields");

export interface FieldListProps {
  entity: CoreEntity;
  /** Has something to show, also while empty fields are left out. */
  isFilled: (field: CoreField) => boolean;
  row: (field: CoreField) => ReactNode;
  /** Beside the search. */
  tools?: ReactNode;
}

export function FieldList({ entity, isFilled, row, tools }: FieldListProps) {
  const { t } = useWords("data");
  const { q = "", empty = false } = route.useSearch();
  const navigate = route.useNavigate();
  const wanted = entity.fields.filter((field) =>
    `${field.displayName} ${field.apiName}`.toLowerCase().includes(q.toLowerCase()),
  );
  const shown = wanted.filter((field) => empty || q !== "" || isFilled(field));
  const hidden = wanted.length - shown.length;
  return (
    <>
      <div className="ac-record__tools">
        {entity.fields.length > 8 ? (
          <SearchBox
            value={q}
            placeholder={t("record.findField")}
            onChange={(text) => void navigate({ search: (old) => ({ ...old, q: text || undefined }), replace: true })}
          />
        ) : null}
        {tools}
      </div>
      {wanted.length === 0 ? (
        <EmptyState compact icon={<IconListSearch size={20} />} title={t("record.noField", { text: q })} />
      ) : null}
      {groupFields(shown).map((group) => (
        <Card key={group.id} title={t(`record.group.${group.id}`)} flush>
          <dl className="ac-fields">{group.fields.map(row)}</dl>
        </Card>
      ))}
      {hidden > 0 || (empty && q === "") ? (
        <Button
          variant="subtle"
          className="ac-record__more"
          onClick={() =>
            void navigate({ search: (old) => ({ ...old, empty: empty ? undefined : true }), replace: true })
          }
        >
          {empty ? t("record.hideEmpty") : t("record.showEmpty", { count: hidden })}
        </Button>
      ) : null}
    </>
  );
}
