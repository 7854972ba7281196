/** Conditions of a question: periods, comparisons, equalities, blanks, and options that are named without their column. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { isDateColumn, isNumberColumn } from "../definition.ts";
import { COLUMN, type QuestionText } from "./question-text.ts";
import type { QuestionSource } from "./source.ts";
import { DAY, daysOf, knownValues, NUMBER, numberOf, valueFor } from "./values.ts";

type Operator = ProposedCondition["operator"];

const LEAD =
  "(?:\\b(?:where|with|whose|when|that|which|having|have|has|only|for|and|but|in|if)\\s+)*(?:the\\s+|a\\s+|an\\s+)?";
const IS = "(?:is|are|was|were|be|of|=|:)?\\s*";
const STOP =
  "and|or|by|per|in|for|with|where|over|since|before|after|between|top|as|split|grouped|sorted|ordered|from|to|on|compared|vs|versus|each|only|but";
const ATOM = `(?:⟦\\d+⟧|(?!(?:${STOP})\\b)[^\\s⟨⟩⟦⟧,;¦§]+(?:[ \\t]+(?!(?:${STOP})\\b)[^\\s⟨⟩⟦⟧,;¦§]+)*)`;
const LIST = `${ATOM}(?:\\s*(?:,\\s*(?:or\\s+|and\\s+)?|\\bor\\s+|\\band\\s+)(?!⟨)${ATOM})*`;

const COMPARISONS: readonly [words: string, operator: Operator][] = [
  [">=|at least|no less than|not less than", "greaterOrEqual"],
  ["<=|at most|no more than|up to|not more than", "lessOrEqual"],
  [">|above|over|more than|greater than|larger than|higher than|longer than|exceed(?:s|ing)?", "greater"],
  ["<|below|under|less than|fewer than|smaller than|lower than|shorter than", "less"],
];

/** Takes the conditions out of the text. `date`: what periods without a column are about. */
export function takeConditions(text: QuestionText, source: QuestionSource, date: DatasetColumn | undefined) {
  return [
    ...takeComparisons(text),
    ...takeBlanks(text),
    ...takeTextMatches(text),
    ...takeEqualities(text, source),
    ...takePeriods(text, date),
    ...takeKnownValues(text, source),
  ];
}

const condition = (column: DatasetColumn, operator: Operator, values: ProposedCondition["values"] = []) => ({
  ...{ column: column.name, operator, values },
});

function takeBlanks(text: QuestionText): ProposedCondition[] {
  const blank = "(?:empty|blank|missing|unknown|not set|unset|null)";
  const patterns: readonly [RegExp, Operator][] = [
    [new RegExp(`${LEAD}${COLUMN}\\s+(?:is|are)\\s+(?:not\\s+${blank}|set|known|filled)`, "giu"), "isNotBlank"],
    [new RegExp(`${LEAD}${COLUMN}\\s+(?:is|are)\\s+${blank}`, "giu"), "isBlank"],
    [new RegExp(`\\b(?:without|with no|having no|missing)\\s+(?:an?\\s+|any\\s+)?${COLUMN}`, "giu"), "isBlank"],
    [new RegExp(`\\b(?:with|having)\\s+(?:an|a|any)\\s+${COLUMN}`, "giu"), "isNotBlank"],
  ];
  return patterns.flatMap(([pattern, operator]) =>
    text.take(pattern).flatMap((match) => {
      const column = text.column(match[1]);
      return column ? [condition(column, operator)] : [];
    }),
  );
}

function takeComparisons(text: QuestionText): ProposedCondition[] {
  const found: ProposedCondition[] = [];
  const add = (mark: string | undefined, operator: Operator, ...written: (string | undefined)[]): void => {
    const column = text.column(mark);
    const values = written.map((one) => numberOf(one ?? ""));
    if (column)
      found.push(
        condition(
          column,
          operator,
          values.flatMap((value) => (value === null ? [] : [value])),
        ),
      );
  };
  const isNumber = (mark: string | undefined): boolean => {
    const column = text.peek(mark);
    return column !== undefined && isNumberColumn(column);
  };
  const takeIf = (pattern: RegExp, mark: number, apply: (match: RegExpExecArray) => void): void => {
    for (let match = pattern.exec(text.text); match; match = pattern.exec(text.text)) {
      if (!isNumber(match[mark])) return;
      text.takeWith(pattern, text.peek(match[mark]));
      apply(match);
    }
  };
  takeIf(
    new RegExp(`${LEAD}${COLUMN}\\s+${IS}between\\s+(${NUMBER})\\s*(?:and|to|-)\\s*(${NUMBER})`, "iu"),
    1,
    (match) => add(match[1], "between", match[2], match[3]),
  );
  for (const [words, operator] of COMPARISONS) {
    takeIf(new RegExp(`${LEAD}${COLUMN}\\s*${IS}(?:${words})\\s*(${NUMBER})`, "iu"), 1, (match) =>
      add(match[1], operator, match[2]),
    );
    takeIf(new RegExp(`${LEAD}(?:\\b|(?=[<>]))(?:${words})\\s*(${NUMBER})\\s*${COLUMN}`, "iu"), 2, (match) =>
      add(match[2], operator, match[1]),
    );
  }
  return found;
}

