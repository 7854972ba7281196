/** An intent without what its chart has no place for, so that what is said of it is what its card shows. */
import type { CardIntent, ProposedValue } from "@accord/contracts/insights/card-assistant";
import { holdsList, cardShapeOf } from "@accord/contracts/insights/card-configuration";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { isDateColumn } from "../column-types.ts";

/** Rules of the cards themselves: what a card of the type would not draw is left out. */
export function settledIntent(intent: CardIntent, columns: readonly DatasetColumn[]): CardIntent {
  const plain: CardIntent = {
    ...intent,
    category: intent.category && cutCategory(intent.category, columns),
    values: intent.values.map(settledValue),
    combinator: intent.conditions.length > 1 ? intent.combinator : "and",
  };
  const shape = cardShapeOf(plain.vizType);
  switch (shape.kind) {
    case "number":
      return { ...charted(plain, 1), category: null, series: null, top: null };
    case "rows":
      return { ...plain, order: isShown(plain, plain.order?.column) ? plain.order : null };
    case "chart": {
      const severalValues = holdsList(shape.values);
      // Several values are drawn beside each other; only one can be split.
      const canSplit = shape.series !== null && (!severalValues || plain.values.length === 1);
      return { ...charted(plain, severalValues ? plain.values.length : 1), series: canSplit ? plain.series : null };
    }
  }
}

/** Charts have no rows, and an order of their own. */
const charted = (intent: CardIntent, values: number): CardIntent => ({
  ...intent,
  columns: [],
  values: intent.values.slice(0, values),
  order: null,
});

/** Only dates are cut. */
function cutCategory(category: NonNullable<CardIntent["category"]>, columns: readonly DatasetColumn[]) {
  const column = columns.find(({ name }) => name === category.column);
  return column && !isDateColumn(column) ? { ...category, grain: null } : category;
}

const settledValue = ({ column, aggregate }: ProposedValue): ProposedValue =>
  column === ROW_COUNT ? { column, aggregate: null } : { column, aggregate: aggregate ?? "sum" };

const isShown = ({ columns, category, series, values }: CardIntent, column: string | undefined): boolean =>
  [...columns, category?.column, series?.column, ...values.map((value) => value.column)].some(
    (shown) => column !== undefined && shown === column,
  );
