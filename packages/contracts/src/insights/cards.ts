/** Data cards: one chart on one dataset, and the calls that make and draw it. */
import { z } from "zod";
import { Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { CardConfiguration, VizType } from "./card-configuration.ts";
import { DatasetColumn, DatasetConfig } from "./dataset-config.ts";
import { DeleteQuery, Dependency, InsightsName, PublishedUse } from "./datasets.ts";
import { Variable, VariableValues } from "./variables.ts";

export * from "./card-configuration.ts";

/** One settable item of a card: a variable it uses. */
export const ConfigurationMeta = z.strictObject({
  name: z.string(),
  displayName: z.string(),
  helpSummary: z.string(),
  datatype: z.string(),
});

export const DataCard = z.strictObject({
  id: id("dataCard"),
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  vizType: VizType,
  configuration: VariableValues,
  configurationMeta: z.array(ConfigurationMeta),
  contents: z.strictObject({ configuration: CardConfiguration }),
  version: z.int(),
  updatedAt: z.iso.datetime(),
});
export type DataCard = z.output<typeof DataCard>;

export const DataCardSummary = z.strictObject({
  id: id("dataCard"),
  displayName: z.string(),
  name: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  vizType: VizType,
  datasetId: z.string(),
  datasetName: z.string(),
  /** Names of those that show it, in their draft or published. */
  dashboards: z.array(z.string()),
  updatedAt: z.iso.datetime(),
  createdBy: z.string(),
  updatedBy: z.string(),
});
export type DataCardSummary = z.infer<typeof DataCardSummary>;

export const CardRows = z.array(Values);

/** What an answer leaves out or adds up to stay within the limits of a chart. */
export const CardReduction = z.strictObject({
  /** Whether rows beyond the limit were left out. */
  isLimited: z.boolean(),
  /** Rows without the limit; null when nothing was left out, or there are too many to count. */
  totalRows: z.int().nullable(),
  /** Categories added up in the row with `other`. */
  otherCategories: z.int(),
  /** Series added up in rows with `otherSeries`. */
  otherSeries: z.int(),
  /** Series left out, because their values can't be added up. */
  omittedSeries: z.int(),
  /** Categories left out for the same reason, where the card asks for fewer. */
  omittedCategories: z.int().optional(),
});
export type CardReduction = z.output<typeof CardReduction>;

/** What a chart is drawn from. Row keys: `x`, `series`, `y0`… for charts; the columns' names for tables and metrics. */
export const CardData = z.strictObject({
  columns: z.array(DatasetColumn),
  rows: CardRows,
  /** Null when every row of the dataset is in the answer by itself. */
  reduction: CardReduction.nullable(),
  /** When the answer was worked out. */
  asOf: z.iso.datetime(),
  /** When the records behind it last changed; null when nothing was ever stored. */
  dataAsOf: z.iso.datetime().nullable(),
  /** The label with its variables filled in. */
  label: z.string(),
});
export type CardData = z.output<typeof CardData>;

const Words = {
  displayName: z.string().trim().min(1, "Display name cannot be empty.").max(120),
  description: z.string().max(1_000).default(""),
  tags: z.array(z.string().trim().min(1).max(50)).max(20).default([]),
};
const Contents = z.strictObject({ configuration: CardConfiguration });
const CardParams = z.strictObject({ id: id("dataCard") });

export const listDataCards = endpoint({
  name: "listDataCards",
  method: "GET",
  path: "/datacards",
  access: "VIEW_DATACARD",
  scope: "instance",
  summary: "Lists the data cards.",
  reply: z.strictObject({ dataCards: z.array(DataCardSummary) }),
});

export const getDataCard = endpoint({
  name: "getDataCard",
  method: "GET",
  path: "/datacards/:id",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "One data card.",
  params: CardParams,
  reply: DataCard,
});

export const createDataCard = endpoint({
  name: "createDataCard",
  method: "POST",
  path: "/datacards",
  access: "CREATE_DATACARD",
  alsoNeeds: "UPDATE_DATACARD",
  scope: "instance",
  summary: "Creates a data card.",
  creates: true,
  body: z.strictObject({ ...Words, name: InsightsName, contents: Contents }),
  reply: DataCard,
  errors: ["name_taken", "validation_failed"],
});

export const updateDataCard = endpoint({
  name: "updateDataCard",
  method: "PUT",
  path: "/datacards/:id",
  access: "UPDATE_DATACARD",
  scope: "instance",
  summary: "Changes a data card; drafts follow, published dashboards once they are published again.",
  params: CardParams,
  body: z.strictObject({ ...Words, contents: Contents, version: z.int() }),
  reply: DataCard,
  errors: ["stale_version", "validation_failed"],
});

export const deleteDataCard = endpoint({
  name: "deleteDataCard",
  method: "DELETE",
  path: "/datacards/:id",
  access: "DELETE_DATACARD",
  scope: "instance",
  summary: "Deletes a data card that no draft shows; when published dashboards hold a copy of it, only if confirmed.",
  params: CardParams,
  query: DeleteQuery,
  reply: z.strictObject({}),
  errors: ["in_use", "in_published_dashboards"],
});

export const dataCardDependencies = endpoint({
  name: "dataCardDependencies",
  method: "GET",
  path: "/datacards/:id/dependencies",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The drafts that show this card, and the published dashboards that show a copy of it.",
  params: CardParams,
  reply: z.strictObject({
    dependencies: z.array(Dependency),
    publishedOn: z.array(PublishedUse),
    /** Alerts that are deleted with it; 0 for people who may not delete it. */
    alerts: z.int().nonnegative(),
  }),
});

/** A card that may not be saved yet, and its dataset, which may not be saved as it is either. */
export const CardPreview = z.strictObject({
  datacard: z.strictObject({ contents: Contents }),
  dataset: z.strictObject({ id: id("dataset").optional(), datasetConfig: DatasetConfig.optional() }).default({}),
});
export type CardPreview = z.output<typeof CardPreview>;

export const previewDataCard = endpoint({
  name: "previewDataCard",
  method: "POST",
  path: "/datacards/preview",
  access: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "Works out a card that may not be saved yet.",
  body: CardPreview,
  reply: z.strictObject({ contents: z.strictObject({ data: CardData }) }),
  errors: ["dataset_invalid", "validation_failed", "query_timeout", "answer_too_large"],
});

export const dataCardData = endpoint({
  name: "dataCardData",
  method: "POST",
  path: "/datacards/:id/data",
  access: "READ_INSIGHTS",
  scope: "instance",
  summary: "The data of a saved card by itself, as of when the reply says.",
  params: CardParams,
  body: z.strictObject({
    variablesMap: VariableValues.default({}),
    /** Works it out again instead of answering from the cache. */
    refresh: z.boolean().default(false),
  }),
  reply: z.strictObject({
    configuration: CardConfiguration,
    variables: z.array(Variable),
    data: CardData,
  }),
  errors: ["dataset_invalid", "validation_failed", "query_timeout", "answer_too_large"],
});
