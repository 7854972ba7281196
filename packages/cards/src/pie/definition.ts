/** A donut: parts of a whole, perhaps with a ring of parts of the parts. */
import { defineCard } from "../definition.ts";
import { pieOrBars, watchedPie } from "./drawn.ts";

export const pieCard = defineCard({
  type: "PIE",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: [
    { path: "category", cardinality: "one", numeric: false, required: true, format: true },
    { path: "value", cardinality: "one", numeric: true, required: true, format: true },
    { path: "subCategory", cardinality: "one", numeric: false, required: false, format: false, after: "category" },
  ],
  legendPositions: ["LEFT", "RIGHT"],
  defaults: { legendPosition: "RIGHT" },
  askedAs: "pie|donut|doughnut|ring",
  isOfWhole: true,
  model: pieOrBars,
  watched: watchedPie,
});
