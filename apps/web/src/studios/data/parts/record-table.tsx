/** One page of records as a table, with paging both ways below. */
import type { CoreEntity, CoreField } from "@accord/contracts/data/entities";
import type { Record as RecordRow, RecordCount, RecordPage } from "@accord/contracts/data/records";
import { DataTable, RelativeTime, type Column, type RowAction } from "@accord/ui";
import { ActionIcon, Button, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconCopy,
  IconExternalLink,
  IconTrash,
} from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo, type ReactNode } from "react";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { readSort, writeSort } from "../../../shared/addresses/sort-in-address.ts";
import { isNumeric, isSortable, nameOf, textOf } from "../value.model.ts";
import { CountView } from "./count-view.tsx";
import { ValueView } from "./value-view.tsx";

export interface RecordTableProps {
  entity: CoreEntity;
  page: RecordPage;
  /** Api names of the fields shown, in order. */
  shown: readonly string[];
  sort: string | undefined;
  onSort: (sort: string | undefined) => void;
  selected: ReadonlySet<string> | undefined;
  onSelected: (selected: ReadonlySet<string>) => void;
  onDelete: ((records: readonly RecordRow[]) => void) | undefined;
  onRestore: ((record: RecordRow) => void) | undefined;
  stale: boolean;
  firstRow: number;
  total: RecordCount | undefined;
  /** `cursor` null: the first page. */
  onPage: (direction: "next" | "previous", cursor: string | null) => void;
  empty: ReactNode;
}

const LETTER = 8;
const PADDING = 28;
const WIDEST = 260;

/** What nine of ten values on the page need, in px: a rare long one may be cut, the usual ones are not. */
function textWidth(texts: readonly string[]): number {
  const lengths = texts.map((text) => text.length).toSorted((a, b) => a - b);
  const usual = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  return Math.min(WIDEST, Math.max(100, usual * LETTER + PADDING));
}

/** Roughly what a value of the type needs, so that short columns leave their room to texts. */
function widthOf(field: CoreField, texts: readonly string[]): Pick<Column<RecordRow>, "minWidth" | "grow"> {
  if (field.isMultiValueField) return { minWidth: 160, grow: 1.2 };
  switch (field.dataType) {
    case "boolean":
      return { minWidth: 84, grow: 0.5 };
    case "integer":
    case "double":
    case "decimal":
    case "date":
      return { minWidth: 116, grow: 0.7 };
    case "picklist":
      return { minWidth: textWidth(texts), grow: 0.8 };
    case "datetime":
    case "timestamp":
      return { minWidth: 172, grow: 0.8 };
    default:
      return { minWidth: textWidth(texts), grow: 1.2 };
  }
}

export function RecordTable(props: RecordTableProps) {
  const { entity, page, shown, selected, onSelected, onDelete, onRestore } = props;
  const { t } = useWords("data");
  const navigate = useNavigate();
  const columns = useMemo(() => columnsOf(entity, shown, page, t("list.updatedAt")), [entity, shown, page, t]);
  const labelOf = (record: RecordRow) => nameOf(entity, record.values) || record.accordId;
  const open = (record: RecordRow) =>
    void navigate({
      to: "/data-studio/entity/$entityId/record/$recordId/fields",
      params: { entityId: entity.id, recordId: record.accordId },
    });
  const chosen = page.records.filter((record) => selected?.has(record.accordId) && !record.deleted);
  const menu = (record: RecordRow): (RowAction | undefined)[] => [
    { label: t("list.open"), icon: <IconExternalLink size={16} />, onSelect: () => open(record) },
    {
      label: t("list.copyId"),
      icon: <IconCopy size={16} />,
      onSelect: () => toast.copy(record.accordId, t("list.copiedId")),
    },
    record.deleted && onRestore
      ? { label: t("list.restore"), icon: <IconArrowBackUp size={16} />, onSelect: () => onRestore(record) }
      : undefined,
    !record.deleted && onDelete
      ? { label: t("record.delete"), icon: <IconTrash size={16} />, danger: true, onSelect: () => onDelete([record]) }
      : undefined,
  ];
  return (
    <DataTable
      label={t("list.pageTitle", { name: entity.displayName })}
      fill
      columns={columns}
      rows={page.records}
      rowId={(record) => record.accordId}
      rowLabel={labelOf}
      onRowOpen={open}
      rowMenu={menu}
      {...(selected ? { selected, onSelectedChange: onSelected } : {})}
      sort={readSort(props.sort)}
      onSortChange={(sort) => props.onSort(writeSort(sort))}
      totalRows={props.total?.count}
      firstRow={props.firstRow}
      stale={props.stale}
      empty={props.empty}
      footer={
        <div className="ac-pager">
          {chosen.length > 0 && onDelete ? (
            <>
              <span>{t("list.selected", { count: chosen.length })}</span>
              <Button size="compact-sm" color="error" variant="light" onClick={() => onDelete(chosen)}>
                {t("list.deleteSelected")}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => onSelected(new Set())}>
                {t("list.clearSelection")}
              </Button>
            </>
          ) : null}
          <Pager {...props} />
        </div>
      }
    />
  );
}

