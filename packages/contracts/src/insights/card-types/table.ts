/** What table cards are made of. */
import { cardType } from "./card-type.ts";

export const tableType = cardType({
  type: "TABLE",
  shape: { kind: "rows" },
  options: [],
});
