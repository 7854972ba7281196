/** Which drafts of field pipelines go along with a version: all, those marked as ready, or those of these fields; and at which revisions they were looked at. */
import { z } from "zod";
import { id } from "../ids.ts";

export const FieldChoice = z.union([z.enum(["all", "ready"]), z.array(id("field")).max(1000)]);
export type FieldChoice = z.output<typeof FieldChoice>;

/** The drafts that a choice was seen to take, each at its revision. */
export const FieldDraftRevisions = z
  .array(z.strictObject({ fieldId: id("field"), revision: z.int().nonnegative() }))
  .max(1000);
export type FieldDraftRevisions = z.output<typeof FieldDraftRevisions>;

/** A draft that a choice takes otherwise than it was seen to. */
export const FieldDraftChange = z.strictObject({
  fieldId: id("field"),
  label: z.string(),
  /** `removed`: it was discarded, or is no longer marked as ready. */
  change: z.enum(["added", "changed", "removed"]),
});
export type FieldDraftChange = z.output<typeof FieldDraftChange>;
