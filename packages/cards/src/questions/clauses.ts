/** Clauses of a question beside its conditions: chart, number of categories, order, grain, aggregates and what to group by. */
import type { CardIntent } from "@accord/contracts/insights/card-assistant";
import type { VizType } from "@accord/contracts/insights/cards";
import {
  type Aggregate,
  type DatasetColumn,
  type DateGrain,
  ROW_COUNT,
} from "@accord/contracts/insights/dataset-config";
import { CARD_DEFINITIONS } from "../card-list.ts";
import { isDateColumn, isNumberColumn } from "../column-types.ts";
import { unitNamed } from "./conditions/periods.ts";
import { COLUMN, type QuestionText, TAKEN } from "./question-text.ts";
import { COUNT, numberOf } from "./values.ts";

type ProposedValue = CardIntent["values"][number];

/** The chart that is named. */
export function takeChart(text: QuestionText): VizType | null {
  for (const { type, askedAs: words } of Object.values(CARD_DEFINITIONS)) {
    const named = `\\b(?:as|in|make it|show it as|turn (?:it|this) into|into)\\s+(?:an?\\s+)?(?:${words})s?(?:\\s+(?:chart|graph|card))?\\b`;
    const noun = `\\b(?:${words})\\s+(?:chart|graph|card)\\b(?:\\s+(?:of|for|with|showing))?`;
    const leading = `^\\s*(?:show\\s+|draw\\s+|make\\s+|give\\s+me\\s+)?(?:me\\s+)?(?:an?\\s+|the\\s+)?(?:${words})s?\\s+(?:of|with|showing|for)\\b`;
    if (text.takeFirst(new RegExp(`${named}|${noun}|${leading}`, "iu"))) return type;
  }
  return null;
}

const NEWEST = "newest|latest|(?:most\\s+)?recent";
const OLDEST = "oldest|earliest";
const LARGEST = "largest|biggest|highest|(?<!\\bat\\s+)most|best|busiest|longest|top";
const SMALLEST = "smallest|lowest|(?<!\\bat\\s+)least|fewest|worst|shortest|bottom";

export interface Limit {
  top: number;
  /** By what they are chosen; `first` says nothing of it. */
  kind: "largest" | "smallest" | "newest" | "oldest" | "first";
  /** Whether rows are limited, not categories: “the latest 5 accounts”. */
  isOfRecords: boolean;
}

/** How many categories, points or rows are asked for, and which of them. Comparisons of numbers are taken before. */
export function takeLimit(text: QuestionText): Limit | null {
  const size = `(?:${NEWEST}|${OLDEST}|${LARGEST}|first|${SMALLEST})`;
  const noPeriod = "(?!\\s*(?:day|week|month|quarter|year|hour|minute)s?\\b)";
  const count = `(?<count>${COUNT})\\b${noPeriod}`;
  const atMost =
    "(?:limit(?:ed)?\\s+(?:it\\s+)?to|at\\s+most|only|just|max(?:imum)?(?:\\s+of)?|up\\s+to|(?:no|not)\\s+more\\s+than)";
  // “Only 2024” is a period.
  const patterns = [
    `\\b(?<size>${size}|last)\\s+${count}`,
    `\\b${count}\\s+(?<size>${size})\\b${noPeriod}`,
    `\\b${atMost}\\s+(?!(?:19|20)\\d{2}\\b)${count}`,
  ];
  for (const pattern of patterns) {
    const match = new RegExp(pattern, "iu").exec(text.text);
    const top = match && numberOf(match.groups?.["count"] ?? "");
    if (!match || top === null) continue;
    const end = match.index + match[0].length;
    const isOfRecords = /^[^⟨§¦]*§/.test(text.text.slice(end));
    text.replace(match.index, end, TAKEN);
    return { top, kind: kindOf(match.groups?.["size"]), isOfRecords };
  }
  const alone = text.takeFirst(/(?<![⟩\p{L}]\s*)\b(top|bottom)\s+(?=⟨)/iu);
  return alone ? { top: 10, kind: kindOf(alone[1]), isOfRecords: false } : null;
}

const isOneOf = (word: string, words: string): boolean => new RegExp(`^(?:${words})$`, "i").test(word);

