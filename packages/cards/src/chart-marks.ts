/** The marks of a chart in its order, with their words: what a click, a key and the announcement of a mark go by. */
import { type CartesianModel, textAt } from "./cartesian/cartesian.model.ts";
import type { ChartWords } from "./chart/words.ts";
import { type ColumnGroups, groupsOf, markOf, type MarkTarget } from "./mark-target.ts";
import type { Cell } from "./marks.ts";
import type { CardModel } from "./models.ts";

export interface ChartMark {
  /** The category it belongs to: marks of one category in several series are beside each other. */
  category: number;
  /** Where its category is on the axis. */
  at: number;
  /** Category, series and value in the texts of table and tooltip; then what the value is when it is not just that. */
  words: string;
  /** What it leads to; null where the answer has no row. */
  target: MarkTarget | null;
}

/** By series (or ring), then by place in it: the numbers that the drawing knows its marks by. */
export type ChartMarks = readonly (readonly ChartMark[])[];

export function chartMarks(model: CardModel, words: ChartWords): ChartMarks {
  switch (model.kind) {
    case "cartesian":
      return cartesianMarks(model, words);
    case "pie": {
      const slices = model.slices.map((slice, index) => groupMark(groupsOf(slice), slice.cell, index, words));
      const parts = model.slices.flatMap((slice, index) =>
        slice.parts.map((part) => groupMark(groupsOf(slice, part), part.cell, index, words)),
      );
      return model.subCategoryTitle === null ? [slices] : [slices, parts];
    }
    case "funnel":
      return [model.stages.map((stage, index) => groupMark(groupsOf(stage), stage.cell, index, words))];
    case "metric": {
      const { mark, value, text, caption, range } = model;
      const label = `${caption}: ${text}`;
      const named = range?.name ? `${label}, ${range.name}` : label;
      const target = mark ? { mark, label } : null;
      return [[{ category: 0, at: 0, words: value === null ? `${named}, ${words.noValue}` : named, target }]];
    }
    case "table":
      return [];
  }
}

const cartesianMarks = (model: CartesianModel, words: ChartWords): ChartMarks =>
  model.series.map((series) =>
    model.categories.map((category, index) => {
      const cell = series.cells[index] ?? null;
      const at = model.scale === "time" ? (category.time ?? 0) : index;
      if (model.seriesTitle !== null && cell)
        return { ...groupMark(groupsOf(category, series), cell, index, words), at };
      const between = model.seriesTitle === null ? ", " : " · ";
      const label = `${category.label}${between}${series.label}: ${textAt(series, index)}`;
      const gap = cell ? gapOf(cell, words) : words.noRows;
      const target = cell ? { mark: markOf(groupsOf(category), series.key), label } : null;
      return { category: index, at, words: said(label, category.isRest || series.isRest, gap, words), target };
    }),
  );

function groupMark(groups: ColumnGroups, cell: Cell, category: number, words: ChartWords): ChartMark {
  const label = `${groups.map(([, group]) => group.label).join(" · ")}: ${cell.text}`;
  const isRest = groups.some(([, group]) => group.isRest);
  const target = { mark: markOf(groups, "y0"), label };
  return { category, at: category, words: said(label, isRest, gapOf(cell, words), words), target };
}

const gapOf = (cell: Cell, words: ChartWords): string => (cell.value === null ? words.noValue : "");

const said = (label: string, isRest: boolean, gap: string, words: ChartWords): string =>
  [label, ...(isRest ? [words.addedUp] : []), ...(gap ? [gap] : [])].join(", ");
