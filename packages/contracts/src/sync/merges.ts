/** Records found to be one and merged, duplicates that were only reported, and taking a merge back. */
import { z } from "zod";
import { Value } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { id } from "../ids.ts";
import { cursorQuery, PageInfo } from "../paging.ts";

/**
 * TOO_MANY: more duplicates than the core node allows, so nothing was merged. DISMISSED: a person said that they are
 * different things.
 */
export const MERGE_STATUSES = ["MERGED", "REPORTED", "TOO_MANY", "UNDONE", "DISMISSED"] as const;
export const MergeStatus = z.enum(MERGE_STATUSES);
export type MergeStatus = z.infer<typeof MergeStatus>;

export const Merge = z.strictObject({
  id: id("merge"),
  entityId: id("entity"),
  at: z.iso.datetime(),
  status: MergeStatus,
  winnerId: id("record"),
  loserIds: z.array(id("record")),
  /** What people call them, by record id. */
  names: z.record(z.string(), z.string().nullable()),
  /** What the merge changed of the winner. */
  changes: z.array(z.strictObject({ field: z.string(), from: Value, to: Value })),
  /** Values of all of them before, by record id; empty for reports. */
  before: z.record(z.string(), z.record(z.string(), Value)),
  /** Outside records that lead to the winner now. */
  movedLinks: z.int().nonnegative(),
  /** References of other records that were set to the winner. */
  repointed: z.int().nonnegative(),
  /** When and by whom it was taken back or dismissed. */
  undoneAt: z.iso.datetime().nullable(),
  undoneBy: z.string().nullable(),
  /** Who merged reported duplicates by hand; null: the pipeline did. */
  mergedBy: z.string().nullable(),
});
export type Merge = z.output<typeof Merge>;

const entityParams = z.strictObject({ entityId: id("entity") });

export const listMerges = endpoint({
  name: "listMerges",
  method: "GET",
  path: "/pipelines/:entityId/merges",
  access: "READ_STUDIO",
  scope: "instance",
  summary: "Merges and reported duplicates of a pipeline, newest first.",
  params: entityParams,
  query: cursorQuery({ count: 50, max: 200 })
    .omit({ direction: true })
    .extend({
      status: MergeStatus.optional(),
      /** Merges that this record won or lost. */
      recordId: id("record").optional(),
    }),
  reply: z.strictObject({ merges: z.array(Merge), page: PageInfo }),
});

/** What is left out is as reported: all of them, into the proposed winner. */
export const MergeChoice = z.strictObject({
  winnerId: id("record").optional(),
  loserIds: z.array(id("record")).min(1).max(200).optional(),
});
export type MergeChoice = z.output<typeof MergeChoice>;

const mergeParams = entityParams.extend({ mergeId: id("merge") });

export const mergeDuplicates = endpoint({
  name: "mergeDuplicates",
  method: "POST",
  path: "/pipelines/:entityId/merges/:mergeId/merge",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Merges reported duplicates, all or those chosen, by the core node's policies. It can be undone like any merge.",
  params: mergeParams,
  body: MergeChoice,
  reply: Merge,
  errors: ["invalid_state", "pipeline_not_published"],
});

export const dismissDuplicates = endpoint({
  name: "dismissDuplicates",
  method: "POST",
  path: "/pipelines/:entityId/merges/:mergeId/dismiss",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary: "Says that reported duplicates are different things: they are not reported again.",
  params: mergeParams,
  body: z.strictObject({}),
  reply: Merge,
  errors: ["invalid_state"],
});

export const undoMerge = endpoint({
  name: "undoMerge",
  method: "POST",
  path: "/pipelines/:entityId/merges/:mergeId/undo",
  access: "WRITE_STUDIO",
  scope: "instance",
  summary:
    "Takes a merge back: records, outside ids and references as before, and every system told. What was changed since stays.",
  params: mergeParams,
  body: z.strictObject({}),
  reply: Merge,
  errors: ["invalid_state"],
});
