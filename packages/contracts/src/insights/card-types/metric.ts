/** What metric cards are made of. */
import { cardType } from "./card-type.ts";

export const metricType = cardType({
  type: "METRIC",
  shape: { kind: "number" },
  options: ["ranges"],
});
