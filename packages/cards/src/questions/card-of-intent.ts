/** The card that a proposal asks for; whether its columns exist and fit is judged by the rules of cards and datasets. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import {
  type AxisEntry,
  CardConfiguration,
  type CardConfigurationInput,
  type EntryPath,
  holdsList,
  cardShapeOf,
} from "@accord/contracts/insights/card-configuration";
import type { Condition, Predicate } from "@accord/contracts/data/predicate";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { formatOf, isDateColumn } from "../column-types.ts";
import { newCard } from "../definition.ts";
import { CARD_DEFINITIONS } from "../card-list.ts";

interface Named {
  columns: readonly DatasetColumn[];
  /** Empty while the dataset is to be made. */
  datasetId: string;
  /** What the number of rows is called. */
  rowCount: string;
}

export function cardOfIntent(intent: CardIntent, { columns, datasetId, rowCount }: Named): CardConfiguration {
  const plain = (column: string): AxisEntry => entryOf(column, columns);
  const values = intent.values.map(({ column, aggregate }): AxisEntry => {
    if (column === ROW_COUNT) return { column, name: ROW_COUNT, displayName: rowCount, displayFormat: "number" };
    return {
      ...plain(column),
      displayFormat: aggregate === "textList" ? "text" : "number",
      aggregate: aggregate ?? "sum",
    };
  });
  const category = intent.category && {
    ...plain(intent.category.column),
    ...(intent.category.grain ? { grain: intent.category.grain } : {}),
  };
  const series = intent.series && plain(intent.series.column);
  const filter = filterOf(intent);
  const shared: Partial<CardConfigurationInput> = {
    ...(filter ? { filter } : {}),
    ...(intent.top === null ? {} : { top: intent.top }),
  };
  const setup = setupOf(intent, { category, series, values, plain });
  return CardConfiguration.parse({ ...newCard(CARD_DEFINITIONS[intent.vizType], datasetId), ...shared, ...setup });
}

interface Entries {
  category: AxisEntry | null;
  series: AxisEntry | null;
  values: readonly AxisEntry[];
  plain: (column: string) => AxisEntry;
}

function setupOf(intent: CardIntent, { category, series, values, plain }: Entries): object {
  const shape = cardShapeOf(intent.vizType);
  switch (shape.kind) {
    case "chart":
      return {
        ...held(shape.category, category ? [category] : []),
        ...held(shape.values, values),
        ...(shape.series === null ? {} : held(shape.series, series ? [series] : [])),
      };
    case "number":
      return { columns: values.slice(0, 1) };
    case "rows": {
      const columns = [...intent.columns.map(plain), ...[category, series].flatMap((one) => one ?? []), ...values];
      const at = columns.findIndex(({ column }) => column === intent.order?.column);
      return {
        columns,
        ...(intent.order && at >= 0 ? { rowOrder: { column: at, ascending: intent.order.ascending } } : {}),
      };
    }
  }
}

const held = (path: EntryPath, entries: readonly AxisEntry[]): object => ({
  [path]: holdsList(path) ? entries : entries[0],
});

function entryOf(name: string, columns: readonly DatasetColumn[]): AxisEntry {
  const column = columns.find((one) => one.name === name);
  const displayFormat = column && !isDateColumn(column) ? formatOf(column) : "text";
  return { column: name, name, displayName: (column?.displayName ?? name).slice(0, 120), displayFormat };
}

function filterOf({ combinator, conditions }: CardIntent): Predicate | undefined {
  return conditions.length > 0 ? { type: "group", combinator, children: conditions.map(conditionOf) } : undefined;
}

const conditionOf = ({ column, operator, values }: ProposedCondition): Condition => ({
  type: "condition",
  left: { kind: "field", field: column },
  operator,
  right: values.map((value) => ({ kind: "literal", value })),
});
