/** The assistant of data cards: a question becomes a typed proposal of a dataset and a card, which a person then applies. */
import { z } from "zod";
import { TimeZone } from "../config/time-zone.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { CardConfiguration, MAX_TOP, VizType } from "./card-configuration.ts";
import { Aggregate, DatasetColumn, DatasetConfig, DataSourceId, DatasourceType, DateGrain } from "./dataset-config.ts";

export const ASSISTANT_LIMITS = {
  /** Characters of a question. */
  question: 500,
  /** Questions of a person and of an instance in an hour. */
  perPerson: 60,
  perInstance: 600,
  /** Sources and columns of each that a model gets; the likeliest sources come first. */
  sources: 12,
  columns: 80,
  /** Options of a column that are named, and sample values, where a person asks for them. */
  options: 40,
  samples: 20,
  sampleRows: 300,
  /** Characters of a sample value. */
  sampleLength: 60,
  /** Tokens, bytes and milliseconds of a model's answer; bytes of what it is sent. */
  answerTokens: 1_500,
  answerBytes: 200_000,
  answerMs: 40_000,
  promptBytes: 60_000,
} as const;

/** What a proposal may filter with; the amount of `last` and `next` stands among the values. */
export const ASSISTANT_OPERATORS = [
  "equals",
  "notEquals",
  "inList",
  "notInList",
  "contains",
  "notContains",
  "startsWith",
  "endsWith",
  "greater",
  "greaterOrEqual",
  "less",
  "lessOrEqual",
  "between",
  "isBlank",
  "isNotBlank",
  "isTrue",
  "isFalse",
  "lastDays",
  "lastWeeks",
  "lastMonths",
  "nextDays",
  "nextWeeks",
  "nextMonths",
  "today",
  "thisWeek",
  "thisMonth",
  "thisQuarter",
  "thisYear",
] as const;

const ColumnName = z.string().min(1).max(200);

export const ProposedCondition = z.strictObject({
  column: ColumnName,
  operator: z.enum(ASSISTANT_OPERATORS),
  values: z.array(z.union([z.string().max(500), z.number(), z.boolean()])).max(50),
});
export type ProposedCondition = z.output<typeof ProposedCondition>;

/** A value of the card; `*` counts rows. */
export const ProposedValue = z.strictObject({ column: ColumnName, aggregate: Aggregate.nullable() });
export type ProposedValue = z.output<typeof ProposedValue>;

/**
 * What a question asks for, in terms of one source. Nothing in it is code: names of columns, operators and plain values,
 * which are checked like what a person sets up.
 */
export const CardIntent = z.strictObject({
  /** A dataset that there is, or an entity that a new dataset is built on. */
  source: z.strictObject({ type: DatasourceType, id: DataSourceId }),
  vizType: VizType,
  /** What values are grouped by; null for one number, and for rows of a table. */
  category: z.strictObject({ column: ColumnName, grain: DateGrain.nullable() }).nullable(),
  series: z.strictObject({ column: ColumnName }).nullable(),
  values: z.array(ProposedValue).max(5),
  /** Plain columns of a table's rows. */
  columns: z.array(ColumnName).max(20),
  /** All of them hold, or any. */
  combinator: z.enum(["and", "or"]),
  conditions: z.array(ProposedCondition).max(20),
  /** The largest categories, the newest dates or the first rows. */
  top: z.int().min(1).max(MAX_TOP).nullable(),
  /** The order of a table's rows. */
  order: z.strictObject({ column: ColumnName, ascending: z.boolean() }).nullable(),
});
export type CardIntent = z.output<typeof CardIntent>;

export const ASSISTANTS = ["none", "builtIn", "model"] as const;

export const getCardAssistant = endpoint({
  name: "getCardAssistant",
  method: "GET",
  path: "/card-assistant",
  access: "CREATE_DATACARD",
  alsoNeeds: "UPDATE_DATACARD",
  scope: "instance",
  summary: "Who answers questions for data cards: nobody until it is configured, built-in rules, or a language model.",
  reply: z.strictObject({
    assistant: z.enum(ASSISTANTS),
    /** Of the model. */
    host: z.string(),
    model: z.string(),
    /** Whether the caller may configure it. */
    mayConfigure: z.boolean(),
  }),
});

export const CardProposal = z.strictObject({
  intent: CardIntent,
  dataset: z.strictObject({
    /** Null while the dataset is to be made. */
    id: id("dataset").nullable(),
    displayName: z.string(),
    /** Of one that is to be made. */
    datasetConfig: DatasetConfig.nullable(),
    columns: z.array(DatasetColumn),
  }),
  card: CardConfiguration,
  /** Words of the question that nothing was made of. */
  ignored: z.array(z.string()),
});
export type CardProposal = z.output<typeof CardProposal>;

export const proposeCard = endpoint({
  name: "proposeCard",
  method: "POST",
  path: "/card-assistant/proposals",
  access: "CREATE_DATACARD",
  alsoNeeds: "UPDATE_DATACARD",
  scope: "instance",
  summary:
    "Proposes a dataset and a card for a question; nothing is saved. A model gets names of columns, and values only on request.",
  body: z.strictObject({
    question: z
      .string()
      .trim()
      .min(1, "Enter a question.")
      .max(ASSISTANT_LIMITS.question, `has at most ${ASSISTANT_LIMITS.question} characters`),
    /** The only source; absent: the one that fits best. */
    datasetId: id("dataset").optional(),
    /** What the question changes. */
    previous: CardIntent.optional(),
    /** Gives the model some values of the dataset's columns too; only with a dataset, and with PREVIEW_DATACARD. */
    samples: z.boolean().default(false),
    /** Where the question is asked: “last month” depends on what day it is there. */
    timeZone: TimeZone.default("UTC"),
  }),
  reply: CardProposal,
  errors: [
    "assistant_off",
    "question_not_understood",
    "assistant_answer_invalid",
    "upstream_failed",
    "upstream_timeout",
    "too_many_tries",
    "dataset_invalid",
  ],
});