function takeTextMatches(text: QuestionText): ProposedCondition[] {
  const patterns: readonly [string, Operator][] = [
    ["(?:does not|do not|doesn't|not)\\s+contain(?:s|ing)?", "notContains"],
    ["contain(?:s|ing)?", "contains"],
    ["start(?:s|ing)?\\s+with|begin(?:s|ning)?\\s+with", "startsWith"],
    ["end(?:s|ing)?\\s+(?:with|in)", "endsWith"],
  ];
  return patterns.flatMap(([words, operator]) =>
    text.take(new RegExp(`${LEAD}${COLUMN}\\s+(?:${words})\\s+(${ATOM})`, "giu")).flatMap((match) => {
      const column = text.column(match[1]);
      return column ? [condition(column, operator, [text.value(match[2] ?? "")])] : [];
    }),
  );
}

/** `State is TX`, `status not active`, `country Germany or France`; without a verb only options and samples are values. */
function takeEqualities(text: QuestionText, source: QuestionSource): ProposedCondition[] {
  const found: ProposedCondition[] = [];
  const not = "(?:is|are|was)?\\s*(?:not|isn't|aren't|other than|except|!=|<>)\\s*(?:equal to\\s+|in\\s+)?";
  const is = "(?:is|are|was|were|equals?|equal to|=|:)\\s*(?:equal to\\s+|one of\\s+|either\\s+|in\\s+)?";
  for (const [verb, negated] of [
    [not, true],
    [is, false],
    ["(?:of\\s+)?", false],
  ] as const) {
    const pattern = new RegExp(`${LEAD}${COLUMN}\\s+${verb}(${LIST})`, "iu");
    for (const match of text.text.matchAll(new RegExp(pattern.source, "giu"))) {
      const column = text.peek(match[1]);
      if (!column || isDateColumn(column)) continue;
      const written = (match[2] ?? "")
        .split(/\s*,\s*(?:or\s+|and\s+)?|\s+(?:or|and)\s+/i)
        .map((one) => text.value(one));
      const values = written.map((one) => valueFor(column, one));
      const isSure = verb !== "(?:of\\s+)?" || isKnownList(column, written, source) || isWrittenAsName(column, written);
      if (!isSure || values.includes(null)) continue;
      text.column(match[1]);
      text.takeFirst(new RegExp(match[0].replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"), "u"));
      found.push(
        equality(
          column,
          values.flatMap((value) => (value === null ? [] : [value])),
          negated,
        ),
      );
    }
  }
  return found;
}

/** “Origin ATL”: what stands beside a column of texts with a capital or a digit is a value of it. */
const isWrittenAsName = ({ dataType }: DatasetColumn, written: readonly string[]): boolean =>
  dataType === "string" && written.every((text) => /^[\p{Lu}\d]/u.test(text));

const isKnownList = (
  column: DatasetColumn,
  written: readonly string[],
  { columns, samples }: QuestionSource,
): boolean => {
  const known = knownValues(columns, samples).filter((one) => one.column === column);
  return written.every((text) => known.some((one) => one.text.toLowerCase() === text.toLowerCase()));
};

function equality(column: DatasetColumn, values: ProposedCondition["values"], negated: boolean): ProposedCondition {
  if (column.dataType === "boolean") {
    const isTrue = /^(true|yes|1)$/i.test(String(values[0])) !== negated;
    return condition(column, isTrue ? "isTrue" : "isFalse");
  }
  if (values.length > 1) return condition(column, negated ? "notInList" : "inList", values);
  return condition(column, negated ? "notEquals" : "equals", values);
}

const IN = "(?:\\b(?:in|during|within|for|from|of|over|is|was)\\s+)?(?:the\\s+)?";
const MONTHS = { last: "lastMonths", next: "nextMonths" } as const;
const UNITS: Readonly<Record<string, { last: Operator; next: Operator; factor: number }>> = {
  day: { last: "lastDays", next: "nextDays", factor: 1 },
  week: { last: "lastWeeks", next: "nextWeeks", factor: 1 },
  month: { ...MONTHS, factor: 1 },
  quarter: { ...MONTHS, factor: 3 },
  year: { ...MONTHS, factor: 12 },
};

function takePeriods(text: QuestionText, date: DatasetColumn | undefined): ProposedCondition[] {
  const at = `(?:${COLUMN}\\s+)?${IN}`;
  const found: ProposedCondition[] = [];
  const take = (pattern: string, make: (match: RegExpExecArray) => [Operator, (string | number)[]] | null): void => {
    const whole = new RegExp(`${at}${pattern}`, "iu");
    const named = text.peek(whole.exec(text.text)?.[1]);
    // A number or category before a period is none of its own.
    const isOther = named !== undefined && !isDateColumn(named);
    const match = text.takeFirst(isOther ? new RegExp(`()${IN}${pattern}`, "iu") : whole);
    const column = named && !isOther ? text.column(match?.[1]) : date;
    const made = match && make(match);
    if (column && made) found.push(condition(column, made[0], made[1]));
  };
  take("\\b(last|past|previous|next|coming)\\s+(\\d+\\s+)?(day|week|month|quarter|year)s?\\b", (match) => {
    const isNext = /next|coming/i.test(match[2] ?? "");
    const unit = UNITS[(match[4] ?? "").toLowerCase()];
    return unit ? [isNext ? unit.next : unit.last, [Number(match[3] ?? 1) * unit.factor]] : null;
  });
  take("\\bthis\\s+(week|month|quarter|year)\\b|\\b(year)\\s+to\\s+date\\b|\\b(today)\\b", (match) => {
    const word = (match[2] ?? match[3] ?? match[4] ?? "").toLowerCase();
    const operators: Readonly<Record<string, Operator>> = {
      ...{ week: "thisWeek", month: "thisMonth", quarter: "thisQuarter", year: "thisYear", today: "today" },
    };
    const operator = operators[word];
    return operator ? [operator, []] : null;
  });
  take(`\\bbetween\\s+(${DAY})\\s+(?:and|to)\\s+(${DAY})`, (match) => {
    const [from, to] = [daysOf(match[2] ?? ""), daysOf(match[3] ?? "")];
    return from && to ? ["between", [from.first, to.last]] : null;
  });
  take(`\\b(since|after|before|until)\\s+(${DAY})`, (match) => {
    const days = daysOf(match[3] ?? "");
    if (!days) return null;
    const words: Readonly<Record<string, [Operator, string[]]>> = {
      since: ["greaterOrEqual", [days.first]],
      after: ["greater", [days.last]],
      before: ["less", [days.first]],
      until: ["lessOrEqual", [days.last]],
    };
    return words[(match[2] ?? "").toLowerCase()] ?? null;
  });
  take(`(?<=\\b(?:in|during|for|of|from)\\s)(${DAY})`, (match) => {
    const days = daysOf(match[2] ?? "");
    return days ? ["between", [days.first, days.last]] : null;
  });
  return found;
}

/** “Active accounts”, “flights from JFK”: a value that is known says its column. */
function takeKnownValues(text: QuestionText, source: QuestionSource): ProposedCondition[] {
  const byColumn = new Map<string, { column: DatasetColumn; negated: boolean; values: ProposedCondition["values"] }>();
  for (const known of knownValues(source.columns, source.samples)) {
    const written = known.text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const pattern = `(\\b(?:not|non|except|excluding|without|no)[\\s-]+)?(?:\\b(?:in|from|for|only|are|is|that|at)\\s+)*(?<![\\p{L}\\d])${written}(?![\\p{L}\\d])`;
    const match = text.takeWith(new RegExp(pattern, "iu"), known.column);
    if (!match) continue;
    const one = byColumn.get(known.column.name) ?? {
      column: known.column,
      negated: match[1] !== undefined,
      values: [],
    };
    one.values.push(known.value);
    byColumn.set(known.column.name, one);
  }
  return [...byColumn.values()].map(({ column, values, negated }) => equality(column, values, negated));
}
