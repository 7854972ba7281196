/** Datasets and cards as SQL, and the rules of dashboards. Pure: time, names and values come in, text and parameters go out. */
export { reductionOf, withoutFoldCells } from "./card-fold.ts";
export * from "./card-query.ts";
export * from "./catalogue.ts";
export * from "./dashboards/dashboard-changes.ts";
export * from "./dataset-parts.ts";
export * from "./dialect.ts";
export * from "./dashboards/drafts.ts";
export {
  crossFilter,
  type DatasetFilter,
  filteredDataset,
  FilterMarkError,
  type FilterSource,
} from "./filters/cross-filter.ts";
export { joinIdOf } from "./joins.ts";
export * from "./dashboards/layout.ts";
export { LOAD_LIMITS, MAX_CELL_LENGTH } from "./limits.ts";
export * from "./plan.ts";
export * from "./print.ts";
export * from "./problems.ts";
export * from "./query.ts";
export { markFilter, predicateOf, exactPredicateOf, UnknownColumnError } from "./records/mark-filter.ts";
export { NoRecordsError } from "./records/origins.ts";
export { recordsCheck } from "./records/records-check.ts";
export * from "./resolve.ts";
export { basicAsSql } from "./sql-mode/basic-as-sql.ts";
export { sqlName } from "./sql-mode/reserved-words.ts";
export { WRITTEN } from "./sql-mode/print-sql.ts";
export { typeOfVariable } from "./sql-mode/resolve-sql.ts";
export * from "./suggest-joins.ts";
export * from "./variables.ts";
