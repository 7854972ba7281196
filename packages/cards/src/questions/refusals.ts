/** Why a question is refused although its words are known: what it asks for would be answered wrongly. */
export const REFUSALS = [
  // What a negation excludes was not understood.
  "negation",
  // A number is compared with no column.
  "comparison",
  // Conditions are joined by “and” and by “or”.
  "mixedOr",
  // The smallest were asked for as a chart, which draws the largest.
  "smallest",
  // A share of what is not clear.
  "share",
  // A number of rows or categories that no card shows.
  "limit",
  // More values, columns or filters than one card holds.
  "tooMuch",
  // The average, median, largest or smallest of a number of rows.
  "averageOfRows",
  // A chart without anything to group by.
  "chartCategory",
  // The newest or largest rows, and no date or number to order them by.
  "order",
] as const;
export type RefusalCode = (typeof REFUSALS)[number];
