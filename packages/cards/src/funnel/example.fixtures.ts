/** An example of a funnel. */
import { type CardExample, byRegion, sales } from "../examples/example.fixtures.ts";

export const funnelExample: CardExample<"FUNNEL"> = {
  card: { vizType: "FUNNEL", legendPosition: "LEFT", measure: sales, dataField: { column: "region", name: "region" } },
  data: byRegion,
};
