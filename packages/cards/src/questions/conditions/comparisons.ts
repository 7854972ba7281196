/** Comparisons of number columns: “more than 100 employees”, “delay is at most 5”, and what they are when negated. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import { isNumberColumn } from "../../column-types.ts";
import { IS, LEAD, NEGATED, type Operator } from "./condition-words.ts";
import { NEGATION } from "../negation.ts";
import { CONDITION, type QuestionText } from "../question-text.ts";
import { NUMBER, numberOf } from "../values.ts";

const COMPARISONS: readonly [words: string, operator: Operator][] = [
  [">=|≥|at\\s+least|(?:a\\s+)?minimum\\s+of", "greaterOrEqual"],
  ["<=|≤|at\\s+most|(?:a\\s+)?maximum\\s+of|up\\s+to", "lessOrEqual"],
  [
    ">|above|over|(?:more|greater|larger|higher|longer|bigger|older)\\s+than|exceed(?:s|ing)?|in\\s+excess\\s+of",
    "greater",
  ],
  ["<|below|under|(?:less|fewer|smaller|lower|shorter|younger)\\s+than", "less"],
  ["exactly|precisely|only|just", "equals"],
];
/** Only before the number: “accounts with 5 employees”. */
const BEFORE_ONLY: readonly [words: string, operator: Operator][] = [["with|have|has|having", "equals"]];

const OPPOSITE: Partial<Record<Operator, Operator>> = {
  ...{ greater: "lessOrEqual", lessOrEqual: "greater", less: "greaterOrEqual", greaterOrEqual: "less" },
  ...{ equals: "notEquals" },
};
const COLUMN = "⟨(?<column>\\d+)⟩";
/** The same column named once more after its number: “a delay over 60 minutes”. */
const AFTER = "(?:\\s*⟨(?<after>\\d+)⟩)?";

/** What is no comparison of a column is left to clauses: “at most 5 countries”. */
export function takeComparisons(text: QuestionText): ProposedCondition[] {
  const conditions: ProposedCondition[] = [];
  const each = (pattern: string, operator: Operator): void =>
    text.takeEach(new RegExp(pattern, "iu"), ({ groups = {} }) => {
      const column = text.peek(groups["column"]);
      const written = [groups["first"], groups["second"]].flatMap((one) => one ?? []);
      const values = written.flatMap((one) => numberOf(one) ?? []);
      if (!column || !isNumberColumn(column) || values.length < written.length) return null;
      const isNegated = (groups["not"] === undefined) !== (groups["isNot"] === undefined);
      const meant = isNegated ? OPPOSITE[operator] : operator;
      if (!meant) return null;
      // “Revenue over 100 employees”: the number is one of the column after it.
      if (groups["after"] !== undefined && text.peek(groups["after"]) !== column) return null;
      text.column(groups["column"]);
      conditions.push({ column: column.name, operator: meant, values });
      return CONDITION;
    });
  const range = `between\\s+(?<first>${NUMBER})\\s*(?:and|to|-)\\s*(?<second>${NUMBER})`;
  each(`${LEAD}${COLUMN}\\s+${IS}${range}${AFTER}`, "between");
  each(`${LEAD}(?<!\\b${NEGATION}\\s+)\\b${range}\\s*${COLUMN}`, "between");
  for (const [words, operator] of COMPARISONS) {
    const comparison = `(?:(?<isNot>${NEGATION})\\s+)?(?:${words})\\s*(?<first>${NUMBER})`;
    each(`${LEAD}${NEGATED}${COLUMN}\\s*${IS}${comparison}${AFTER}`, operator);
  }
  for (const [words, operator] of [...COMPARISONS, ...BEFORE_ONLY])
    each(`${LEAD}${NEGATED}(?:\\b|(?=[<>≤≥]))(?:${words})\\s*(?<first>${NUMBER})\\s*${COLUMN}`, operator);
  return conditions;
}

const COMPARED = new RegExp(
  `(?:\\b(?:at\\s+(?:least|most)|above|over|below|under|between|(?:more|greater|larger|higher|longer|less|fewer|smaller|lower|shorter)\\s+than)\\s+|[<>≤≥]=?\\s*)(?:${NUMBER})`,
  "iu",
);

/** A number that is compared with nothing that is known; to leave it out would answer another question. */
export const hasComparison = (text: string): boolean => COMPARED.test(text);
