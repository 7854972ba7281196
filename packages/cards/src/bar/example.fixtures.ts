/** An example of lying bars. */
import { type CardExample, byRegion, region, sales } from "../examples/example.fixtures.ts";

export const barExample: CardExample<"BAR"> = {
  card: { vizType: "BAR", xaxis: region, yaxis: [sales] },
  data: byRegion,
};
