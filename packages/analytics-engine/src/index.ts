/** Datasets and cards as SQL, and the rules of dashboards. Pure: time, names and values come in, text and parameters go out. */
export { reductionOf, withoutFoldCells } from "./card-fold.ts";
export * from "./card-query.ts";
export * from "./catalogue.ts";
export * from "./dashboards/dashboard-changes.ts";
export * from "./dataset-parts.ts";
export * from "./dialect.ts";
export * from "./dashboards/drafts.ts";
export { joinIdOf } from "./joins.ts";
export * from "./dashboards/layout.ts";
export { MAX_CELL_LENGTH } from "./limits.ts";
export * from "./plan.ts";
export * from "./print.ts";
export * from "./problems.ts";
export * from "./query.ts";
export * from "./resolve.ts";
export * from "./suggest-joins.ts";
export * from "./variables.ts";
