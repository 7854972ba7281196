/** An example of a table. */
import { type CardExample, asColumns, region, sales } from "../examples/example.fixtures.ts";

export const tableExample: CardExample<"TABLE"> = {
  card: { vizType: "TABLE", columns: [region, sales] },
  data: asColumns,
};
