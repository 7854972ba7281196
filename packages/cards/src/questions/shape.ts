/** What a question groups by and measures, and the chart that fits. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { VizType } from "@accord/contracts/insights/cards";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../column-types.ts";
import { periodAt } from "./conditions/calendar.ts";
import { type QuestionParts, valueOf } from "./read-question.ts";
import type { QuestionSource } from "./source.ts";

export interface Shape {
  category: CardIntent["category"];
  series: CardIntent["series"];
  values: CardIntent["values"];
}

export const ROWS = { column: ROW_COUNT, aggregate: null };

export const isCategory = ({ dataType }: DatasetColumn): boolean =>
  dataType === "picklist" || dataType === "boolean" || dataType === "string";

export function shapeOf(parts: QuestionParts): Shape {
  const { groups, listed, grain, date, limit } = parts;
  // “Top 5 industries by revenue”: what it says after “by” is the value, and the category stands before.
  const isRanked = limit !== null && groups.some(isNumberColumn);
  const grouped = [...(isRanked ? listed.filter((column) => !isNumberColumn(column)) : []), ...groups].filter(
    (column) => !(isRanked && isNumberColumn(column)),
  );
  const rest = listed.filter((column) => !grouped.includes(column));
  const measured = (column: DatasetColumn): CardIntent["values"][number] =>
    parts.aggregate ? { column: column.name, aggregate: parts.aggregate } : valueOf(column);
  const values = uniqueValues([
    ...parts.values,
    ...(isRanked ? groups.filter(isNumberColumn).map(measured) : []),
    ...rest.filter(isNumberColumn).map(measured),
  ]);
  const dates = grouped.filter(isDateColumn);
  const others = [...grouped, ...(grouped.length === 0 ? rest.filter(isCategory) : [])].filter(
    (column) => !isDateColumn(column),
  );
  const day = dates[0] ?? (grain ? date : undefined);
  const [first, second] = day ? [undefined, others[0]] : others;
  return {
    category: day ? { column: day.name, grain: grain ?? "month" } : first ? { column: first.name, grain: null } : null,
    series: second && values.length < 2 ? { column: second.name } : null,
    values: values.length > 0 ? values : [ROWS],
  };
}

export const uniqueValues = (values: CardIntent["values"]): CardIntent["values"] => [
  ...new Map(values.map((one) => [JSON.stringify(one), one])).values(),
];

const EQUALITIES: ReadonlySet<string> = new Set([
  ...["equals", "notEquals", "inList", "notInList", "isTrue", "isFalse"],
]);

const isEquality = ({ operator }: ProposedCondition): boolean => EQUALITIES.has(operator);

/** The conditions on one value of a category; a chart by their column would have one bar. */
export const equalitiesIn = (conditions: readonly ProposedCondition[], { columns }: QuestionSource) =>
  conditions.filter(
    (one) => isEquality(one) && columns.some((column) => column.name === one.column && isCategory(column)),
  );

/**
 * What shares are of where the question groups by nothing: “what percentage of accounts is active?” is answered by all
 * values of that column beside each other. Null when it is not clear.
 */
export function shareOf(
  { asksForPart, conditions, combinator, isShare }: QuestionParts,
  source: QuestionSource,
): { category: CardIntent["category"]; conditions: ProposedCondition[] } | null {
  const equalities = equalitiesIn(conditions, source);
  const [only] = equalities;
  if (isShare && only && equalities.length === 1 && combinator === "and") {
    const rest = conditions.filter((one) => one !== only);
    return { category: { column: only.column, grain: null }, conditions: rest };
  }
  const isFiltered = (name: string): boolean => conditions.some((one) => isEquality(one) && one.column === name);
  const choice = source.columns.find(({ name, dataType }) => dataType === "picklist" && !isFiltered(name));
  if (asksForPart || !choice || (isShare && equalities.length > 0)) return null;
  return { category: { column: choice.name, grain: null }, conditions };
}

export function chartFor(parts: QuestionParts, { category, values }: Shape, source: QuestionSource): VizType {
  if (parts.chart) return parts.chart;
  if (!category) return values.length > 1 ? "TABLE" : "METRIC";
  // Charts draw the largest.
  if (parts.limit?.kind === "smallest") return "TABLE";
  if (parts.isShare && !isDate(category, source)) return "PIE";
  return isDate(category, source) ? (parts.isComparison ? "COLUMN" : "LINE") : "BAR";
}

export const isDate = (category: CardIntent["category"], { columns }: QuestionSource): boolean =>
  columns.some((column) => column.name === category?.column && isDateColumn(column));

/** The newest two periods; of a chart that is split `top` would choose series, so that its days are filtered instead. */
export function comparedPeriods(
  { isComparison, today }: QuestionParts,
  conditions: ProposedCondition[],
  { category, series }: Shape,
): Partial<Pick<CardIntent, "top" | "conditions">> {
  if (!isComparison || !category?.grain) return {};
  if (!series) return { top: 2 };
  const { first } = periodAt(today, category.grain, -1);
  const { last } = periodAt(today, category.grain, 0);
  return { conditions: [...conditions, { column: category.column, operator: "between", values: [first, last] }] };
}

/** Charts draw the largest; the smallest are rows of a table in their order. */
export function orderOf({ limit, order }: QuestionParts, { values }: Shape): CardIntent["order"] {
  if (order) return { column: order.column.name, ascending: order.ascending };
  const [first] = values;
  return limit?.kind === "smallest" && first ? { column: first.column, ascending: true } : null;
}
