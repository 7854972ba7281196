/** What the definitions of columns, bars and lines have in common. */
import { cartesianModel } from "./cartesian.model.ts";

export const cartesianDefinition = {
  tabs: ["setup", "style", "variables", "appearance"],
  slots: [
    { path: "xaxis", cardinality: "one", numeric: false, required: true, format: true },
    { path: "yaxis", cardinality: "list", numeric: true, required: true, format: true },
    { path: "series", cardinality: "list", numeric: false, required: false, format: false },
  ],
  legendPositions: ["TOP", "BOTTOM"],
  defaults: { legendPosition: "BOTTOM" },
  model: cartesianModel,
} as const;
