/** The analytics engine: what datasets and cards ask it, and how its problems are told. */
export {
  type AnalyticsEngine,
  type DescribedColumn,
  type QueryCaller,
  queryCaller,
  type RawRow,
} from "./analytics-engine.ts";
export { TooLargeRowError } from "./bound-rows.ts";
export { instanceCatalogue, systemFieldName } from "./catalogue.ts";
export { answerKey, type Mirror, startMirror } from "./mirror/mirror.ts";
export { estimatedRecords } from "./mirror/mirror-size.store.ts";
export { stopCapture } from "./mirror/change-capture.store.ts";
export { mirrorFolder } from "./mirror/mirror-folder.ts";
export { mirroredEngine } from "./mirror/mirrored-engine.ts";
export { postgresEngine, type PostgresEngineOptions } from "./postgres-engine.store.ts";
export { cardProblem, datasetInvalid, datasetProblem, mapDatasetErrors } from "./problems.ts";
export { WrittenSqlError } from "./written-errors.ts";
export { demandSqlMode } from "./sql-switch.ts";
