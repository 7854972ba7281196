/** Upright columns: amounts side by side, by category or date. */
import { cartesianDefinition } from "../cartesian/cartesian.definition.ts";
import { defineCard } from "../definition.ts";

export const columnCard = defineCard({ type: "COLUMN", ...cartesianDefinition, askedAs: "column" });
