/** From the clauses of a question to what it asks for by itself. */
import { CardIntent } from "@accord/contracts/insights/card-assistant";
import { cardShapeOf } from "@accord/contracts/insights/card-configuration";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { CARD_DEFINITIONS } from "../card-list.ts";
import { isNumberColumn } from "../column-types.ts";
import type { QuestionParts } from "./read-question.ts";
import type { RefusalCode } from "./refusals.ts";
import { settledIntent } from "./settle-intent.ts";
import { chartFor, comparedPeriods, equalitiesIn, isDate, orderOf, type Shape, shapeOf, shareOf } from "./shape.ts";
import type { QuestionSource } from "./source.ts";

export type Built = { intent: CardIntent; refusal?: undefined } | { refusal: RefusalCode; intent?: undefined };

export interface RowOrder {
  column: DatasetColumn;
  ascending: boolean;
}

/** Rows of a list without columns of its own. */
const TABLE_COLUMNS = 8;

export function intentOf(parts: QuestionParts, source: QuestionSource): Built {
  if (parts.refusal) return { refusal: parts.refusal };
  if (isPlainList(parts)) return listOf(parts, source);
  const asked = shapeOf(parts);
  const needsShare = asked.category === null && (parts.isShare || isOfWhole(parts.chart));
  // “What percentage is active by country?” is a share within each of them, which no card shows.
  if (parts.asksForPart && parts.isShare && !needsShare && equalitiesIn(parts.conditions, source).length > 0)
    return { refusal: "share" };
  const share = needsShare ? shareOf(parts, source) : null;
  if (needsShare && !share) return { refusal: "share" };
  const shape: Shape = { ...asked, category: share?.category ?? categoryOf(parts, asked) };
  const conditions = share?.conditions ?? parts.conditions;
  const compared = comparedPeriods(parts, conditions, shape);
  if (compared.conditions && parts.combinator === "or") return { refusal: "mixedOr" };
  return checked(
    {
      ...{ source: source.source, vizType: chartFor(parts, shape, source), ...shape },
      columns: [],
      combinator: parts.combinator,
      conditions,
      top: parts.limit?.top ?? null,
      order: orderOf(parts, shape),
      ...compared,
    },
    parts,
    source,
  );
}

/** A line without anything to group by goes over time. */
export const categoryOf = ({ chart, date }: QuestionParts, { category }: Shape): Shape["category"] =>
  category ?? (chart === "LINE" && date ? { column: date.name, grain: "month" } : null);

/** Whether a chart is asked for that does not show rows. */
export const asksForChart = (chart: QuestionParts["chart"]): boolean =>
  chart !== null && cardShapeOf(chart).kind !== "rows";

export const isOfWhole = (chart: QuestionParts["chart"]): boolean =>
  chart !== null && (CARD_DEFINITIONS[chart].isOfWhole ?? false);

/** Rows as they are: asked for as a list, as a table without groups, or as the largest or newest of them. */
function isPlainList(parts: QuestionParts): boolean {
  const { values, grain, chart, groups, isList, limit, order } = parts;
  if (values.length > 0 || grain !== null || asksForChart(chart)) return false;
  if (rankedRows(parts)) return true;
  if (groups.length > 0) return false;
  return chart !== null || isList || (limit !== null && (order !== null || limit.isOfRecords));
}

/** “5 largest opportunities by amount”: no categories, but the rows themselves. */
export function rankedRows({ chart, limit, groups, listed, order }: QuestionParts): QuestionParts["order"] {
  const [by] = groups;
  if (asksForChart(chart)) return null;
  if (!limit || order || !by || !groups.every(isNumberColumn)) return null;
  if (!limit.isOfRecords && listed.some((column) => !isNumberColumn(column))) return null;
  return { column: by, ascending: limit.kind === "smallest" };
}

function listOf(parts: QuestionParts, source: QuestionSource): Built {
  const ranked = rankedRows(parts);
  const order = parts.order ?? ranked ?? impliedOrder(parts, source);
  if (order === undefined) return { refusal: "order" };
  const usual = source.columns.filter(({ name }) => !name.startsWith("accord_")).slice(0, ranked ? 1 : TABLE_COLUMNS);
  const named = parts.listed.length > 0 ? parts.listed : usual;
  const ordered = order && !named.includes(order.column) ? [...named, order.column] : named;
  return checked(
    {
      ...{ source: source.source, vizType: "TABLE", category: null, series: null, values: [] },
      columns: [...new Set(ordered.map(({ name }) => name))],
      combinator: parts.combinator,
      conditions: parts.conditions,
      top: parts.limit?.top ?? null,
      order: order && { column: order.column.name, ascending: order.ascending },
    },
    parts,
    source,
  );
}

/** “The latest 5 accounts”, “5 largest accounts”: by their date, or by their first number. Undefined where there is none. */
export function impliedOrder(
  { limit, listed, recordDate }: QuestionParts,
  { columns }: QuestionSource,
): RowOrder | null | undefined {
  if (!limit || limit.kind === "first") return null;
  const isByDate = limit.kind === "newest" || limit.kind === "oldest";
  const column = isByDate ? recordDate : (listed.find(isNumberColumn) ?? columns.find(isNumberColumn));
  return column && { column, ascending: limit.kind === "oldest" || limit.kind === "smallest" };
}

/** What would be drawn otherwise than it was asked for is refused; the rest gets the form of its card. */
export function checked(intent: CardIntent, parts: QuestionParts, source: QuestionSource): Built {
  const { data } = CardIntent.safeParse(settledIntent(intent, source.columns));
  const refusal = misdrawn(intent, parts, source);
  if (refusal) return { refusal };
  return data ? { intent: data } : { refusal: "tooMuch" };
}

function misdrawn(intent: CardIntent, { aggregate, limit }: QuestionParts, source: QuestionSource): RefusalCode | null {
  const { vizType, category, values, top, order } = intent;
  const { kind } = cardShapeOf(vizType);
  const hasAggregate = aggregate === "sum" || values.some((value) => value.aggregate === aggregate);
  if (aggregate && !hasAggregate) return "averageOfRows";
  if (kind === "rows") return null;
  if (kind === "number" ? limit !== null : category === null) return "chartCategory";
  // Charts draw the newest dates, and of everything else the largest.
  if (top !== null && (order?.ascending || limit?.kind === "oldest")) return "smallest";
  return limit?.kind === "newest" && !isDate(category, source) ? "order" : null;
}
