/** The one table: sorting, selection, row menu, sticky header, virtual rows, arrow keys. */
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState, type KeyboardEvent, type MouseEvent, type ReactNode } from "react";
import { useUiWords } from "../ui-words.ts";
import { HeaderCell } from "./header-cell.tsx";
import { RowMenu, type RowAction } from "./row-menu.tsx";
import { hasFiller, layoutOf, nextSort, sortRows, stepOf, toggled, type Column, type Sort } from "./table-model.ts";
import "./data-table.css";

export interface DataTableProps<Row> {
  /** Names the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** What a row is called by its checkbox and menu. */
  rowLabel?: (row: Row) => string;
  /** Enter, or a press anywhere on the row that hits no control. */
  onRowOpen?: ((row: Row) => void) | undefined;
  rowMenu?: ((row: Row) => readonly (RowAction | undefined | false)[]) | undefined;
  /** Ids of selected rows; giving it shows the checkboxes. */
  selected?: ReadonlySet<string>;
  onSelectedChange?: (selected: ReadonlySet<string>) => void;
  hiddenColumns?: readonly string[];
  /** The order shown. With `onSortChange` the caller orders the rows; without it the table does. */
  sort?: Sort | undefined;
  onSortChange?: (sort: Sort | undefined) => void;
  /** Widths that a person gave columns, by column id; with `onWidthsChange` the caller keeps them. */
  widths?: Readonly<Record<string, number>>;
  onWidthsChange?: (widths: Readonly<Record<string, number>>) => void;
  dense?: boolean;
  /** All rows that exist, when only a page of them is here. */
  totalRows?: number | undefined;
  /** Row number of the first row here, for pages after the first. */
  firstRow?: number;
  /** Old rows are shown dimmed while new ones come. */
  stale?: boolean;
  /** Takes the height its parent leaves and scrolls inside; rows outside the view are not drawn. */
  fill?: boolean;
  /** Instead of rows when there are none. */
  empty?: ReactNode;
  /** Below the rows: paging, count. */
  footer?: ReactNode;
  /** Marks one row as the one shown in a panel beside. */
  activeRow?: string | undefined;
}

const DRAW_ALL_UP_TO = 60;
/** Until a row far away is drawn; many, for a slow machine. */
const MOST_FRAMES = 300;
/** So few rows need no least height to stay usable in a narrow place. */
const FEW = 4;

const isControl = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("a, button, input, label, select, textarea, [role=menuitem]") !== null;

