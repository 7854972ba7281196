/** Upright columns: amounts side by side, by category or date. */
import { cartesianSlots } from "../cartesian/cartesian.slots.ts";
import { defineCard } from "../definition.ts";

export const columnCard = defineCard({
  type: "COLUMN",
  tabs: ["setup", "style", "variables", "appearance"],
  slots: cartesianSlots,
  legendPositions: ["TOP", "BOTTOM"],
  axes: true,
  defaults: { legendPosition: "BOTTOM" },
});
