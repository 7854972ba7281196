/** Stages that narrow, with the ratio from each to the next. */
import { defineCard } from "../definition.ts";
import { funnelOrBars } from "./drawn.ts";
import { funnelModel, MAX_STAGES } from "./model.ts";

export const funnelCard = defineCard({
  type: "FUNNEL",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: [
    { path: "measure", cardinality: "one", numeric: true, required: true, format: true },
    { path: "dataField", cardinality: "one", numeric: false, required: true, format: false },
  ],
  legendPositions: ["LEFT", "RIGHT"],
  defaults: {
    legendPosition: "RIGHT",
    sortBy: "value",
    ascending: false,
    displayAdditional: "labels",
    labelPosition: "RIGHT",
  },
  askedAs: "funnel",
  model: funnelOrBars,
  watched: funnelModel,
  check: (card) =>
    card.stages.length > MAX_STAGES ? [{ path: "stages", code: "too_many_stages", facts: { most: MAX_STAGES } }] : [],
});
