/** What a card shows, worked out once: chart, tooltips, table, summary and notes are all made from this. */
import type { CardConfiguration, CardData } from "@accord/contracts/insights/cards";
import { CARD_DEFINITIONS } from "./card-list.ts";
import type { CartesianModel } from "./cartesian/cartesian.model.ts";
import { type ChartWords, ENGLISH } from "./chart/words.ts";
import type { Cell } from "./marks.ts";
import { type ColumnGroups, groupsOf, markOf } from "./mark-target.ts";
import type { CardModel } from "./models.ts";
import type { PieModel } from "./pie/model.ts";
import type { TableModel } from "./table/model.ts";

export const cardModel = (card: CardConfiguration, data: CardData, words: ChartWords = ENGLISH): CardModel =>
  CARD_DEFINITIONS[card.vizType].model(card, data, words);

/** The model as rows and columns: each value that is drawn, under the same label and in the same text. */
export function modelTable(model: CardModel): TableModel {
  switch (model.kind) {
    case "cartesian":
      return cartesianTable(model);
    case "pie":
      return pieTable(model);
    case "funnel":
      return {
        ...emptyTable([model.stageTitle], [model.valueTitle]),
        rows: model.stages.map((stage) => rowOf(groupsOf(stage), [["y0", stage.cell]])),
      };
    case "metric":
      return {
        ...emptyTable([], [model.caption]),
        rows: [{ values: [model.value], texts: [model.text], marks: [model.mark] }],
      };
    case "table":
      return model;
  }
}

function cartesianTable(model: CartesianModel): TableModel {
  const isSplit = model.seriesTitle !== null;
  const titles = isSplit ? [model.categoryTitle, model.seriesTitle ?? ""] : [model.categoryTitle];
  const values = isSplit ? [model.valueTitle] : model.series.map(({ label }) => label);
  const rows = model.categories.flatMap((category, index) => {
    if (isSplit)
      return model.series.flatMap((series) => {
        const cell = series.cells[index];
        return cell ? [rowOf(groupsOf(category, series), [["y0", cell]])] : [];
      });
    const cells = model.series.flatMap(({ key, cells: all }) => {
      const cell = all[index];
      return cell ? [[key, cell] as const] : [];
    });
    return cells.length > 0 ? [rowOf(groupsOf(category), cells)] : [];
  });
  return { ...emptyTable(titles, values), rows };
}

function pieTable(model: PieModel): TableModel {
  if (model.subCategoryTitle === null)
    return {
      ...emptyTable([model.categoryTitle], [model.valueTitle]),
      rows: model.slices.map((slice) => rowOf(groupsOf(slice), [["y0", slice.cell]])),
    };
  return {
    ...emptyTable([model.categoryTitle, model.subCategoryTitle], [model.valueTitle]),
    rows: model.slices.flatMap((slice) => slice.parts.map((part) => rowOf(groupsOf(slice, part), [["y0", part.cell]]))),
  };
}

function emptyTable(groups: readonly string[], values: readonly string[]): TableModel {
  const columns = [...groups, ...values].map((title, index) => ({
    key: String(index),
    title,
    isNumber: index >= groups.length,
    color: undefined,
  }));
  return { kind: "table", columns, rows: [], notes: [] };
}

/** Cells by the columns of the answer they are of, as groups are. */
const rowOf = (groups: ColumnGroups, cells: readonly (readonly [string, Cell])[]): TableModel["rows"][number] => ({
  values: [...groups.map(([, { value }]) => value), ...cells.map(([, { value }]) => value)],
  texts: [...groups.map(([, { label }]) => label), ...cells.map(([, { text }]) => text)],
  marks: [...groups.map(() => null), ...cells.map(([column]) => markOf(groups, column))],
});

/** Values that a summary lists; the table has them all. */
const MAX_LISTED = 20;

/** The model in one sentence, for those who don't see the chart. */
export function modelSummary(model: CardModel, words: ChartWords = ENGLISH): string {
  if (model.kind === "metric")
    return `${model.caption}: ${model.text}${model.range?.name ? `, ${model.range.name}` : ""}`;
  const { columns, rows } = modelTable(model);
  const groups = columns.filter(({ isNumber }) => !isNumber).length;
  const listed = rows.slice(0, MAX_LISTED).map(({ texts }) => {
    const values = texts
      .slice(groups)
      .map((text, index) => (columns.length - groups > 1 ? `${columns[groups + index]?.title ?? ""} ${text}` : text));
    return `${texts.slice(0, groups).join(", ")}: ${values.join(", ")}`;
  });
  const total = model.kind === "pie" && model.total ? [`${words.total}: ${model.total.text}`] : [];
  const reference = model.kind === "cartesian" ? model.reference : null;
  const line = reference ? [`${reference.label || words.reference}: ${reference.text}`] : [];
  const more = rows.length > MAX_LISTED ? [words.more(rows.length - MAX_LISTED)] : [];
  return `${columns.map(({ title }) => title).join(", ")}. ${[...listed, ...more, ...total, ...line].join("; ")}`;
}
