/** Lying bars: amounts by category, with room for long names. */
import { cartesianDefinition } from "../cartesian/cartesian.definition.ts";
import { defineCard } from "../definition.ts";

export const barCard = defineCard({ type: "BAR", ...cartesianDefinition, askedAs: "bar", looksLike: "COLUMN" });