function kindOf(word = "first"): Limit["kind"] {
  if (isOneOf(word, `${NEWEST}|last`)) return "newest";
  if (isOneOf(word, OLDEST)) return "oldest";
  if (isOneOf(word, SMALLEST)) return "smallest";
  return isOneOf(word, LARGEST) ? "largest" : "first";
}

const isSmall = (word: string | undefined): boolean => kindOf(word) === "smallest";

export interface Superlative {
  /** Null: the rows are counted. */
  column: DatasetColumn | null;
  aggregate: Aggregate | null;
  isSmallest: boolean;
}

/** “with the highest average revenue”, “has the most flights”: what the largest categories are chosen by. */
export function takeSuperlative(text: QuestionText): Superlative | null {
  const words = `(?:with|has|have|having|by|get|gets)\\s+(?:the\\s+)?(${LARGEST}|${SMALLEST})\\s+`;
  const counted = text.takeFirst(new RegExp(`\\b${words}(?:number of\\s+)?(?:§|records?|rows?)`, "iu"));
  if (counted) return { column: null, aggregate: null, isSmallest: isSmall(counted[1]) };
  const pattern = new RegExp(`\\b${words}(?:(average|avg|mean|median|total)\\s+)?${COLUMN}`, "iu");
  const match = pattern.exec(text.text);
  const column = text.peek(match?.[3]);
  if (!match || !column || !isNumberColumn(column)) return null;
  text.takeFirst(pattern);
  text.column(match[3]);
  const aggregate = AGGREGATES.find(([all]) => new RegExp(`^(?:${all})$`, "i").test(match[2] ?? ""))?.[1] ?? null;
  return { column, aggregate, isSmallest: isSmall(match[1]) };
}

/** “sorted by amount, largest first”. */
export function takeOrder(text: QuestionText): { column: DatasetColumn; ascending: boolean } | null {
  const match = text.takeFirst(
    new RegExp(
      `\\b(?:sort(?:ed)?|order(?:ed)?)\\s+by\\s+(?:the\\s+)?${COLUMN}[\\s,]*(ascending|descending|asc\\b|desc\\b|(?:largest|biggest|highest|newest|latest)\\s+first|(?:smallest|lowest|oldest)\\s+first)?`,
      "iu",
    ),
  );
  const column = text.column(match?.[1]);
  return match && column ? { column, ascending: /^(asc|smallest|lowest|oldest)/i.test(match[2] ?? "asc") } : null;
}

const GRAIN_WORDS: Readonly<Record<string, DateGrain>> = {
  ...{ daily: "day", weekly: "week", monthly: "month", quarterly: "quarter", yearly: "year", annually: "year" },
};

/** How dates are cut, where the question says. */
export function takeGrain(text: QuestionText): DateGrain | null {
  const match = text.takeFirst(
    /\b(?:by|per|each|every|a|and)\s+(day|week|month|quarter|year)s?\b(?:\s+of\b)?|\b(daily|weekly|monthly|quarterly|yearly|annually)\b|\b(over time|as a trend|trend|development|evolution)(?:\s+of\b)?/iu,
  );
  if (!match) return null;
  const word = (match[1] ?? match[2] ?? "month").toLowerCase();
  return match[3] ? "month" : (GRAIN_WORDS[word] ?? unitNamed(word));
}

