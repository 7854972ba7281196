/** An example of a metric. */
import { type CardExample, sales, single } from "../examples/example.fixtures.ts";

export const metricExample: CardExample<"METRIC"> = {
  card: { vizType: "METRIC", columns: [sales] },
  data: single,
};
