/** Entities of the unified model: their fields, versions and how they stand, as every studio shows them. */
import { z } from "zod";
import { id } from "../ids.ts";
import { ApiName, FieldSchema } from "./schema.ts";

/** One field of the unified model. `referenceTo` holds the api name of another core entity. */
export const CoreField = FieldSchema.extend({ id: id("field"), apiName: ApiName });
export type CoreField = z.output<typeof CoreField>;

/** What a person may say about a field. */
export const CoreFieldInput = FieldSchema.extend({ apiName: ApiName }).omit({
  status: true,
  isSystem: true,
  isIdField: true,
  isWatermarkField: true,
  isCreatedAtField: true,
  isUpdatedAtField: true,
});
export type CoreFieldInput = z.output<typeof CoreFieldInput>;

/** NEW: never published · DRAFT: changes over a published version · APPROVED: the published one · ARCHIVED: an older one. */
export const VersionState = z.enum(["NEW", "DRAFT", "APPROVED", "ARCHIVED"]);
export type VersionState = z.infer<typeof VersionState>;

export const EntityOrigin = z.strictObject({ connectorId: id("connector"), entityApiName: z.string().min(1).max(200) });
export type EntityOrigin = z.infer<typeof EntityOrigin>;

/** An entity with its fields, in one of its versions. */
export const CoreEntity = z.strictObject({
  id: id("entity"),
  apiName: ApiName,
  displayName: z.string().min(1).max(120),
  pluralName: z.string().min(1).max(120),
  description: z.string().max(1000).default(""),
  tags: z.array(z.string().min(1).max(40)).max(20).default([]),
  /** Api name of the field whose value names a record for people; null: the record's id does. */
  nameField: z.string().nullable().default(null),
  child: z.boolean().default(false),
  /** The connector's entity this one was made from. */
  madeFrom: EntityOrigin.nullable().default(null),
  /** Number of the published version; 0 when never published. */
  version: z.int().nonnegative(),
  /** Which version `fields` shows. */
  state: VersionState,
  hasDraft: z.boolean(),
  /** Grows with every save of this version; sent back on the next save, so that nobody overwrites unseen work. */
  revision: z.int().nonnegative(),
  fields: z.array(CoreField),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type CoreEntity = z.output<typeof CoreEntity>;