function Pager({ page, firstRow, total, onPage }: RecordTableProps) {
  const { t } = useWords("data");
  const { previousCursor, nextCursor } = page.pageInfo;
  const range = { from: firstRow + 1, to: firstRow + page.records.length };
  return (
    <div className="ac-pager__end">
      {page.records.length > 0 ? (
        <span>
          {t("list.range", range)}
          {total ? (
            <>
              {" / "}
              <CountView count={total} />
            </>
          ) : null}
        </span>
      ) : null}
      <PagerButton
        label={t("list.first")}
        icon={<IconChevronsLeft size={16} />}
        disabled={!previousCursor}
        onClick={() => onPage("previous", null)}
      />
      <PagerButton
        label={t("list.previous")}
        icon={<IconChevronLeft size={16} />}
        disabled={!previousCursor}
        onClick={() => onPage("previous", previousCursor)}
      />
      <PagerButton
        label={t("list.next")}
        icon={<IconChevronRight size={16} />}
        disabled={!nextCursor}
        onClick={() => onPage("next", nextCursor)}
      />
    </div>
  );
}

function PagerButton({
  label,
  icon,
  disabled,
  onClick,
}: {
  label: string;
  icon: ReactNode;
  disabled: boolean;
  onClick: () => void;
}) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="default" aria-label={label} disabled={disabled} onClick={onClick}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}

function columnsOf(
  entity: CoreEntity,
  shown: readonly string[],
  page: RecordPage,
  updated: string,
): Column<RecordRow>[] {
  const { references } = page.metadata;
  const fields = shown.flatMap((name) => entity.fields.find((field) => field.apiName === name) ?? []);
  const textsOf = (field: CoreField) =>
    page.records.map((record) => textOf(field, record.values[field.apiName], references));
  // What names a record leads to it, wherever it stands; without a name the first column does.
  const leading = fields.find((field) => field.apiName === entity.nameField) ?? fields[0];
  const columns = fields.map((field, index): Column<RecordRow> => ({
    id: field.apiName,
    header: field.displayName,
    align: isNumeric(field) ? "end" : "start",
    sortable: isSortable(field),
    sticky: index === 0,
    ...(field.apiName === entity.nameField ? { minWidth: 220, grow: 2 } : widthOf(field, textsOf(field))),
    cell: (record) =>
      field === leading ? (
        <Link
          to="/data-studio/entity/$entityId/record/$recordId/fields"
          params={{ entityId: entity.id, recordId: record.accordId }}
          className={`ac-name ${record.deleted ? "ac-row-deleted" : ""}`}
        >
          {textOf(field, record.values[field.apiName], references) || record.accordId}
        </Link>
      ) : (
        <ValueView field={field} value={record.values[field.apiName]} references={references} compact />
      ),
  }));
  return [
    ...columns,
    {
      id: "accord_updated_at",
      header: updated,
      sortable: true,
      minWidth: 120,
      grow: 0.5,
      cell: (record) => <RelativeTime at={record.updatedAt} />,
    },
  ];
}
