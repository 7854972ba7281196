/** What a question says when it is asked of one source: its clauses, and how much of it was understood. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import { MAX_TOP, type VizType } from "@accord/contracts/insights/cards";
import {
  type Aggregate,
  type DatasetColumn,
  type DateGrain,
  ROW_COUNT,
} from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../column-types.ts";
import * as clauses from "./clauses.ts";
import { combinatorOf, isAlternative } from "./conditions/combinator.ts";
import { hasComparison, takeComparisons } from "./conditions/comparisons.ts";
import { takeConditions } from "./conditions/conditions.ts";
import { hasNegation, NEGATION } from "./negation.ts";
import { COLUMN, CONDITION, QuestionText, TAKEN } from "./question-text.ts";
import type { RefusalCode } from "./refusals.ts";
import type { QuestionSource } from "./source.ts";

export interface QuestionParts {
  chart: VizType | null;
  isList: boolean;
  isShare: boolean;
  /** Whether the share of one value is asked for: “what percentage is active?” */
  asksForPart: boolean;
  limit: clauses.Limit | null;
  order: { column: DatasetColumn; ascending: boolean } | null;
  /** How dates are cut: asked for, or by a comparison of periods. */
  grain: DateGrain | null;
  isComparison: boolean;
  conditions: ProposedCondition[];
  combinator: "and" | "or";
  /** Whether the conditions come instead of those that there are: “or status is Closed”. */
  isAlternative: boolean;
  values: CardIntent["values"];
  /** Columns to group by; dates among them. */
  groups: DatasetColumn[];
  /** Columns that are named without a clause of their own. */
  listed: DatasetColumn[];
  date: DatasetColumn | undefined;
  /** What the newest records are found by. */
  recordDate: DatasetColumn | undefined;
  /** `YYYY-MM-DD` where the question is asked. */
  today: string;
  /** An aggregate without a column, for what is shown already. */
  aggregate: Aggregate | null;
  /** Whether groups and values come in addition to what is shown already. */
  isAddition: boolean;
  drops: Drops;
  ignored: string[];
  /** Why no answer would be right. */
  refusal: RefusalCode | null;
  score: number;
}

interface Drops {
  /** All filters, or those of these columns. */
  filters: "all" | readonly string[];
  limit: boolean;
  series: boolean;
}

/** Negations are among them: one that is left over is refused, and is nothing to list as ignored. */
const FILLER = new Set(
  "a about all also am an and any are as at be been by can card chart could data did display do does draw each find for from get give graph had has have how i in instead into is it its just let like list look make many me much my need new number of on one only or our overall per put report see show shown split that the their them then there these they this those to too total up use using value values view visualise visualize want was we were what when where which who with would you your every across between compare compared plus over trend so far but yet those ones either current currently please whose not without no".split(
    " ",
  ),
);

const AGGREGATE_ALONE: readonly [RegExp, Aggregate][] = [
  [/\b(?:average|avg|mean)\b/iu, "avg"],
  [/\bmedian\b/iu, "median"],
  [/\b(?:maximum|max)\b/iu, "max"],
  [/\b(?:minimum|min)\b/iu, "min"],
  [/\bsum\b/iu, "sum"],
];

export function readQuestion(question: string, source: QuestionSource, today: string): QuestionParts {
  const text = new QuestionText(question, source);
  const hasRecords = text.text.includes("§");
  const isList = /^\s*(?:please\s+)?(?:list|(?:show|give)\s+(?:me\s+)?(?:all|a list|the list)|table of|all)\b/i.test(
    text.text,
  );
  const isAddition = /^\s*(?:and|also|plus|add|additionally)\b|\b(?:split|broken down|also|as well|too)\b/i.test(
    text.text,
  );
  const asksForPart = clauses.asksForPart(text);
  const drops = takeDrops(text);
  const date = dateOf(text, source);
  const chart = clauses.takeChart(text);
  const comparison = clauses.takeComparison(text);
  // “At least 100 employees” is a comparison, “at most 5 countries” a limit.
  const compared = takeComparisons(text);
  const limit = clauses.takeLimit(text);
  const order = clauses.takeOrder(text);
  const superlative = clauses.takeSuperlative(text);
  const filters = [...compared, ...takeConditions(text, { source, date, today })];
  const grain = comparison ?? clauses.takeGrain(text);
  const isShare = clauses.takeShare(text);
  const values = clauses.takeValues(text);
  const groups = clauses.takeGroups(text);
  const conditions = [...filters, ...takeBooleans(text, isList)];
  const listed = text.unplaced();
  const aggregate = AGGREGATE_ALONE.find(([pattern]) => text.takeFirst(pattern))?.[1] ?? null;
  const ignored = text.left().filter((word) => !FILLER.has(word.toLowerCase()));
  const chosenBy = superlative ? [superlativeValue(superlative)] : [];
  const kind = superlative?.isSmallest ? "smallest" : "largest";
  return {
    ...{ chart, isList, isShare, asksForPart, order, grain, groups, listed, date, today, aggregate, isAddition, drops },
    ...{ ignored, conditions, isComparison: comparison !== null, recordDate: recordDateOf(text, source) },
    combinator: combinatorOf(text.text, conditions.length) ?? "and",
    isAlternative: isAlternative(text.text),
    limit: limit ?? (superlative ? { top: 10, kind, isOfRecords: false } : null),
    values: [...values, ...chosenBy],
    refusal: refusalOf(text, conditions.length, limit),
    score: (hasRecords ? 4 : 0) + new Set(text.mentions).size * 2 - ignored.length * 1.5,
  };
}

