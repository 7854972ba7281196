/** What pie cards are made of. */
import { cardType } from "./card-type.ts";

export const pieType = cardType({
  type: "PIE",
  shape: { kind: "chart", category: "category", values: "value", series: "subCategory" },
  options: ["smallSlices", "legend", "values"],
});
