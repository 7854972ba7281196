/** What bar cards are made of. */
import { cardType } from "./card-type.ts";
import { cartesian } from "./cartesian.ts";

export const barType = cardType({ type: "BAR", ...cartesian });
