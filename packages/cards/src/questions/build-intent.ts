/** From the clauses of a question to what it asks for, by itself or as a change of what was asked for before. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { VizType } from "@accord/contracts/insights/cards";
import { type DatasetColumn, ROW_COUNT } from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../definition.ts";
import { type QuestionParts, valueOf } from "./read-question.ts";
import type { QuestionSource } from "./source.ts";

const TABLE_COLUMNS = 8;
const ROWS = { column: ROW_COUNT, aggregate: null };
const isCategory = ({ dataType }: DatasetColumn): boolean =>
  dataType === "picklist" || dataType === "boolean" || dataType === "string";

interface Shape {
  category: CardIntent["category"];
  series: CardIntent["series"];
  values: CardIntent["values"];
}

export function intentOf(parts: QuestionParts, source: QuestionSource): CardIntent {
  if (isPlainList(parts)) return listOf(parts, source);
  const shape = shapeOf(parts, source);
  const vizType = chartFor(parts, shape, source);
  return settled(
    {
      ...{ source: source.source, vizType, ...shape },
      columns: [],
      combinator: "and",
      conditions: parts.conditions,
      top: parts.limit?.top ?? null,
      order: orderOf(parts, shape),
      ...comparedPeriods(parts, shape),
    },
    source,
  );
}

/** Rows as they are: asked for as a list, as a table without groups, or as the largest of them. */
const isPlainList = (parts: QuestionParts): boolean =>
  parts.values.length === 0 &&
  parts.grain === null &&
  (rankedRows(parts) !== null ||
    (parts.groups.length === 0 &&
      (parts.chart === "TABLE" ||
        (parts.chart === null && (parts.isList || (parts.order !== null && parts.limit !== null))))));

/** “5 largest opportunities by amount”: no categories, but the rows themselves. */
function rankedRows({ chart, limit, groups, listed, order }: QuestionParts): QuestionParts["order"] {
  const [by] = groups;
  if (chart !== null && chart !== "TABLE") return null;
  if (!limit || order || !by || !groups.every(isNumberColumn) || listed.some((column) => !isNumberColumn(column)))
    return null;
  return { column: by, ascending: limit.isSmallest };
}

function listOf(parts: QuestionParts, { source, columns }: QuestionSource): CardIntent {
  const ranked = rankedRows(parts);
  const order = parts.order ?? ranked;
  const usual = columns.filter(({ name }) => !name.startsWith("accord_")).slice(0, ranked ? 1 : TABLE_COLUMNS);
  const named = parts.listed.length > 0 ? parts.listed : usual;
  const ordered = order && !named.includes(order.column) ? [...named, order.column] : named;
  return {
    ...{ source, vizType: "TABLE", category: null, series: null, values: [] },
    columns: [...new Set(ordered.map(({ name }) => name))],
    combinator: "and",
    conditions: parts.conditions,
    top: parts.limit?.top ?? null,
    order: order && { column: order.column.name, ascending: order.ascending },
  };
}

function shapeOf(parts: QuestionParts, { columns }: QuestionSource): Shape {
  const { groups, listed, grain, date, limit } = parts;
  // “Top 5 industries by revenue”: what it says after “by” is the value, and the category stands before.
  const isRanked = limit !== null && groups.some(isNumberColumn);
  const grouped = [...(isRanked ? listed.filter((column) => !isNumberColumn(column)) : []), ...groups].filter(
    (column) => !(isRanked && isNumberColumn(column)),
  );
  const rest = listed.filter((column) => !grouped.includes(column));
  const values = uniqueValues([
    ...parts.values,
    ...(isRanked ? groups.filter(isNumberColumn).map(valueOf) : []),
    ...rest.filter(isNumberColumn).map(valueOf),
  ]);
  const dates = grouped.filter(isDateColumn);
  const others = [...grouped, ...(grouped.length === 0 ? rest.filter(isCategory) : [])].filter(
    (column) => !isDateColumn(column),
  );
  const day = dates[0] ?? (grain ? date : undefined);
  const [first, second] = day ? [undefined, others[0]] : others;
  const fallback =
    parts.isShare || parts.chart === "PIE" ? columns.find(({ dataType }) => dataType === "picklist") : undefined;
  const category = first ?? (day ? undefined : fallback);
  return {
    category: day
      ? { column: day.name, grain: grain ?? "month" }
      : category
        ? { column: category.name, grain: null }
        : null,
    series: second && values.length < 2 ? { column: second.name } : null,
    values: values.length > 0 ? values : [ROWS],
  };
}

const uniqueValues = (values: CardIntent["values"]): CardIntent["values"] => [
  ...new Map(values.map((one) => [JSON.stringify(one), one])).values(),
];

function chartFor(parts: QuestionParts, { category, values }: Shape, { columns }: QuestionSource): VizType {
  const { chart } = parts;
  const isNumber = chart === "METRIC" || chart === "GAUGE";
  if (chart && (category !== null || isNumber || chart === "TABLE")) return chart;
  if (!category) return values.length > 1 ? "TABLE" : "METRIC";
  if (parts.limit?.isSmallest) return "TABLE";
  const isDate = columns.some((column) => column.name === category.column && isDateColumn(column));
  if (parts.isShare && !isDate) return "PIE";
  return isDate ? (parts.isComparison ? "COLUMN" : "LINE") : "BAR";
}

