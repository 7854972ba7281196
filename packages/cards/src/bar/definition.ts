/** Lying bars: amounts by category, with room for long names. */
import { cartesianSlots } from "../cartesian/cartesian.slots.ts";
import { defineCard } from "../definition.ts";

export const barCard = defineCard({
  type: "BAR",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: cartesianSlots,
  legendPositions: ["TOP", "BOTTOM"],
  axes: true,
  defaults: { legendPosition: "BOTTOM" },
});
