/** From a mark of a card, such as a bar or a number of a table, to the records behind it. */
import { z } from "zod";
import { Predicate } from "../data/predicate.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { CardPreview } from "./cards.ts";
import { CrossFilters, MarkGroup } from "./cross-filter.ts";
import { VariableValues } from "./variables.ts";

export const CardMark = z.strictObject({
  /** All of them hold; none for a number that stands for the whole dataset. */
  groups: z.array(MarkGroup).max(50),
  /** The column of the answer that holds the mark's number. */
  value: z.string().max(60),
});
export type CardMark = z.output<typeof CardMark>;

/** Why a filter of records can't say what is behind a mark. */
export const NO_RECORDS_REASONS = [
  "joined_rows",
  "joined_field",
  "joined_filter",
  "computed_field",
  "computed_filter",
  "grouped_filter",
  "dataset_limit",
  "written_in_sql",
  "single_row",
  "system_field",
  "other_dates",
  "value_type",
  "similar_values",
  "filter_too_long",
] as const;
export type NoRecordsReason = (typeof NO_RECORDS_REASONS)[number];

export const MarkRecords = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("records"),
    entityId: id("entity"),
    /** Holds for exactly the records behind the mark; null when all of the entity are. */
    predicate: Predicate.nullable(),
    count: z.int().nonnegative(),
  }),
  /** `name`: the field that it is about; empty when it is about none. */
  z.strictObject({ kind: z.literal("none"), reason: z.enum(NO_RECORDS_REASONS), name: z.string() }),
]);
export type MarkRecords = z.output<typeof MarkRecords>;

export const dashboardMarkRecords = endpoint({
  name: "dashboardMarkRecords",
  method: "POST",
  path: "/dashboards/:id/cards/:cardId/records",
  access: "READ_DATA_STUDIO",
  alsoNeeds: "READ_DASHBOARD",
  scope: "instance",
  summary: "The filter of the records behind a mark of a card on a dashboard, or why no filter can say it.",
  params: z.strictObject({ id: id("dashboard"), cardId: id("dataCard") }),
  body: z.strictObject({
    variablesMap: VariableValues.default({}),
    filters: CrossFilters.default([]),
    mark: CardMark,
  }),
  reply: MarkRecords,
  errors: ["dataset_invalid", "validation_failed", "query_timeout"],
});

export const previewMarkRecords = endpoint({
  name: "previewMarkRecords",
  method: "POST",
  path: "/datacards/preview/records",
  access: "READ_DATA_STUDIO",
  alsoNeeds: "PREVIEW_DATACARD",
  scope: "instance",
  summary: "The filter of the records behind a mark of a card that may not be saved yet, or why no filter can say it.",
  body: CardPreview.extend({ mark: CardMark }),
  reply: MarkRecords,
  errors: ["dataset_invalid", "validation_failed", "query_timeout"],
});
