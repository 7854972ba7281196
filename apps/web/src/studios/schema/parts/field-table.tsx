/** The fields of an entity as a table. */
import type { FieldSchema } from "@accord/contracts/data/schema";
import { DataTable, EmptyState, SearchBox, StatusTag, Toolbar, type Column, type Tone } from "@accord/ui";
import { Button } from "@mantine/core";
import { IconForms } from "@tabler/icons-react";
import { useWords } from "../../../app/words.ts";
import { useTypeWords } from "../../../shared/words/type-words.ts";
import { tagsOf, type FieldTag } from "../schema.model.ts";

export interface FieldTableProps {
  fields: readonly FieldSchema[];
  nameField: string | null;
  search: string;
  onSearch: (text: string) => void;
  onOpen?: ((field: FieldSchema) => void) | undefined;
  onAdd?: (() => void) | undefined;
}

const TONE: Partial<Record<FieldTag, Tone>> = { id: "brand", unique: "info", inactive: "warn", watermark: "brand" };

export function FieldTable({ fields, nameField, search, onSearch, onOpen, onAdd }: FieldTableProps) {
  const { t } = useWords("schema");
  const typeWord = useTypeWords();
  const rows = fields.filter((field) =>
    `${field.displayName} ${field.apiName}`.toLowerCase().includes(search.toLowerCase()),
  );
  const columns: Column<FieldSchema>[] = [
    {
      id: "field",
      header: t("column.field"),
      always: true,
      sortValue: (field) => field.displayName,
      cell: (field) =>
        onOpen ? (
          <button type="button" className="ac-name ac-name-button" onClick={() => onOpen(field)}>
            {field.displayName || field.apiName}
          </button>
        ) : (
          <span className="ac-name">{field.displayName || field.apiName}</span>
        ),
    },
    {
      id: "apiName",
      header: t("column.apiName"),
      mono: true,
      sortValue: (field) => field.apiName,
      cell: (field) => field.apiName,
    },
    {
      id: "type",
      header: t("column.type"),
      sortValue: (field) => field.dataType,
      cell: (field) =>
        field.dataType === "reference" && field.referenceTo
          ? t("typeReference", { name: field.referenceTo })
          : typeWord(field.dataType),
    },
    {
      id: "properties",
      header: t("column.properties"),
      minWidth: 180,
      cell: (field) => (
        <span className="ac-field-tags">
          {field.apiName === nameField ? <StatusTag tone="brand">{t("create.nameField")}</StatusTag> : null}
          {tagsOf(field).map((tag) => (
            <StatusTag key={tag} tone={TONE[tag] ?? "idle"}>
              {t(`field.tag.${tag}`)}
            </StatusTag>
          ))}
        </span>
      ),
    },
    {
      id: "description",
      header: t("column.description"),
      grow: 1.5,
      cell: (field) => <span className="ac-quiet">{field.description}</span>,
    },
  ];
  return (
    <>
      <Toolbar>
        <SearchBox value={search} placeholder={t("entity.findField")} onChange={onSearch} />
      </Toolbar>
      <DataTable
        label={t("entity.fields")}
        fill
        columns={columns}
        rows={rows}
        rowId={(field) => field.apiName}
        rowLabel={(field) => field.displayName || field.apiName}
        onRowOpen={onOpen}
        empty={
          <EmptyState
            icon={<IconForms size={22} />}
            title={search ? t("entity.noFieldMatch", { text: search }) : t("entity.noFields")}
            body={search ? undefined : t("entity.noFieldsBody")}
            action={!search && onAdd ? <Button onClick={onAdd}>{t("entity.addField")}</Button> : undefined}
          />
        }
      />
    </>
  );
}
