/** Datasets as they are stored, and the calls of the dataset editor. */
import { z } from "zod";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { Variable, VariableValues } from "./variables.ts";
import {
  DATASET_LIMITS,
  DatasourceType,
  Alias,
  DatasetSource,
  DataSourceField,
  JOIN_TYPES,
  JoinField,
  DatasetConfig,
  DatasetColumn,
  DataSourceId,
} from "./dataset-config.ts";

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
  createdBy: z.string(),
  updatedBy: z.string(),
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

/** A published dashboard that shows a copy of a card or dataset, as it was when the dashboard was published. */
export const PublishedUse = z.strictObject({ id: z.string(), displayName: z.string(), shares: z.int() });
export type PublishedUse = z.infer<typeof PublishedUse>;

/** Deleting what is used has to be confirmed; published dashboards keep showing their copy. */
export const DeleteQuery = z.strictObject({ confirmed: z.stringbool().default(false) });

const Rows = z.array(Values);

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
  summary:
    "Changes a dataset; its name stays. Published dashboards show it as it was until they are published again. Removing columns or variables that something uses has to be confirmed.",
  params: DatasetParams,
  query: DeleteQuery,
  body: z.strictObject({ ...Words, datasetConfig: DatasetConfig, version: z.int() }),
  reply: Dataset,
  errors: ["stale_version", "dataset_invalid", "dataset_parts_in_use"],
});

export const deleteDataset = endpoint({
  name: "deleteDataset",
  method: "DELETE",
  path: "/datasets/:id",
  access: "DELETE_DATASET",
  scope: "instance",
  summary: "Deletes a dataset that nothing uses; when published dashboards hold a copy of it, only if confirmed.",
  params: DatasetParams,
  query: DeleteQuery,
  reply: z.strictObject({}),
  errors: ["in_use", "in_published_dashboards"],
});

export const datasetDependencies = endpoint({
  name: "datasetDependencies",
  method: "GET",
  path: "/datasets/:id/dependencies",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "What uses this dataset, and the published dashboards that show a copy of it.",
  params: DatasetParams,
  reply: z.strictObject({ dependencies: z.array(Dependency), publishedOn: z.array(PublishedUse) }),
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
    dataSourceId: DataSourceId,
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
  errors: ["dataset_invalid", "query_timeout", "answer_too_large"],
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
    dataSourceId: DataSourceId,
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
