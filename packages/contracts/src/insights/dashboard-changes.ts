/** What publishing a dashboard would change, as the publish dialog lists it. */
import { z } from "zod";

/** What of a dashboard, a card or a dataset differs. Parts that people recognise by a name or a value carry them. */
export const CHANGED_PARTS = [
  // of the dashboard
  "tags",
  "dashboardVariables",
  // of a card's place on it
  "position",
  "size",
  "settings",
  // of several kinds
  "displayName",
  "description",
  // of a card
  "vizType",
  "dataset",
  "shownColumns",
  "label",
  "legend",
  "ranges",
  "cardVariables",
  "appearance",
  // of a dataset
  "sources",
  "joins",
  "columnAdded",
  "columnRemoved",
  "columnChanged",
  "filter",
  "grouping",
  "having",
  "sort",
  "limit",
  "variableAdded",
  "variableRemoved",
  "variableChanged",
  "datasetOther",
] as const;

export const ChangedPart = z.strictObject({
  part: z.enum(CHANGED_PARTS),
  /** The column or variable it is about. */
  name: z.string().optional(),
  before: z.string().optional(),
  after: z.string().optional(),
});
export type ChangedPart = z.infer<typeof ChangedPart>;

/** A dashboard, card or dataset that is no longer what the published version shows of it. */
export const UnpublishedChange = z.strictObject({
  kind: z.enum(["dashboard", "dataCard", "dataset"]),
  id: z.string(),
  displayName: z.string(),
  /** `deleted`: the card does not exist any more; `removed`: it was taken off the dashboard. */
  change: z.enum(["added", "removed", "updated", "deleted"]),
  parts: z.array(ChangedPart),
});
export type UnpublishedChange = z.infer<typeof UnpublishedChange>;

/** A card or dataset that differs from what is published: deleting the draft sets it back. */
export const DraftRevert = z.strictObject({
  kind: z.enum(["dataCard", "dataset"]),
  id: z.string(),
  displayName: z.string(),
  /** Other dashboards that need it as it is now; it is set back only if there are none. */
  neededBy: z.array(z.string()),
});
export type DraftRevert = z.infer<typeof DraftRevert>;
