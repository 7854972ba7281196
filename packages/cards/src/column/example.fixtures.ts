/** An example of columns. */
import { type CardExample, byRegion, region, sales } from "../examples/example.fixtures.ts";

export const columnExample: CardExample<"COLUMN"> = {
  card: { vizType: "COLUMN", xaxis: region, yaxis: [sales] },
  data: byRegion,
};
