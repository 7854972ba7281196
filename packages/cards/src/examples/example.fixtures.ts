/** A card of one type with a small answer, and what examples are made of. */
import type { CardConfigurationInput, CardData, ConfigurationOf, VizType } from "@accord/contracts/insights/cards";

/** Sets nothing but what its type is made of. */
export interface CardExample<Type extends VizType = VizType> {
  card: Pick<CardConfigurationInput, Extract<keyof ConfigurationOf<Type>, keyof CardConfigurationInput>> & {
    vizType: Type;
  };
  data: CardData;
}

export const axis = (column: string, displayName: string) => ({
  column,
  name: column,
  displayName,
  displayFormat: "number" as const,
});
export const sales = axis("sales", "Sales");
export const region = { ...axis("region", "Region"), displayFormat: "text" as const };

const REGIONS = ["North", "South", "West of the old river and everything beyond it", "East"];
const MONTHS = ["2026-01-01", "2026-02-01", "2026-03-01", "2026-04-01", "2026-05-01"];

const answer = (columns: CardData["columns"], rows: CardData["rows"]): CardData => ({
  columns,
  rows,
  reduction: null,
  asOf: "2026-06-01T08:00:00.000Z",
  dataAsOf: "2026-06-01T07:59:00.000Z",
  label: "",
});
export const byRegion = answer(
  [
    { name: "x", displayName: "Region", dataType: "string" },
    { name: "y0", displayName: "Sales", dataType: "integer" },
  ],
  REGIONS.map((x, at) => ({ x, y0: 4_200 - at * 1_150 })),
);
export const byMonth = answer(
  [
    { name: "x", displayName: "Month", dataType: "date" },
    { name: "y0", displayName: "Sales", dataType: "integer" },
  ],
  MONTHS.map((x, at) => ({ x, y0: 900 + ((at * 370) % 800) })),
);
export const asColumns = answer(
  [
    { name: "c0", displayName: "Region", dataType: "string" },
    { name: "c1", displayName: "Sales", dataType: "integer" },
  ],
  REGIONS.map((c0, at) => ({ c0, c1: 4_200 - at * 1_150 })),
);
export const single = answer([{ name: "c0", displayName: "Sales", dataType: "integer" }], [{ c0: 10_900 }]);
