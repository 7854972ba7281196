/** What can be wrong with a card before it is drawn. */
export const CARD_PROBLEM_CODES = [
  "column_missing",
  "name_missing",
  "format_missing",
  "max_error",
  "range_error",
  "range_name_missing",
  "legend_position",
  "too_many_stages",
] as const;
export type CardProblemCode = (typeof CARD_PROBLEM_CODES)[number];

/** `path` leads into the configuration; facts fill the words. */
export interface CardProblem {
  path: string;
  code: CardProblemCode;
  facts: Record<string, string | number>;
}
