/** An example of a donut. */
import { type CardExample, byRegion, region, sales } from "../examples/example.fixtures.ts";

export const pieExample: CardExample<"PIE"> = {
  card: { vizType: "PIE", legendPosition: "RIGHT", category: region, value: sales },
  data: byRegion,
};