/** A comparison of a period with the one before it; the grain of the periods. */
export function takeComparison(text: QuestionText): DateGrain | null {
  const previous = "(?:the\\s+)?(?:previous|prior|last|preceding)\\s+(day|week|month|quarter|year|period)";
  const match =
    text.takeFirst(/\b(day|week|month|quarter|year)[\s-]+(?:over|on)[\s-]+\1\b/iu) ??
    text.takeFirst(
      new RegExp(
        `\\b(?:this\\s+\\w+\\s+)?(?:compared?\\s+(?:with|to|against)|vs\\.?|versus|against)\\s+${previous}`,
        "iu",
      ),
    ) ??
    (/\bcompare\b/i.test(text.text) ? text.takeFirst(new RegExp(`\\b(?:with|to|and)\\s+${previous}`, "iu")) : null);
  if (!match) return null;
  text.take(/\bcompare\b|\bthis\s+(?:day|week|month|quarter|year)(?:'s)?\b/giu);
  return unitNamed(match[1]) ?? "month";
}

export const takeShare = (text: QuestionText): boolean =>
  text.take(
    /(?:\b(?:share|percent(?:age)?|proportion|fraction|breakdown|distribution|split|composition)|%)\s+(?:of|between)\b|\b(?:share|breakdown|distribution)\b/giu,
  ).length > 0;

/** “What percentage of accounts are active?”: the share of one value, not of each. */
export const asksForPart = (text: QuestionText): boolean =>
  /(?:\b(?:share|percent(?:age)?|proportion|fraction)|%)\s+of\s+(?:(?!\b(?:where|whose|with|which|that|who|by|per|if|when|for)\b)[^¦])*?\b(?:are|is|were|was|have|has|had|do|does)\b/iu.test(
    text.text,
  );

const AGGREGATES: readonly [words: string, aggregate: Aggregate][] = [
  ["average|avg|mean|typical", "avg"],
  ["median", "median"],
  ["(?:standard deviation|stddev)(?: of)?", "stddev"],
  ["(?:90th percentile|p90)(?: of)?", "percentile90"],
  ["total|sum of|sum|overall|combined", "sum"],
  ["maximum|max|highest|largest|biggest|longest|latest|greatest", "max"],
  ["minimum|min|lowest|smallest|shortest|earliest", "min"],
];

/** Aggregates with their columns, counts of rows and of different values. */
export function takeValues(text: QuestionText): ProposedValue[] {
  const found: { at: number; value: ProposedValue }[] = [];
  const each = (pattern: string, aggregateOf: (column: DatasetColumn) => Aggregate | null): void => {
    for (const match of text.text.matchAll(new RegExp(pattern, "giu"))) {
      const column = text.peek(match[1]);
      const aggregate = column && aggregateOf(column);
      if (!column || !aggregate) continue;
      text.column(match[1]);
      found.push({ at: match.index, value: { column: column.name, aggregate } });
      text.takeFirst(new RegExp(match[0].replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u"));
    }
  };
  each(`\\b(?:number of|count of|how many)?\\s*(?:distinct|different|unique)\\s+${COLUMN}`, () => "countDistinct");
  for (const [words, aggregate] of AGGREGATES)
    each(`\\b(?:${words})\\s+(?:of\\s+)?(?:the\\s+)?(?:number of\\s+)?${COLUMN}`, (column) =>
      isNumberColumn(column) || ((aggregate === "min" || aggregate === "max") && isDateColumn(column))
        ? aggregate
        : null,
    );
  each(`\\b(?:number of|count of|how many)\\s+${COLUMN}`, (column) =>
    isNumberColumn(column) ? "sum" : isDateColumn(column) ? null : "countDistinct",
  );
  const rows = text.takeFirst(
    /\b(?:number of|count of|count|how many|amount of|#\s*of)\s+(?:the\s+)?(?:new\s+)?(?:all\s+)?(?:§|records?|rows?)|\b(?:how many|count)\b/iu,
  );
  if (rows) found.push({ at: rows.index, value: { column: ROW_COUNT, aggregate: null } });
  return found.toSorted((one, other) => one.at - other.at).map(({ value }) => value);
}

/** Columns to group by, in order, and whether a second one was asked for as a split. */
export function takeGroups(text: QuestionText): DatasetColumn[] {
  const found: DatasetColumn[] = [];
  const by = "(?:split by|broken down by|grouped by|group by|by|per|for each|in each|for every|across|each|among)";
  const pattern = new RegExp(
    `\\b${by}\\s+(?:the\\s+)?${COLUMN}((?:\\s*(?:,|\\band\\b|\\bthen\\b)?\\s*(?:${by}\\s+)?(?:the\\s+)?⟨\\d+⟩)*)|\\b(?:which|what)\\s+${COLUMN}`,
    "giu",
  );
  for (const match of text.text.matchAll(pattern)) {
    const marks = [match[1] ?? match[3], ...[...(match[2] ?? "").matchAll(/⟨(\d+)⟩/g)].map(([, mark]) => mark)];
    for (const mark of marks) {
      const column = text.column(mark);
      if (column) found.push(column);
    }
  }
  text.take(pattern);
  return found;
}
