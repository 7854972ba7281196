/** A line over time, or one per series. */
import { cartesianDefinition } from "../cartesian/cartesian.definition.ts";
import { defineCard } from "../definition.ts";

export const lineCard = defineCard({
  type: "LINE",
  ...cartesianDefinition,
  askedAs: "line|trend line",
  looksLike: "COLUMN",
  isOneMark: true,
});
