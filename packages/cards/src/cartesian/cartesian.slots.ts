/** The setup that columns, bars and lines share. */
import type { CardSlot } from "../definition.ts";

export const cartesianSlots: readonly CardSlot[] = [
  { path: "xaxis", holds: "one", numeric: false, required: true, format: true },
  { path: "yaxis", holds: "list", numeric: true, required: true, format: true },
  { path: "series", holds: "list", numeric: false, required: false, format: false },
];
