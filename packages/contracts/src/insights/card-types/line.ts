/** What line cards are made of. */
import { cardType } from "./card-type.ts";
import { cartesian } from "./cartesian.ts";

export const lineType = cardType({ type: "LINE", ...cartesian });
