/** One number on a dial of ranges. */
import { defineCard } from "../definition.ts";
import { DEFAULT_MAXIMUM, DEFAULT_MINIMUM, rangeProblems } from "../ranges.ts";
import { gaugeModel } from "./model.ts";

export const gaugeCard = defineCard({
  type: "GAUGE",
  tabs: ["setup", "variables", "appearance"],
  slots: [{ path: "columns", cardinality: "list", numeric: true, required: true, format: true }],
  legendPositions: [],
  defaults: { ranges: [{ minimumValue: DEFAULT_MINIMUM, maximumValue: DEFAULT_MAXIMUM }] },
  askedAs: "gauge",
  model: gaugeModel,
  check: (card) => rangeProblems(card, { nameRequired: false }),
});
