/** What a dataset is made of: sources, fields, joins, groups, order. */
import { z } from "zod";
import { DataType } from "../data/values.ts";
import { Predicate } from "../data/predicate.ts";
import { id } from "../ids.ts";
import { Variable, VariableValues } from "./variables.ts";

/** The column that counts the rows; no dataset has one of that name. */
export const ROW_COUNT = "*";

/** Stands between the parts of `fromDataset` and `joinId`; neither ids nor api names can contain it. */
export const SOURCE_SEPARATOR = "::";

export const DATASET_LIMITS = {
  /** Rows a preview shows unless the dataset's own limit is lower. */
  previewRows: 1_000,
  /** Rows a dataset may feed to anything that asked for rows. */
  maxRows: 50_000,
  /** Datasets on datasets on datasets. */
  depth: 5,
  sources: 10,
  fields: 200,
} as const;

export const DatasourceType = z.enum(["ENTITY", "DATASET"]);
export type DatasourceType = z.infer<typeof DatasourceType>;

/** A name that SQL and formulas can carry without surprises. */
export const Alias = z
  .string()
  .regex(
    /^[A-Za-z][A-Za-z0-9_]{0,59}$/,
    "must start with a letter and hold only letters, digits and underscores (60 at most)",
  );

/** Of an entity or a dataset: which one, the type beside it says. */
export const DataSourceId: z.ZodType<string, string> = z.union(
  [id("entity"), id("dataset")],
  "must be an id: 24 characters, 0-9 and a-f",
);

/** An entity or dataset in use under a name. `datasetId` names an entity when the type is ENTITY. */
export const DatasetSource = z.strictObject({
  datasetId: DataSourceId,
  datasetType: DatasourceType,
  datasourceAlias: Alias,
});
export type DatasetSource = z.infer<typeof DatasetSource>;

/** One field a source offers. `fieldAlias` is the name formulas and filters use: `alias.apiName`. */
export const DataSourceField = z.strictObject({
  fieldId: z.string(),
  apiName: z.string(),
  displayName: z.string(),
  dataType: DataType,
  datasetId: z.string(),
  datasetType: DatasourceType,
  datasourceAlias: z.string(),
  fieldAlias: z.string(),
  /** Entity the field points to, for join suggestions. */
  referenceTo: z.string().optional(),
  isMultiValueField: z.boolean().optional(),
});
export type DataSourceField = z.infer<typeof DataSourceField>;

export const AGGREGATES = [
  "sum",
  "avg",
  "min",
  "max",
  "count",
  "countDistinct",
  "median",
  "stddev",
  "percentile90",
  "textList",
] as const;
export const Aggregate = z.enum(AGGREGATES);
export type Aggregate = z.infer<typeof Aggregate>;

export const DATE_GRAINS = ["day", "week", "month", "quarter", "year"] as const;
export const DateGrain = z.enum(DATE_GRAINS);
export type DateGrain = z.infer<typeof DateGrain>;

/** `{{apiName}}` where a dataset may be configured by a variable. */
export const VariableToken = z.string().regex(/^\{\{[A-Za-z][A-Za-z0-9_]*\}\}$/, "must be a variable: {{name}}");

/** A field of a source, kept as output column `alias`. */
export const SelectedField = z.strictObject({
  alias: Alias,
  displayName: z.string().trim().min(1).max(120),
  apiName: z.string().min(1).max(200),
  dataType: DataType,
  datasourceAlias: Alias,
  /** How a grouped dataset folds the field; absent on the fields it groups by. */
  aggregate: Aggregate.optional(),
});
export type SelectedField = z.infer<typeof SelectedField>;

/** A column worked out by a formula from the sources' fields. */
export const CalculatedField = z.strictObject({
  aliasName: Alias,
  displayName: z.string().trim().min(1).max(120),
  dataType: DataType,
  formula: z.string().max(4_000),
  aggregate: Aggregate.optional(),
});
export type CalculatedField = z.infer<typeof CalculatedField>;

export const JOIN_TYPES = ["INNER", "LEFT", "RIGHT", "FULL"] as const;

export const JoinField = z.strictObject({
  datasetId: DataSourceId,
  datasourceAlias: Alias,
  apiName: z.string().min(1).max(200),
});
export type JoinField = z.infer<typeof JoinField>;

/** Rows belong together where `field1` equals `field2`; several joins of one pair all have to hold. */
export const DatasetJoin = z.strictObject({
  joinId: z.string().max(600).default(""),
  joinType: z.enum(JOIN_TYPES).default("INNER"),
  field1: JoinField,
  field2: JoinField,
});
export type DatasetJoin = z.infer<typeof DatasetJoin>;

/** Groups by an output column; date columns may be cut to a grain. Both may be variables. */
export const GroupBy = z.strictObject({
  datasetField: z.union([Alias, VariableToken]),
  grain: z.union([DateGrain, VariableToken]).optional(),
});
export type GroupBy = z.infer<typeof GroupBy>;

export const DatasetSort = z.strictObject({ field: Alias, ascending: z.boolean().default(true) });

/** A column that a statement in SQL gives, as the database describes it. */
export const SqlColumn = z.strictObject({
  name: Alias,
  displayName: z.string().trim().min(1).max(120),
  dataType: DataType,
  isMultiValueField: z.boolean().optional(),
  /** The field whose values it hands on as they are. */
  field: z.strictObject({ datasourceAlias: Alias, apiName: z.string().min(1).max(200) }).optional(),
});
export type SqlColumn = z.output<typeof SqlColumn>;

/** Characters of a statement; their bytes are limited as well. */
export const MAX_SQL_TEXT = 65_536;

export const DatasetConfig = z.strictObject({
  formatVersion: z.literal(1).default(1),
  configMode: z.enum(["BASIC", "SQL"]).default("BASIC"),
  /** `datasetId::datasourceAlias` of the first source. */
  fromDataset: z.string().max(200).default(""),
  sources: z.array(DatasetSource).max(DATASET_LIMITS.sources).default([]),
  selectedFields: z.array(SelectedField).max(DATASET_LIMITS.fields).default([]),
  calculatedFields: z.array(CalculatedField).max(DATASET_LIMITS.fields).default([]),
  joins: z.array(DatasetJoin).max(20).default([]),
  filter: Predicate.optional(),
  /** Whether rows are folded; with no `groupBy` the result is one row. */
  group: z.boolean().default(false),
  groupBy: z.array(GroupBy).max(20).default([]),
  /** A filter on the folded rows; names output columns. */
  having: Predicate.optional(),
  sort: z.array(DatasetSort).max(20).default([]),
  limit: z.union([z.int().min(1).max(DATASET_LIMITS.maxRows), VariableToken]).optional(),
  variables: z.array(Variable).max(50).default([]),
  variablesMap: VariableValues.default({}),
  /** In SQL mode the whole definition; the sources are then the tables it names. In basic mode what was written before. */
  sql: z.string().max(MAX_SQL_TEXT).optional(),
  /** What the statement gives; the server writes it when the dataset is saved. */
  sqlColumns: z.array(SqlColumn).max(DATASET_LIMITS.fields).optional(),
});
export type DatasetConfig = z.output<typeof DatasetConfig>;
export type DatasetConfigInput = z.input<typeof DatasetConfig>;

/** What a dataset gives to cards and to other datasets. */
export const DatasetColumn = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  dataType: DataType,
  /** What people call the values that are ids: a picklist's options. */
  labels: z.record(z.string(), z.string()).optional(),
});
export type DatasetColumn = z.infer<typeof DatasetColumn>;