/** The newest two periods; of a chart that is split `top` would choose series, so that its days are filtered instead. */
function comparedPeriods(
  { isComparison, conditions }: QuestionParts,
  { category, series }: Shape,
): Partial<Pick<CardIntent, "top" | "conditions">> {
  if (!isComparison || !category?.grain) return {};
  if (!series) return { top: 2 };
  const [operator, amount] = TWO_PERIODS[category.grain];
  return { conditions: [...conditions, { column: category.column, operator, values: [amount] }] };
}

const TWO_PERIODS = {
  day: ["lastDays", 1],
  week: ["lastWeeks", 1],
  month: ["lastMonths", 1],
  quarter: ["lastMonths", 3],
  year: ["lastMonths", 12],
} as const;

/** Charts draw the largest; the smallest are rows of a table in their order. */
function orderOf({ limit, order }: QuestionParts, { values }: Shape): CardIntent["order"] {
  if (order) return { column: order.column.name, ascending: order.ascending };
  const [first] = values;
  return limit?.isSmallest && first ? { column: first.column, ascending: true } : null;
}

/** What the chart has no place for is left out. */
function settled(intent: CardIntent, { columns }: QuestionSource): CardIntent {
  switch (intent.vizType) {
    case "METRIC":
    case "GAUGE":
      return {
        ...intent,
        category: null,
        series: null,
        columns: [],
        values: intent.values.slice(0, 1),
        top: null,
        order: null,
      };
    case "PIE":
      return { ...intent, values: intent.values.slice(0, 1), order: null };
    case "FUNNEL":
      return { ...intent, values: intent.values.slice(0, 1), series: null, order: null };
    case "TABLE":
      return intent;
    default:
      if (intent.category || columns.length === 0) return { ...intent, order: null };
      return { ...intent, vizType: "METRIC", values: intent.values.slice(0, 1), order: null };
  }
}

/** The question as a change of what is proposed already: what it does not speak of stays. */
export function refinedIntent(previous: CardIntent, parts: QuestionParts, source: QuestionSource): CardIntent {
  const shape = shapeOf(parts, source);
  const hasValues = parts.values.length > 0 || parts.listed.some(isNumberColumn);
  const isSplit =
    parts.isAddition && previous.category !== null && shape.category !== null && shape.category.grain === null;
  const kept = shape.category === null || isSplit ? regrained(previous.category, parts, source) : shape.category;
  const values = parts.aggregate && !hasValues ? reaggregated(previous.values, parts, source) : previous.values;
  const category = kept;
  const series = isSplit && shape.category ? { column: shape.category.column } : (shape.series ?? previous.series);
  const changesKind = isDate(previous.category, source) !== isDate(category, source);
  const next: Shape = {
    category,
    series: parts.drops.series || (series && series.column === category?.column) ? null : series,
    values: hasValues
      ? parts.isAddition
        ? uniqueValues([...previous.values, ...shape.values])
        : shape.values
      : values,
  };
  const conditions = mergedConditions(parts.drops.filter ? [] : previous.conditions, parts.conditions);
  const isReshaped = changesKind || (previous.category === null) !== (category === null) || parts.isShare;
  const columns =
    parts.isList || (previous.columns.length > 0 && parts.listed.length > 0)
      ? [...(parts.isAddition ? previous.columns : []), ...parts.listed.map(({ name }) => name)]
      : previous.columns;
  return settled(
    {
      ...{ source: previous.source, combinator: previous.combinator, ...next },
      vizType:
        parts.chart ?? (isReshaped && previous.columns.length === 0 ? chartFor(parts, next, source) : previous.vizType),
      columns: parts.chart && parts.chart !== "TABLE" ? [] : columns,
      conditions,
      top: parts.drops.limit ? null : (parts.limit?.top ?? previous.top),
      order: orderOf(parts, next) ?? previous.order,
      ...comparedPeriods({ ...parts, conditions }, next),
    },
    source,
  );
}

const isDate = (category: CardIntent["category"], { columns }: QuestionSource): boolean =>
  columns.some((column) => column.name === category?.column && isDateColumn(column));

function regrained(category: CardIntent["category"], { grain, date }: QuestionParts, source: QuestionSource) {
  if (!grain) return category;
  if (category && isDate(category, source)) return { ...category, grain };
  return date ? { column: date.name, grain } : category;
}

const reaggregated = (values: CardIntent["values"], { aggregate }: QuestionParts, { columns }: QuestionSource) =>
  values.map((value) => {
    const column = columns.find(({ name }) => name === value.column);
    return column && isNumberColumn(column) ? { ...value, aggregate } : value;
  });

/** A new condition takes the place of those on its column. */
const mergedConditions = (before: readonly ProposedCondition[], added: readonly ProposedCondition[]) => [
  ...before.filter(({ column }) => added.every((one) => one.column !== column)),
  ...added,
];
