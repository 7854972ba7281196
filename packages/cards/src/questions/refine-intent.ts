/** A further question as a change of what is proposed already: what it does not speak of stays. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import { cardShapeOf } from "@accord/contracts/insights/card-configuration";
import { isNumberColumn } from "../column-types.ts";
import {
  asksForChart,
  type Built,
  categoryOf,
  checked,
  impliedOrder,
  isOfWhole,
  rankedRows,
  type RowOrder,
} from "./build-intent.ts";
import type { QuestionParts } from "./read-question.ts";
import {
  chartFor,
  comparedPeriods,
  isDate,
  orderOf,
  ROWS,
  type Shape,
  shapeOf,
  shareOf,
  uniqueValues,
} from "./shape.ts";
import type { QuestionSource } from "./source.ts";

export function refinedIntent(previous: CardIntent, parts: QuestionParts, source: QuestionSource): Built {
  if (parts.refusal) return { refusal: parts.refusal };
  const share = parts.asksForPart && parts.isShare ? shareOf(parts, source) : undefined;
  if (share === null) return { refusal: "share" };
  const asked = share ? { ...parts, conditions: share.conditions } : parts;
  const filter = mergedFilter(previous, asked, share?.category?.column);
  if (!filter) return { refusal: "mixedOr" };
  const shape = shapeOf(asked);
  const changed: Shape = share
    ? { ...shape, category: share.category, series: null }
    : nextShape(previous, asked, shape, source);
  const isList = staysList(previous, asked);
  const next = isList ? changed : withShares(changed, asked, filter.conditions, source);
  if (!next) return { refusal: "share" };
  const vizType = isList ? "TABLE" : nextChart(previous, asked, next, source);
  const compared = comparedPeriods(asked, filter.conditions, next);
  if (compared.conditions && filter.combinator === "or") return { refusal: "mixedOr" };
  const ranked = isList ? rowOrder(previous, asked, source) : null;
  if (ranked === undefined) return { refusal: "order" };
  // What limited the rows of a list says nothing of the categories of its chart.
  const isDrawn = wasList(previous) && !isList;
  return checked(
    {
      ...{ source: previous.source, ...next, ...(isList ? { category: null, series: null, values: [] } : {}) },
      ...{ vizType, ...filter },
      columns: isList
        ? listedColumns(previous, asked, ranked?.column.name)
        : cardShapeOf(vizType).kind === "rows" && !isDrawn
          ? previous.columns
          : [],
      top: asked.limit?.top ?? (asked.drops.limit || isDrawn ? null : previous.top),
      order: ranked
        ? { column: ranked.column.name, ascending: ranked.ascending }
        : (orderOf(asked, next) ?? (isDrawn ? null : orderKept(previous, asked))),
      ...compared,
    },
    parts,
    source,
  );
}

/** What the rows of a list are ordered by from now on; null keeps it, undefined is not known. */
function rowOrder(previous: CardIntent, parts: QuestionParts, source: QuestionSource): RowOrder | null | undefined {
  const named = parts.order ?? rankedRows(parts);
  if (named || !parts.limit) return named;
  const isByDate = parts.limit.kind === "newest" || parts.limit.kind === "oldest";
  return isByDate || !previous.order ? impliedOrder(parts, source) : null;
}

/** Shares need something that they are of; a chart without groups gets a choice that is not filtered. */
function withShares(shape: Shape, parts: QuestionParts, conditions: ProposedCondition[], source: QuestionSource) {
  if (shape.category !== null || !(parts.isShare || isOfWhole(parts.chart))) return shape;
  const share = shareOf({ ...parts, isShare: false, asksForPart: false, conditions }, source);
  return share && { ...shape, category: share.category };
}

/** “Top 5” of what was the bottom 5 goes on with the largest. */
const orderKept = ({ order, columns }: CardIntent, { limit }: QuestionParts): CardIntent["order"] =>
  limit?.kind === "largest" && order?.ascending && columns.length === 0 ? null : order;

