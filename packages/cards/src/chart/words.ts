/** The few words a chart says by itself. */
export interface ChartWords {
  /** The sum of what was too small or too much to show. */
  other: string;
  /** The same, when it is known of how many. */
  otherOf: (count: number) => string;
  /** No value. */
  blank: string;
  /** A text without characters: not the same as no value. */
  emptyText: string;
  total: string;
  /** A goal or limit that has no name of its own. */
  reference: string;
  /** Ends a summary that doesn't list all values. */
  more: (count: number) => string;
  /** The name of what leads to the records of a mark. */
  records: (label: string) => string;
}

export const ENGLISH: ChartWords = {
  other: "Other",
  otherOf: (count) => `Other (${count} more)`,
  blank: "(blank)",
  emptyText: "(empty text)",
  total: "Total",
  reference: "Reference line",
  more: (count) => `and ${count} more`,
  records: (label) => `Records of ${label}`,
};
