/** What funnel cards are made of. */
import { cardType } from "./card-type.ts";

export const funnelType = cardType({
  type: "FUNNEL",
  shape: { kind: "chart", category: "dataField", values: "measure", series: null },
  options: ["stages", "legend"],
});
