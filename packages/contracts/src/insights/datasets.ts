/** Datasets: what they are made of, and the calls of the dataset editor. */
import { z } from "zod";
import { DataType, Value } from "../data/values.ts";
import { Predicate } from "../data/predicate.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Variable, VariableValues } from "./variables.ts";

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

/** An entity or dataset in use under a name. `datasetId` names an entity when the type is ENTITY. */
export const DatasetSource = z.strictObject({
  datasetId: z.string().min(1).max(60),
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
  datasetId: z.string().min(1).max(60),
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
  sql: z.string().max(65_536).optional(),
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

const Words = {
  displayName: z.string().trim().min(1, "Display name cannot be empty.").max(120),
  description: z.string().max(1_000).default(""),
  tags: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
};

/** A name in the address bar and in formulas: no spaces, no special characters. */
export const InsightsName = z
  .string()
  .max(120)
  .regex(
    /^[A-Za-z][A-Za-z0-9_]*$/,
    "must not be empty, start with a letter and hold only letters, digits and underscores",
  );

export const Dataset = z.strictObject({
  id: id("dataset"),
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  datasetConfig: DatasetConfig,
  version: z.int(),
  updatedAt: z.iso.datetime(),
});
export type Dataset = z.output<typeof Dataset>;

export const DatasetSummary = z.strictObject({
  id: id("dataset"),
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  updatedAt: z.iso.datetime(),
  /** Names of the entities and datasets it reads. */
  sources: z.array(z.string()),
  cards: z.int(),
});
export type DatasetSummary = z.infer<typeof DatasetSummary>;

/** One thing that uses another and so keeps it from being deleted. */
export const Dependency = z.strictObject({
  kind: z.enum(["dataset", "dataCard", "dashboard"]),
  id: z.string(),
  displayName: z.string(),
});
export type Dependency = z.infer<typeof Dependency>;

const Rows = z.array(z.record(z.string(), Value));

export const DatasetRows = z.strictObject({
  columns: z.array(DatasetColumn),
  rows: Rows,
  /** True when more rows exist than were asked for. */
  truncated: z.boolean(),
  asOf: z.iso.datetime(),
  /** The statement as it would run, for people who want to check it. */
  sql: z.string(),
});
export type DatasetRows = z.infer<typeof DatasetRows>;

const DatasetParams = z.strictObject({ id: id("dataset") });

export const listDatasets = endpoint({
  name: "listDatasets",
  method: "GET",
  path: "/datasets",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "Lists the datasets, and the entities a new one may be built on.",
  reply: z.strictObject({
    datasets: z.array(DatasetSummary),
    entities: z.array(
      z.strictObject({ id: id("entity"), apiName: z.string(), displayName: z.string(), fields: z.int() }),
    ),
  }),
});

export const getDataset = endpoint({
  name: "getDataset",
  method: "GET",
  path: "/datasets/:id",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "One dataset with its configuration and the columns it gives.",
  params: DatasetParams,
  reply: z.strictObject({
    dataset: Dataset,
    columns: z.array(DatasetColumn),
    problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
  }),
});

export const createDataset = endpoint({
  name: "createDataset",
  method: "POST",
  path: "/datasets",
  access: "CREATE_DATASET",
  scope: "instance",
  summary: "Creates a dataset.",
  creates: true,
  body: z.strictObject({ ...Words, name: InsightsName, datasetConfig: DatasetConfig }),
  reply: Dataset,
  errors: ["name_taken", "dataset_invalid"],
});

export const updateDataset = endpoint({
  name: "updateDataset",
  method: "PUT",
  path: "/datasets/:id",
  access: "UPDATE_DATASET",
  scope: "instance",
  summary: "Changes a dataset; its name stays.",
  params: DatasetParams,
  body: z.strictObject({ ...Words, datasetConfig: DatasetConfig, version: z.int() }),
  reply: Dataset,
  errors: ["stale_version", "dataset_invalid"],
});

export const deleteDataset = endpoint({
  name: "deleteDataset",
  method: "DELETE",
  path: "/datasets/:id",
  access: "DELETE_DATASET",
  scope: "instance",
  summary: "Deletes a dataset that nothing uses.",
  params: DatasetParams,
  reply: z.strictObject({}),
  errors: ["in_use"],
});

export const datasetDependencies = endpoint({
  name: "datasetDependencies",
  method: "GET",
  path: "/datasets/:id/dependencies",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "What uses this dataset.",
  params: DatasetParams,
  reply: z.strictObject({ dependencies: z.array(Dependency) }),
});

export const datasetVariables = endpoint({
  name: "datasetVariables",
  method: "GET",
  path: "/datasets/:id/variables",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The variables that make this dataset configurable.",
  params: DatasetParams,
  reply: z.strictObject({ variables: z.array(Variable) }),
});

export const lookupDatasetFields = endpoint({
  name: "lookupDatasetFields",
  method: "GET",
  path: "/datasets/fields",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The fields of an entity or a dataset, under the name it is used by.",
  query: z.strictObject({
    dataSourceId: z.string().regex(/^[0-9a-f]{24}$/, "must be an id: 24 characters, 0-9 and a-f"),
    dataSourceType: DatasourceType,
    alias: Alias.optional(),
  }),
  reply: z.strictObject({ dataSourceFields: z.array(DataSourceField), dataSourceAlias: z.string() }),
});

export const previewDataset = endpoint({
  name: "previewDataset",
  method: "POST",
  path: "/datasets/preview",
  access: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "Runs a dataset that may not be saved yet and answers its first rows.",
  body: z.strictObject({
    datasetConfig: DatasetConfig,
    variablesMap: VariableValues.default({}),
    /** The dataset being edited, so that it cannot be built on itself. */
    datasetId: id("dataset").optional(),
    rows: z.int().min(1).max(DATASET_LIMITS.previewRows).default(100),
  }),
  reply: DatasetRows,
  errors: ["dataset_invalid", "query_timeout"],
});

export const JoinSuggestion = z.strictObject({
  joinType: z.enum(JOIN_TYPES),
  field1: JoinField,
  field2: JoinField,
  /** 0 to 1: references first, then fields of one name, then ids. */
  confidence: z.number(),
  reason: z.enum(["reference", "sameName", "id"]),
});
export type JoinSuggestion = z.infer<typeof JoinSuggestion>;

export const suggestJoins = endpoint({
  name: "suggestJoins",
  method: "POST",
  path: "/datasets/join-suggestions",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "How the given sources could be joined, the likeliest first.",
  body: z.strictObject({ sources: z.array(DatasetSource).min(2).max(DATASET_LIMITS.sources) }),
  reply: z.strictObject({ suggestions: z.array(JoinSuggestion) }),
});

export const sampleDataSource = endpoint({
  name: "sampleDataSource",
  method: "GET",
  path: "/datasets/sample",
  access: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "A few records of an entity or a dataset, and how many there are.",
  query: z.strictObject({
    dataSourceId: z.string().regex(/^[0-9a-f]{24}$/, "must be an id: 24 characters, 0-9 and a-f"),
    dataSourceType: DatasourceType,
  }),
  reply: z.strictObject({ columns: z.array(DatasetColumn), rows: Rows, count: z.int() }),
});

export const DatasetFunction = z.strictObject({
  name: z.string(),
  category: z.string(),
  signature: z.string(),
  returnType: z.string(),
  help: z.string(),
  aggregate: z.boolean(),
});

export const listDatasetFunctions = endpoint({
  name: "listDatasetFunctions",
  method: "GET",
  path: "/datasets/functions",
  access: "READ_DATASET_FUNCTIONS",
  scope: "instance",
  summary: "The functions a calculated field may use.",
  reply: z.strictObject({ functions: z.array(DatasetFunction) }),
});

export const datasetEndpoints = {
  listDatasets,
  getDataset,
  createDataset,
  updateDataset,
  deleteDataset,
  datasetDependencies,
  datasetVariables,
  lookupDatasetFields,
  previewDataset,
  suggestJoins,
  sampleDataSource,
  listDatasetFunctions,
};
