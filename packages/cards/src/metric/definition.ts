/** One number, coloured by the range it lies in. */
import { defineCard } from "../definition.ts";
import { rangeProblems } from "../ranges.ts";
import { metricModel } from "./model.ts";

export const metricCard = defineCard({
  type: "METRIC",
  tabs: ["setup", "variables", "appearance"],
  slots: [{ path: "columns", cardinality: "list", numeric: true, required: true, format: true }],
  legendPositions: [],
  defaults: {},
  askedAs: "metric|kpi|single number|one number",
  isNarrow: true,
  model: metricModel,
  check: (card) => rangeProblems(card, { nameRequired: true }),
});
