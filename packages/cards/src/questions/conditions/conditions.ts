/** Conditions of a question beside comparisons of numbers: periods, equalities, blanks, texts, and options by themselves. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { isDateColumn } from "../../column-types.ts";
import { ATOM, condition, LEAD, type Operator } from "./condition-words.ts";
import { takeEqualities } from "./equalities.ts";
import { takeKnownValues } from "./known-values.ts";
import { NEGATION } from "../negation.ts";
import { takePeriods } from "./periods.ts";
import { COLUMN, CONDITION, type QuestionText } from "../question-text.ts";
import type { QuestionSource } from "../source.ts";

interface ConditionContext {
  source: QuestionSource;
  /** What periods without a column are about. */
  date: DatasetColumn | undefined;
  /** `YYYY-MM-DD` where the question is asked. */
  today: string;
}

/** Takes the conditions out of the text; each leaves a mark, so that what joins them can be read afterwards. */
export function takeConditions(text: QuestionText, { source, date, today }: ConditionContext): ProposedCondition[] {
  const blanks = takeBlanks(text);
  // “Where origin is JFK last month”: a period is no part of a value.
  const periods = takePeriods(text, date, today);
  const matches = takeTextMatches(text);
  const equalities = takeEqualities(text, source);
  const absences = takeAbsences(text);
  const known = takeKnownValues(text, source);
  return [...blanks, ...absences, ...matches, ...equalities, ...periods, ...known];
}

function takeBlanks(text: QuestionText): ProposedCondition[] {
  const blank = "(?:empty|blank|missing|unknown|unset|null|not\\s+(?:set|known|filled(?:\\s+in)?|available))";
  const is = "(?:is|are|was|were)";
  const patterns: readonly [string, Operator][] = [
    [`${LEAD}${COLUMN}\\s+${is}\\s+(?:not\\s+${blank}|(?:set|known|filled(?:\\s+in)?)\\b)`, "isNotBlank"],
    [`${LEAD}${COLUMN}\\s+${is}\\s+${blank}`, "isBlank"],
  ];
  return patterns.flatMap(([pattern, operator]) => takeColumns(text, pattern, () => operator));
}

/** “Without a website”, “with a website”, “have not departed”. */
function takeAbsences(text: QuestionText): ProposedCondition[] {
  const absent = `\\b(?:without|no|missing)\\s+(?:an?\\s+|any\\s+|the\\s+)?${COLUMN}`;
  const notYet = `\\bnot\\s+(?:been\\s+)?${COLUMN}`;
  const present = `(?<!\\b${NEGATION}\\s+)\\b(?:with|having|have|has)\\s+(?:an|a|any)\\s+${COLUMN}`;
  return [
    ...takeColumns(text, absent, ({ dataType }) => (dataType === "boolean" ? "isFalse" : "isBlank")),
    ...takeColumns(text, notYet, (column) => (isDateColumn(column) ? "isBlank" : null)),
    ...takeColumns(text, present, () => "isNotBlank"),
  ];
}

function takeColumns(
  text: QuestionText,
  pattern: string,
  operatorFor: (column: DatasetColumn) => Operator | null,
): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  text.takeEach(new RegExp(pattern, "iu"), ([, mark]) => {
    const column = text.peek(mark);
    const operator = column && operatorFor(column);
    if (!column || !operator) return null;
    text.column(mark);
    conditions.push(condition(column, operator));
    return CONDITION;
  });
  return conditions;
}

function takeTextMatches(text: QuestionText): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  const patterns: readonly [string, Operator][] = [
    ["(?:(?:does|do|is|are)\\s+)?not\\s+contain(?:s|ing)?", "notContains"],
    ["contain(?:s|ing)?", "contains"],
    ["start(?:s|ing)?\\s+with|begin(?:s|ning)?\\s+with", "startsWith"],
    ["end(?:s|ing)?\\s+(?:with|in)", "endsWith"],
  ];
  for (const [words, operator] of patterns)
    text.takeEach(new RegExp(`${LEAD}${COLUMN}\\s+(?:${words})\\s+(${ATOM})`, "iu"), ([, mark, value]) => {
      const column = text.column(mark);
      if (!column) return null;
      conditions.push(condition(column, operator, [text.value(value ?? "")]));
      return CONDITION;
    });
  return conditions;
}
