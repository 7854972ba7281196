/** What column cards are made of. */
import { cardType } from "./card-type.ts";
import { cartesian } from "./cartesian.ts";

export const columnType = cardType({ type: "COLUMN", ...cartesian });