/** What is left of a question would turn its answer round. */
function refusalOf({ text }: QuestionText, conditions: number, limit: clauses.Limit | null): RefusalCode | null {
  if (hasNegation(text)) return "negation";
  if (hasComparison(text)) return "comparison";
  if (combinatorOf(text, conditions) === null) return "mixedOr";
  return limit && (limit.top < 1 || limit.top > MAX_TOP) ? "limit" : null;
}

/** Columns that are true or not, where they are no columns of a list: “active accounts”, “which are not active”. */
function takeBooleans(text: QuestionText, isList: boolean): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  const pattern = `(?:(?<![\\p{L}\\d])(${NEGATION})\\s+(?:(?:an?|the|be|been)\\s+)?)?${COLUMN}`;
  text.takeEach(new RegExp(pattern, "iu"), ([, not, mark]) => {
    const column = text.peek(mark);
    if (column?.dataType !== "boolean" || (isList && !not)) return null;
    text.column(mark);
    conditions.push({ column: column.name, operator: not ? "isFalse" : "isTrue", values: [] });
    return CONDITION;
  });
  return conditions;
}

const ROWS = { column: ROW_COUNT, aggregate: null };

const superlativeValue = ({ column, aggregate }: clauses.Superlative): CardIntent["values"][number] => {
  if (!column) return ROWS;
  return aggregate ? { column: column.name, aggregate } : valueOf(column);
};

function takeDrops(text: QuestionText): Drops {
  const drop = "\\b(?:remove|drop|clear|delete|without|no)\\s+(?:the\\s+|any\\s+|all\\s+)?";
  const filters = "(?:filters?|conditions?)";
  const columns: string[] = [];
  const one = `${drop}(?:${COLUMN}\\s+${filters}|${filters}\\s+(?:on|for|of|by)\\s+(?:the\\s+)?${COLUMN})`;
  text.takeEach(new RegExp(one, "iu"), ([, before, after]) => {
    columns.push(text.column(before ?? after)?.name ?? "");
    return TAKEN;
  });
  const isAll = text.takeFirst(new RegExp(`${drop}${filters}\\b`, "iu")) !== null;
  return {
    filters: isAll ? "all" : columns,
    limit: text.takeFirst(new RegExp(`${drop}limit\\b|\\ball of them\\b`, "iu")) !== null,
    series: text.takeFirst(new RegExp(`${drop}(?:split|series|second dimension)\\b`, "iu")) !== null,
  };
}

/** The date that periods are about: one that is named, else the first of the source's own, else when records were made. */
function dateOf(text: QuestionText, { columns }: QuestionSource): DatasetColumn | undefined {
  const named = text.mentions.find(isDateColumn);
  if (named) return named;
  const dates = columns.filter(isDateColumn);
  return dates.find(({ name }) => !name.startsWith("accord_")) ?? dates[0];
}

/** One that is named, else when records were made, else the first. */
function recordDateOf(text: QuestionText, { columns }: QuestionSource): DatasetColumn | undefined {
  const dates = columns.filter(isDateColumn);
  return text.mentions.find(isDateColumn) ?? dates.find(({ name }) => name === "accord_created_at") ?? dates[0];
}

/** Numbers that add up to nothing that means something are averaged. */
const AVERAGED = /\b(?:rate|ratio|percent|percentage|score|probability|age|price|delay|duration|rating|temperature)\b/i;

export function valueOf(column: DatasetColumn): CardIntent["values"][number] {
  const isAveraged = AVERAGED.test(column.displayName);
  return { column: column.name, aggregate: isNumberColumn(column) ? (isAveraged ? "avg" : "sum") : "countDistinct" };
}
