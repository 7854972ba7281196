/** Draws a table card: sortable headings, numbers to the right, pages of fifty. */
import { useMemo, useState } from "react";
import { paletteOf } from "../chart/palette.ts";
import { useScheme } from "../chart/scheme.ts";
import type { CardViewProps } from "../chart/view-props.ts";
import { type ChartWords, ENGLISH } from "../chart/words.ts";
import type { FilterMark } from "@accord/contracts/insights/cross-filter";
import { isChosen } from "../chart/chosen-marks.ts";
import type { OnMark } from "../mark-target.ts";
import { MarkNumber } from "./mark-number.tsx";
import { sortedRows, tableModel, type TableModel, type TableRow } from "./model.ts";

const PAGE = 50;
const NONE: readonly FilterMark[] = [];

export function TableView({ card, data, words = ENGLISH, onMark, chosen }: CardViewProps) {
  const model = useMemo(() => tableModel(card, data), [card, data]);
  const palette = paletteOf(useScheme(), card.colorTheme);
  return (
    <ModelTable
      model={model}
      words={words}
      onMark={onMark}
      chosen={chosen}
      colorOf={(color) => palette.resolve(color)}
    />
  );
}

/** Any card's data as a table too: what the eye reads from the chart, a screen reader reads here. */
export function ModelTable({
  model,
  words = ENGLISH,
  onMark,
  chosen = NONE,
  colorOf,
}: {
  model: TableModel;
  words?: ChartWords;
  onMark?: OnMark | undefined;
  chosen?: readonly FilterMark[] | undefined;
  colorOf?: (color: string | undefined) => string | undefined;
}) {
  const [sort, setSort] = useState<{ column: number; ascending: boolean } | null>(null);
  const [page, setPage] = useState(0);
  const rows = useMemo(() => (sort ? sortedRows(model, sort.column, sort.ascending) : model.rows), [model, sort]);
  const pages = Math.max(1, Math.ceil(rows.length / PAGE));
  const at = Math.min(page, pages - 1);
  const by = (column: number): void =>
    setSort((old) =>
      old?.column !== column ? { column, ascending: true } : old.ascending ? { column, ascending: false } : null,
    );
  return (
    <div className="ac-card-table">
      <div
        className="ac-card-table__scroll"
        tabIndex={0}
        role="region"
        aria-label={model.columns.map(({ title }) => title).join(", ")}
      >
        <table>
          <thead>
            <tr>
              {model.columns.map((column, place) => {
                const sorted = sort?.column === place ? (sort.ascending ? "ascending" : "descending") : "none";
                return (
                  <th key={column.key} scope="col" aria-sort={sorted} data-number={column.isNumber || undefined}>
                    <button type="button" onClick={() => by(place)}>
                      {column.title}
                      <span aria-hidden="true">
                        {sorted === "ascending" ? " ↑" : sorted === "descending" ? " ↓" : ""}
                      </span>
                    </button>
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {rows.slice(at * PAGE, (at + 1) * PAGE).map((row, line) => (
              <tr key={at * PAGE + line} data-chosen={row.marks?.some((mark) => isChosen(mark, chosen)) || undefined}>
                {row.texts.map((text, place) => {
                  const column = model.columns[place]!;
                  return (
                    <td
                      key={column.key}
                      data-number={column.isNumber || undefined}
                      style={{ color: colorOf?.(column.color) }}
                      title={text}
                    >
                      <MarkNumber
                        text={text}
                        label={labelOf(model, row, place)}
                        mark={row.marks?.[place]}
                        words={words}
                        onMark={onMark}
                        isChosen={isChosen(row.marks?.[place], chosen)}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pages > 1 ? (
        <nav className="ac-card-table__pages" aria-label={`${at + 1} / ${pages}`}>
          <button type="button" disabled={at === 0} onClick={() => setPage(at - 1)} aria-label="‹">
            ‹
          </button>
          <span>
            {at * PAGE + 1}–{Math.min((at + 1) * PAGE, rows.length)} / {rows.length}
          </span>
          <button type="button" disabled={at === pages - 1} onClick={() => setPage(at + 1)} aria-label="›">
            ›
          </button>
        </nav>
      ) : null}
    </div>
  );
}

/** What a number is called: what its row has in common, then its heading. */
function labelOf({ columns }: TableModel, { texts, marks }: TableRow, place: number): string {
  const groups = texts.filter((_, at) => !marks?.[at]);
  return `${[...groups, columns[place]?.title ?? ""].join(", ")}: ${texts[place] ?? ""}`;
}
