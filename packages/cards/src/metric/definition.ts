/** One number, coloured by the range it lies in. */
import { defineCard } from "../definition.ts";
import { rangeProblems } from "../ranges.ts";

export const metricCard = defineCard({
  type: "METRIC",
  tabs: ["setup", "variables", "appearance"],
  slots: [
    { path: "columns", holds: "list", numeric: true, required: true, format: true },
    { path: "ranges", holds: "ranges", numeric: false, required: false, format: false },
  ],
  legendPositions: [],
  axes: false,
  defaults: {},
  check: (card) => rangeProblems(card, { nameRequired: true }),
});
