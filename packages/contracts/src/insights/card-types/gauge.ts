/** What gauge cards are made of. */
import { cardType } from "./card-type.ts";

export const gaugeType = cardType({
  type: "GAUGE",
  shape: { kind: "number" },
  options: ["ranges"],
});
