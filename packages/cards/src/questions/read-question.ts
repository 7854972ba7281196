/** What a question says when it is asked of one source: its clauses, and how much of it was understood. */
import type { CardIntent, ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { VizType } from "@accord/contracts/insights/cards";
import {
  type Aggregate,
  type DatasetColumn,
  type DateGrain,
  ROW_COUNT,
} from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../definition.ts";
import * as clauses from "./clauses.ts";
import { takeConditions } from "./conditions.ts";
import { QuestionText } from "./question-text.ts";
import type { QuestionSource } from "./source.ts";

export interface QuestionParts {
  chart: VizType | null;
  isList: boolean;
  isShare: boolean;
  limit: clauses.Limit | null;
  order: { column: DatasetColumn; ascending: boolean } | null;
  /** How dates are cut: asked for, or by a comparison of periods. */
  grain: DateGrain | null;
  isComparison: boolean;
  conditions: ProposedCondition[];
  values: CardIntent["values"];
  /** Columns to group by; dates among them. */
  groups: DatasetColumn[];
  /** Columns that are named without a clause of their own. */
  listed: DatasetColumn[];
  date: DatasetColumn | undefined;
  /** An aggregate without a column, for what is shown already. */
  aggregate: Aggregate | null;
  /** Whether groups and values come in addition to what is shown already. */
  isAddition: boolean;
  drops: { filter: boolean; limit: boolean; series: boolean };
  ignored: string[];
  score: number;
}

const FILLER = new Set(
  "a about all also am an and any are as at be been by can card chart could data did display do does draw each find for from get give graph had has have how i in instead into is it its just let like list look make many me much my need new number of on one only or our overall per please put report see show shown split that the their them then there these they this those to too total up use using value values view visualise visualize want was we were what when where which who with without would you your every across between compare compared plus over trend so far".split(
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

export function readQuestion(question: string, source: QuestionSource): QuestionParts {
  const text = new QuestionText(question, source);
  const hasRecords = text.text.includes("§");
  const isList = /^\s*(?:please\s+)?(?:list|(?:show|give)\s+(?:me\s+)?(?:all|a list|the list)|table of|all)\b/i.test(
    text.text,
  );
  const isAddition = /^\s*(?:and|also|plus|add|additionally)\b|\b(?:split|broken down|also|as well|too)\b/i.test(
    text.text,
  );
  const drops = takeDrops(text);
  const date = dateOf(text, source);
  const chart = clauses.takeChart(text);
  const comparison = clauses.takeComparison(text);
  const limit = clauses.takeLimit(text);
  const order = clauses.takeOrder(text);
  const superlative = clauses.takeSuperlative(text);
  const conditions = takeConditions(text, source, date);
  const grain = comparison ?? clauses.takeGrain(text);
  const isShare = clauses.takeShare(text);
  const values = clauses.takeValues(text);
  const groups = clauses.takeGroups(text);
  const rest = text.unplaced();
  const booleans = rest.filter(({ dataType }) => dataType === "boolean");
  const isNegated = /\b(?:not|non|inactive)\b/i.test(text.text);
  const aggregate = AGGREGATE_ALONE.find(([pattern]) => text.takeFirst(pattern))?.[1] ?? null;
  const ignored = text.left().filter((word) => !FILLER.has(word.toLowerCase()));
  const chosenBy = superlative ? [superlativeValue(superlative)] : [];
  return {
    ...{ chart, isList, isShare, order, grain, groups, date, aggregate, isAddition, drops, ignored },
    isComparison: comparison !== null,
    limit: limit ?? (superlative ? { top: 10, isSmallest: superlative.isSmallest } : null),
    conditions: isList
      ? conditions
      : [
          ...conditions,
          ...booleans.map(({ name }) => ({
            ...{ column: name, operator: isNegated ? ("isFalse" as const) : ("isTrue" as const), values: [] },
          })),
        ],
    values: [...values, ...chosenBy],
    listed: isList ? rest : rest.filter(({ dataType }) => dataType !== "boolean"),
    score: (hasRecords ? 4 : 0) + new Set(text.mentions).size * 2 - ignored.length * 1.5,
  };
}

const ROWS = { column: ROW_COUNT, aggregate: null };

const superlativeValue = ({ column, aggregate }: clauses.Superlative): CardIntent["values"][number] => {
  if (!column) return ROWS;
  return aggregate ? { column: column.name, aggregate } : valueOf(column);
};

function takeDrops(text: QuestionText): QuestionParts["drops"] {
  const drop = "(?:remove|drop|clear|without|no)\\s+(?:the\\s+|any\\s+|all\\s+)?";
  return {
    filter: text.takeFirst(new RegExp(`\\b${drop}(?:filters?|conditions?)\\b`, "iu")) !== null,
    limit: text.takeFirst(new RegExp(`\\b${drop}limit\\b|\\ball of them\\b`, "iu")) !== null,
    series: text.takeFirst(new RegExp(`\\b${drop}(?:split|series|second dimension)\\b`, "iu")) !== null,
  };
}

/** The date that periods are about: one that is named, else the first of the source's own, else when records were made. */
function dateOf(text: QuestionText, { columns }: QuestionSource): DatasetColumn | undefined {
  const named = text.mentions.find(isDateColumn);
  if (named) return named;
  const dates = columns.filter(isDateColumn);
  return dates.find(({ name }) => !name.startsWith("accord_")) ?? dates[0];
}

/** Numbers that add up to nothing that means something are averaged. */
const AVERAGED = /\b(?:rate|ratio|percent|percentage|score|probability|age|price|delay|duration|rating|temperature)\b/i;

export function valueOf(column: DatasetColumn): CardIntent["values"][number] {
  const isAveraged = AVERAGED.test(column.displayName);
  return { column: column.name, aggregate: isNumberColumn(column) ? (isAveraged ? "avg" : "sum") : "countDistinct" };
}
