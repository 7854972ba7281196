/** An example of a gauge with two ranges. */
import { type CardExample, sales, single } from "../examples/example.fixtures.ts";

export const gaugeExample: CardExample<"GAUGE"> = {
  card: {
    vizType: "GAUGE",
    columns: [sales],
    ranges: [
      { name: "Below plan", color: "warning", minimumValue: 0, maximumValue: 10_000 },
      { name: "On plan", color: "positive", minimumValue: 10_000, maximumValue: 15_000 },
    ],
  },
  data: single,
};
