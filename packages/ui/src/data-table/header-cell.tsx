/** The head of one column: its name, the order by it, and the grip that changes its width. */
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { ColumnResizer } from "./column-resizer.tsx";
import type { Column, Sort } from "./table-model.ts";

interface HeaderCellProps<Row> {
  column: Column<Row>;
  sort: Sort | undefined;
  selection: boolean;
  onSort: () => void;
  onResize: (width: number) => void;
  onReset: () => void;
}

export function HeaderCell<Row>({ column, sort, selection, onSort, onResize, onReset }: HeaderCellProps<Row>) {
  const direction = sort?.column === column.id ? sort.direction : undefined;
  const canSort = column.sortable === true || column.sortValue !== undefined;
  const name = column.header || <span className="ac-hidden">{column.headerLabel}</span>;
  return (
    <div
      role="columnheader"
      className="ac-table__cell"
      aria-sort={canSort ? (direction ?? "none") : undefined}
      data-align={column.align}
      data-sticky={column.sticky || undefined}
      style={column.sticky && selection ? { left: 40 } : undefined}
    >
      {canSort ? (
        <button
          type="button"
          className="ac-table__sort"
          onClick={onSort}
          data-on={direction !== undefined || undefined}
        >
          <span>{name}</span>
          {direction === "descending" ? <IconArrowDown size={13} /> : <IconArrowUp size={13} />}
        </button>
      ) : (
        <span className="ac-table__name">{name}</span>
      )}
      <ColumnResizer onResize={onResize} onReset={onReset} />
    </div>
  );
}
