/** Periods of a question: calendar periods as the days they are, rolling ones as what they are on the day of viewing. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn, DateGrain } from "@accord/contracts/insights/dataset-config";
import { isDateColumn } from "../../column-types.ts";
import { type Days, periodAt } from "./calendar.ts";
import { condition, isGrouped, type Operator } from "./condition-words.ts";
import { CONDITION, type QuestionText } from "../question-text.ts";
import { COUNT, DAY, daysOf, MONTH, numberOf } from "../values.ts";

type Period = [operator: Operator, values: (string | number)[]];
type Groups = Readonly<Record<string, string | undefined>>;

const COLUMN = "(?:⟨(?<column>\\d+)⟩\\s+)?";
const IN = "(?:\\b(?:in|during|within|for|from|of|over|is|was|on)\\s+)*(?:the\\s+)?";
const UNIT = "(?<unit>day|week|month|quarter|year)";

const MONTHS = { last: "lastMonths", next: "nextMonths" } as const;
const ROLLING: Readonly<Record<DateGrain, { last: Operator; next: Operator; factor: number }>> = {
  day: { last: "lastDays", next: "nextDays", factor: 1 },
  week: { last: "lastWeeks", next: "nextWeeks", factor: 1 },
  month: { ...MONTHS, factor: 1 },
  quarter: { ...MONTHS, factor: 3 },
  year: { ...MONTHS, factor: 12 },
};
const CURRENT: Readonly<Record<DateGrain, Operator>> = {
  ...{ day: "today", week: "thisWeek", month: "thisMonth", quarter: "thisQuarter", year: "thisYear" },
};

export const unitNamed = (word: string | undefined): DateGrain | null => {
  const unit = word?.toLowerCase();
  return unit === "day" || unit === "week" || unit === "month" || unit === "quarter" || unit === "year" ? unit : null;
};

const isAhead = (which: string | undefined): boolean => /next|coming|following|tomorrow/i.test(which ?? "");
const between = ({ first, last }: Days): Period => ["between", [first, last]];

/** Bounds of a period by the word before it. */
function bounded(word: string | undefined, { first, last }: Days): Period | null {
  switch (word?.toLowerCase()) {
    case "since":
    case "from":
      return ["greaterOrEqual", [first]];
    case "after":
      return ["greater", [last]];
    case "before":
      return ["less", [first]];
    case "until":
    case "till":
    case "through":
      return ["lessOrEqual", [last]];
    default:
      return null;
  }
}

function rolling({ which, amount, unit }: Groups): Period | null {
  const grain = unitNamed(unit);
  const count = amount === undefined ? 1 : numberOf(amount);
  if (!grain || count === null) return null;
  const { last, next, factor } = ROLLING[grain];
  return [isAhead(which) ? next : last, [count * factor]];
}

/** “From March to May 2024”: the first month is of the year of the last one. */
function range({ from = "", to = "" }: Groups): Period | null {
  const last = daysOf(to);
  const first = daysOf(/\d/.test(from) ? from : `${from} ${last?.first.slice(0, 4) ?? ""}`);
  return first && last && first.first <= last.last ? ["between", [first.first, last.last]] : null;
}

/** What is said first is read first: “from X to Y” before “from X”. */
function patternsAt(today: string): readonly [pattern: string, read: (groups: Groups) => Period | null][] {
  const at = (unit: DateGrain | null, offset: number): Days | null => unit && periodAt(today, unit, offset);
  const named = ({ which, unit, day }: Groups): Days | null => {
    if (day) return at("day", /yesterday/i.test(day) ? -1 : isAhead(day) ? 1 : 0);
    return at(unitNamed(unit), /^this$/i.test(which ?? "") ? 0 : isAhead(which) ? 1 : -1);
  };
  const written = ({ date = "" }: Groups): Days | null => daysOf(date);
  const inside = (days: Days | null): Period | null => days && between(days);
  const calendar = `(?:(?<which>last|previous|prior|next|following|this)\\s+(?:calendar\\s+)?${UNIT}\\b|(?<day>yesterday|today|tomorrow)\\b)`;
  const to = "(?:and|to|until|till|through|thru|up\\s+to|–|-)";
  return [
    [
      `\\b(?:between|from|in|during|for|of|within|since)\\s+(?<from>${DAY}|${MONTH}\\b)\\s*${to}\\s*(?<to>${DAY})`,
      range,
    ],
    [`\\bfrom\\s+(?<date>${DAY})\\s+(?:on|onwards?)\\b`, (groups) => bounded("since", written(groups) ?? NEVER)],
    [
      `\\b(?<bound>since|after|before|until|till|through)\\s+(?:the\\s+)?${calendar}`,
      (groups) => bounded(groups["bound"], named(groups) ?? NEVER),
    ],
    [`\\b(?<which>last|past|previous|prior|next|coming|following)\\s+(?<amount>${COUNT})\\s+${UNIT}s?\\b`, rolling],
    [`\\b(?<which>past|coming)\\s+${UNIT}\\b`, rolling],
    [`\\bthis\\s+${UNIT}\\b|\\b(?<toDate>month|quarter|year)\\s+to\\s+date\\b|\\btoday\\b`, current],
    [`\\b${calendar}`, (groups) => inside(named(groups))],
    [
      `\\b(?<bound>since|after|before|until|till|through)\\s+(?<date>${DAY})`,
      (groups) => bounded(groups["bound"], written(groups) ?? NEVER),
    ],
    [`(?<=\\b(?:in|during|for|of|from|on|only|just)\\s)(?<date>${DAY})`, (groups) => inside(written(groups))],
  ];
}

/** No day is in it; what is written as a day and is none never gets here. */
const NEVER: Days = { first: "9999-12-31", last: "9999-12-31" };

const current = ({ unit, toDate }: Groups): Period => [CURRENT[unitNamed(unit ?? toDate) ?? "day"], []];

export function takePeriods(text: QuestionText, date: DatasetColumn | undefined, today: string): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  for (const [pattern, read] of patternsAt(today))
    text.takeEach(new RegExp(`${COLUMN}${IN}(?:${pattern})`, "iu"), ({ groups = {}, input, index }) => {
      const mark = groups["column"];
      const beside = text.peek(mark);
      const isDate = beside !== undefined && isDateColumn(beside);
      const column = isDate ? beside : date;
      const period = read(groups);
      if (!column || !period) return null;
      conditions.push(condition(column, period[0], period[1]));
      if (mark === undefined) return CONDITION;
      // A number or category before a period is none of its own, and a date that is grouped by stays one.
      if (!isDate || isGrouped(input.slice(0, index))) return `⟨${mark}⟩ ${CONDITION}`;
      text.column(mark);
      return CONDITION;
    });
  return conditions;
}
