/** A line over time, or one per series. */
import { cartesianSlots } from "../cartesian/cartesian.slots.ts";
import { defineCard } from "../definition.ts";

export const lineCard = defineCard({
  type: "LINE",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: cartesianSlots,
  legendPositions: ["TOP", "BOTTOM"],
  axes: true,
  defaults: { legendPosition: "BOTTOM" },
});