function nextShape(previous: CardIntent, parts: QuestionParts, shape: Shape, source: QuestionSource): Shape {
  const hasValues = parts.values.length > 0 || parts.listed.some(isNumberColumn) || rankedBy(parts);
  const isSplit =
    parts.isAddition && previous.category !== null && shape.category !== null && shape.category.grain === null;
  const kept = shape.category === null || isSplit ? regrained(previous.category, parts, source) : shape.category;
  const category = categoryOf(parts, { ...shape, category: kept });
  const series = isSplit && shape.category ? { column: shape.category.column } : (shape.series ?? previous.series);
  // A list that becomes a chart counts its rows.
  const before = previous.values.length > 0 ? previous.values : [ROWS];
  const values = parts.aggregate && !hasValues ? reaggregated(before, parts, source) : before;
  return {
    category,
    series: parts.drops.series || (series && series.column === category?.column) ? null : series,
    values: hasValues ? (parts.isAddition ? uniqueValues([...before, ...shape.values]) : shape.values) : values,
  };
}

/** “Top 5 by revenue” says what is measured. */
const rankedBy = ({ limit, groups }: QuestionParts): boolean => limit !== null && groups.some(isNumberColumn);

/** Rows of a table stay rows until something is grouped, measured or drawn. */
const staysList = (previous: CardIntent, parts: QuestionParts): boolean => {
  const { chart, groups, grain, isList, isShare, listed } = parts;
  if (asksForChart(chart)) return false;
  if (isList && (previous.columns.length > 0 || listed.length > 0)) return true;
  const isGrouped = grain !== null || isShare || (groups.length > 0 && rankedRows(parts) === null);
  return wasList(previous) && !isGrouped && parts.values.length === 0;
};

const wasList = ({ values, columns }: CardIntent): boolean => values.length === 0 && columns.length > 0;

function listedColumns(previous: CardIntent, { isAddition, listed }: QuestionParts, ordered: string | undefined) {
  const names = listed.map(({ name }) => name);
  const kept = isAddition || names.length === 0 ? previous.columns : [];
  return [...new Set([...kept, ...names, ...(ordered === undefined ? [] : [ordered])])];
}

function nextChart(previous: CardIntent, parts: QuestionParts, next: Shape, source: QuestionSource) {
  if (parts.chart) return parts.chart;
  const changesKind = isDate(previous.category, source) !== isDate(next.category, source);
  const isReshaped = changesKind || (previous.category === null) !== (next.category === null) || parts.isShare;
  const isSmallest = parts.limit?.kind === "smallest";
  const hasMore = previous.vizType === "METRIC" && next.values.length > 1;
  return isReshaped || wasList(previous) || isSmallest || hasMore ? chartFor(parts, next, source) : previous.vizType;
}

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

/** A new condition takes the place of those on its column; null when some would be joined by “or” and others by “and”. */
function mergedFilter(
  previous: CardIntent,
  { conditions: added, combinator, isAlternative, drops }: QuestionParts,
  shared: string | undefined,
): Pick<CardIntent, "conditions" | "combinator"> | null {
  const isDropped = ({ column }: ProposedCondition): boolean =>
    drops.filters === "all" || drops.filters.includes(column) || column === shared;
  const isReplaced = ({ column }: ProposedCondition): boolean =>
    !isAlternative && added.some((one) => one.column === column);
  const kept = previous.conditions.filter((one) => !isDropped(one) && !isReplaced(one));
  const joints = new Set([
    ...(kept.length > 1 ? [previous.combinator] : []),
    ...(added.length > 1 ? [combinator] : []),
    ...(kept.length > 0 && added.length > 0 ? [isAlternative ? ("or" as const) : ("and" as const)] : []),
  ]);
  const [joint = "and"] = joints;
  return joints.size > 1 ? null : { conditions: [...kept, ...added], combinator: joint };
}