/** Bare words in a flex cell can't be shortened with an ellipsis; words in an element can. */
const asElement = (content: ReactNode): ReactNode =>
  typeof content === "string" ? <span title={content}>{content}</span> : content;

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { columns, rows, rowId, selected, onSelectedChange, dense = false, fill = false, firstRow = 0 } = props;
  const words = useUiWords();
  const scroller = useRef<HTMLDivElement>(null);
  const [ownSort, setOwnSort] = useState<Sort | undefined>(props.sort);
  const [ownWidths, setOwnWidths] = useState<Readonly<Record<string, number>>>({});
  const resized = props.widths ?? ownWidths;
  const setResized = props.onWidthsChange ?? setOwnWidths;
  const [focused, setFocused] = useState(0);
  const lastPressed = useRef<string>(undefined);

  const sort = props.onSortChange ? props.sort : ownSort;
  const shown = useMemo(
    () => columns.filter((column) => column.always || !props.hiddenColumns?.includes(column.id)),
    [columns, props.hiddenColumns],
  );
  const ordered = useMemo(
    () => (props.onSortChange ? rows : sortRows(rows, columns, sort)),
    [rows, columns, sort, props.onSortChange],
  );
  const ids = useMemo(() => ordered.map(rowId), [ordered, rowId]);
  const menu = props.rowMenu !== undefined;
  const selection = selected !== undefined;
  const { template, minWidth } = layoutOf(shown, resized, { selection, menu });
  const filler = hasFiller(shown, resized);
  const rowHeight = dense ? 30 : 36;

  const virtual = fill && ordered.length > DRAW_ALL_UP_TO;
  const virtualizer = useVirtualizer({
    count: ordered.length,
    enabled: virtual,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollPaddingStart: rowHeight,
  });
  const drawn = virtual ? virtualizer.getVirtualItems().map((item) => item.index) : ordered.map((_, index) => index);
  const offset = virtual ? (virtualizer.getVirtualItems()[0]?.start ?? 0) : 0;

  const select = (id: string, event: { shiftKey: boolean }) => {
    if (!selected || !onSelectedChange) return;
    const from = event.shiftKey ? lastPressed.current : undefined;
    onSelectedChange(toggled(selected, ids, id, from === undefined ? undefined : { from }));
    lastPressed.current = id;
  };

  const focusRow = (index: number) => {
    setFocused(index);
    if (virtual) virtualizer.scrollToIndex(index);
    const from = document.activeElement;
    const take = (framesLeft: number): void => {
      const now = document.activeElement;
      // Somebody went on to something else meanwhile.
      if (now !== from && now !== document.body) return;
      const row = scroller.current?.querySelector<HTMLElement>(`[data-row-index="${index}"]`);
      // The next key counts from this row: at once where it is drawn, else as soon as it is.
      if (row) row.focus({ preventScroll: virtual });
      else if (framesLeft > 0) requestAnimationFrame(() => take(framesLeft - 1));
    };
    take(MOST_FRAMES);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset["rowIndex"] === undefined) return;
    const at = Number(event.target.dataset["rowIndex"]);
    const row = ordered[at];
    if (row === undefined) return;
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / rowHeight) - 2);
    const step = stepOf(event.key, at, ordered.length, pageRows);
    if (step !== undefined) focusRow(step);
    else if (event.key === "Enter" && props.onRowOpen) props.onRowOpen(row);
    else if (event.key === " " && selection) select(rowId(row), event);
    else return;
    event.preventDefault();
  };

  const changeSort = (column: Column<Row>) => {
    const next = nextSort(sort, column.id);
    if (props.onSortChange) props.onSortChange(next);
    else setOwnSort(next);
  };

  const allSelected = selection && ids.length > 0 && ids.every((id) => selected.has(id));
  const someSelected = selection && !allSelected && ids.some((id) => selected.has(id));
  const nothing = ordered.length === 0;

  return (
    <div
      className="ac-table"
      data-fill={fill || undefined}
      data-few={(!nothing && ordered.length <= FEW) || undefined}
      data-dense={dense || undefined}
    >
      <div
        className="ac-table__scroller"
        ref={scroller}
        data-scroll-area={props.label}
        tabIndex={nothing ? -1 : undefined}
      >
        <div
          role="grid"
          aria-label={props.label}
          aria-rowcount={(props.totalRows ?? ordered.length) + 1}
          aria-colcount={shown.length + Number(selection) + Number(menu)}
          aria-multiselectable={selection || undefined}
          aria-busy={props.stale || undefined}
          className="ac-table__grid"
          style={{ minWidth }}
          onKeyDown={onKeyDown}
        >
          <div role="rowgroup" className="ac-table__head">
            <div role="row" aria-rowindex={1} className="ac-table__row" style={{ gridTemplateColumns: template }}>
              {selection ? (
                <div role="columnheader" className="ac-table__cell ac-table__check" data-sticky>
                  <input
                    type="checkbox"
                    aria-label={words.selectAll}
                    checked={allSelected}
                    ref={(box) => {
                      if (box) box.indeterminate = someSelected;
                    }}
                    onChange={() => onSelectedChange?.(allSelected ? new Set() : new Set(ids))}
                  />
                </div>
              ) : null}
              {shown.map((column) => (
                <HeaderCell
                  key={column.id}
                  column={column}
                  sort={sort}
                  selection={selection}
                  onSort={() => changeSort(column)}
                  onResize={(width) => setResized({ ...resized, [column.id]: width })}
                  onReset={() => {
                    const { [column.id]: _dropped, ...rest } = resized;
                    setResized(rest);
                  }}
                />
              ))}
              {filler ? <div role="columnheader" className="ac-table__cell" /> : null}
              {menu ? (
                <div role="columnheader" className="ac-table__cell">
                  <span className="ac-hidden">{words.more}</span>
                </div>
              ) : null}
            </div>
          </div>
          {nothing ? null : (
            <div
              role="rowgroup"
              className="ac-table__body"
              data-stale={props.stale || undefined}
              style={virtual ? { height: virtualizer.getTotalSize() } : undefined}
            >
              <div style={virtual ? { transform: `translateY(${offset}px)` } : undefined} role="presentation">
                {drawn.map((index) => {
                  const row = ordered[index];
                  if (row === undefined) return null;
                  const id = rowId(row);
                  const isSelected = selected?.has(id) ?? false;
                  return (
                    <div
                      key={id}
                      role="row"
                      aria-rowindex={firstRow + index + 2}
                      aria-selected={selection ? isSelected : undefined}
                      className="ac-table__row"
                      data-row-index={index}
                      data-openable={props.onRowOpen ? true : undefined}
                      data-active={props.activeRow === id || undefined}
                      tabIndex={index === Math.min(focused, ordered.length - 1) ? 0 : -1}
                      style={{ gridTemplateColumns: template }}
                      onFocus={() => setFocused(index)}
                      onClick={(event: MouseEvent) => {
                        if (props.onRowOpen && !isControl(event.target) && !getSelection()?.toString())
                          props.onRowOpen(row);
                      }}
                    >
                      {selection ? (
                        <div role="gridcell" className="ac-table__cell ac-table__check" data-sticky>
                          <input
                            type="checkbox"
                            tabIndex={-1}
                            aria-label={`${words.selectRow} ${props.rowLabel?.(row) ?? id}`}
                            checked={isSelected}
                            onChange={() => {}}
                            onClick={(event) => select(id, event)}
                          />
                        </div>
                      ) : null}
                      {shown.map((column) => (
                        <div
                          key={column.id}
                          role="gridcell"
                          className="ac-table__cell"
                          data-align={column.align}
                          data-mono={column.mono || undefined}
                          data-sticky={column.sticky || undefined}
                          style={column.sticky && selection ? { left: 40 } : undefined}
                        >
                          {asElement(column.cell(row))}
                        </div>
                      ))}
                      {filler ? <div role="gridcell" className="ac-table__cell" /> : null}
                      {props.rowMenu ? (
                        <div role="gridcell" className="ac-table__cell ac-table__menu">
                          <RowMenu actions={props.rowMenu(row)} name={props.rowLabel?.(row) ?? id} />
                        </div>
                      ) : null}
                    </div>
                  );
                })}
              </div>
            </div>
          )}
        </div>
        {nothing ? <div className="ac-table__empty">{props.empty}</div> : null}
      </div>
      {props.footer ? <div className="ac-table__footer">{props.footer}</div> : null}
    </div>
  );
}
