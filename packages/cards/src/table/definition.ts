/** Rows and columns, as they are or folded. */
import { defineCard } from "../definition.ts";
import { tableModel } from "./model.ts";

export const tableCard = defineCard({
  type: "TABLE",
  tabs: ["setup", "variables"],
  slots: [{ path: "columns", cardinality: "list", numeric: false, required: true, format: true }],
  legendPositions: [],
  defaults: {},
  askedAs: "table",
  model: tableModel,
});
