/** An example of a line along months. */
import { type CardExample, byMonth, region, sales } from "../examples/example.fixtures.ts";

export const lineExample: CardExample<"LINE"> = {
  card: { vizType: "LINE", xaxis: { ...region, grain: "month" }, yaxis: [sales] },
  data: byMonth,
};
