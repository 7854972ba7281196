/** The few words a chart says by itself. */
export interface ChartWords {
  other: string;
  blank: string;
  total: string;
}

export const ENGLISH: ChartWords = { other: "Other", blank: "(blank)", total: "Total" };
