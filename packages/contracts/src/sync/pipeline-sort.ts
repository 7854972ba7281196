/** The order of rows in the Pipeline Details table. */
import { z } from "zod";

/** Columns that rows of the table can be ordered by. */
export const PIPELINE_SORT_COLUMNS = [
  "name",
  "apiName",
  "problems",
  "last",
  "lag",
  "duration",
  "transactions",
  "fields",
  "version",
  "modified",
  "published",
  "publishedBy",
  "pausedBy",
] as const;
export type PipelineSortColumn = (typeof PIPELINE_SORT_COLUMNS)[number];
/** `-` before the name of a column: descending. */
export const PipelineSort = z.enum([
  ...PIPELINE_SORT_COLUMNS,
  ...PIPELINE_SORT_COLUMNS.map((column) => `-${column}` as const),
]);
export type PipelineSort = z.infer<typeof PipelineSort>;
