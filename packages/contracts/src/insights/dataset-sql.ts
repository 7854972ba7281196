/** Datasets written in SQL: checking a statement while it is typed, what it may name, and the way from the basic mode. */
import { z } from "zod";
import { DataType } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { DatasetConfig, DatasourceType, SqlColumn } from "./dataset-config.ts";

/** A problem of a statement. `from` and `to` are UTF-16 offsets into it; `line` and `column` count from one. */
export const SqlProblem = z.strictObject({
  message: z.string(),
  from: z.int().nonnegative(),
  to: z.int().nonnegative(),
  line: z.int().positive(),
  column: z.int().positive(),
});
export type SqlProblem = z.output<typeof SqlProblem>;

export const checkDatasetSql = endpoint({
  name: "checkDatasetSql",
  method: "POST",
  path: "/datasets/sql/check",
  access: "PREVIEW_DATACARD",
  alsoNeeds: "CREATE_DATASET",
  scope: "instance",
  summary: "Checks a statement without running it: what is wrong where, which tables it names, which columns it gives.",
  body: z.strictObject({
    datasetConfig: DatasetConfig,
    /** The dataset being edited, so that it cannot be built on itself. */
    datasetId: id("dataset").optional(),
  }),
  reply: z.strictObject({
    problems: z.array(SqlProblem),
    /** As the statement names them. */
    tables: z.array(z.string()),
    columns: z.array(SqlColumn),
  }),
  errors: ["query_timeout"],
});

export const SqlTable = z.strictObject({
  /** In SQL, in any case; in double quotes where it is a word of SQL. */
  name: z.string(),
  displayName: z.string(),
  kind: DatasourceType,
  columns: z.array(z.strictObject({ name: z.string(), displayName: z.string(), dataType: DataType })),
});
export type SqlTable = z.output<typeof SqlTable>;

export const SqlFunctionHelp = z.strictObject({
  name: z.string(),
  category: z.string(),
  signature: z.string(),
  help: z.string(),
});
export type SqlFunctionHelp = z.output<typeof SqlFunctionHelp>;

export const datasetSqlNames = endpoint({
  name: "datasetSqlNames",
  method: "GET",
  path: "/datasets/sql/names",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The tables, columns and functions that a statement may name.",
  query: z.strictObject({ datasetId: id("dataset").optional() }),
  reply: z.strictObject({ tables: z.array(SqlTable), functions: z.array(SqlFunctionHelp) }),
});

export const datasetAsSql = endpoint({
  name: "datasetAsSql",
  method: "POST",
  path: "/datasets/sql/from-basic",
  access: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "A dataset of the basic mode as a statement in SQL.",
  body: z.strictObject({ datasetConfig: DatasetConfig, datasetId: id("dataset").optional() }),
  reply: z.strictObject({
    sql: z.string(),
    /** What means something else in SQL, in sentences. */
    notes: z.array(z.string()),
  }),
  errors: ["dataset_invalid"],
});

export const datasetFromSql = endpoint({
  name: "datasetFromSql",
  method: "POST",
  path: "/datasets/sql/to-basic",
  access: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "A statement in SQL as a dataset of the basic mode, or which of its clauses that can't say.",
  body: z.strictObject({ datasetConfig: DatasetConfig, datasetId: id("dataset").optional() }),
  reply: z.strictObject({
    /** Missing when something can't be said. */
    datasetConfig: DatasetConfig.optional(),
    problems: z.array(SqlProblem),
  }),
});
