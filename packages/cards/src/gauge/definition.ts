/** One number on a dial of ranges. */
import { defineCard } from "../definition.ts";
import { DEFAULT_MAXIMUM, DEFAULT_MINIMUM, rangeProblems } from "../ranges.ts";

export const gaugeCard = defineCard({
  type: "GAUGE",
  tabs: ["setup", "variables", "appearance"],
  slots: [
    { path: "columns", holds: "list", numeric: true, required: true, format: true },
    { path: "ranges", holds: "ranges", numeric: false, required: false, format: false },
  ],
  legendPositions: [],
  axes: false,
  defaults: { ranges: [{ minimumValue: DEFAULT_MINIMUM, maximumValue: DEFAULT_MAXIMUM }] },
  check: (card) => rangeProblems(card, { nameRequired: false }),
});
