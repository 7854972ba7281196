/** Parts that patterns of conditions have in common: what leads to a column, and values as they are written. */
import type { ProposedCondition } from "@accord/contracts/insights/card-assistant";
import type { DatasetColumn } from "@accord/contracts/insights/dataset-config";
import { NEGATION } from "../negation.ts";
import { SIGNS } from "../question-text.ts";

export type Operator = ProposedCondition["operator"];

export const LEAD =
  "(?:\\b(?:where|with|whose|when|that|which|having|have|has|only|for|and|but|in|if)\\s+)*(?:the\\s+|a\\s+|an\\s+)?";
export const IS = "(?:is|are|was|were|be|of|=|:)?\\s*";
/** Group `not`: a negation before a column or a comparison. */
export const NEGATED = `(?:\\b(?<not>${NEGATION})\\s+(?:the\\s+|an?\\s+|any\\s+)?)?`;

const STOP =
  "and|or|by|per|in|for|with|where|over|since|before|after|between|top|as|split|grouped|sorted|ordered|from|to|on|compared|vs|versus|each|only|but|not|without|during|until|that|which|who|whose|when|anymore|yet|currently|instead|today|yesterday|(?:last|this|past|next|previous|prior|coming)\\s+(?:\\d+\\s+)?(?:day|week|month|quarter|year)s?";
const WORD = `(?!(?:${STOP})\\b)[^\\s${SIGNS},;]+`;
export const ATOM = `(?:⟦\\d+⟧|${WORD}(?:[ \\t]+${WORD})*)`;
/** What joins two values, with the negation of the second. */
const JOINT = `(?:\\s*,\\s*(?:(?:or|and|but)\\s+)?|\\s+(?:or|and|but)\\s+)(?:(?:not|without)\\s+(?:in\\s+)?)?(?!⟨)`;
export const LIST = `${ATOM}(?:${JOINT}${ATOM})*`;

/** Stands before a column that is grouped by, and may have a condition besides: “by status except Closed”. */
export const isGrouped = (before: string): boolean => /\b(?:by|per|each|every|across)\s+(?:the\s+)?$/i.test(before);

export const condition = (
  column: DatasetColumn,
  operator: Operator,
  values: ProposedCondition["values"] = [],
): ProposedCondition => ({ column: column.name, operator, values });

/** That a column has one of the values, or none of them. */
export function equality(
  column: DatasetColumn,
  values: ProposedCondition["values"],
  isNegated: boolean,
): ProposedCondition {
  if (column.dataType === "boolean") {
    const isTrue = /^(true|yes|1)$/i.test(String(values[0])) !== isNegated;
    return condition(column, isTrue ? "isTrue" : "isFalse");
  }
  if (values.length > 1) return condition(column, isNegated ? "notInList" : "inList", values);
  return condition(column, isNegated ? "notEquals" : "equals", values);
}
