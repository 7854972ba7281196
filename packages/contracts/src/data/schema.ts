/** Shape of entities and fields, the same for the unified model and for connected systems. */
import { z } from "zod";
import { DataType, Value } from "./values.ts";

/** Api names: a letter, then letters, digits and underscores. Those of Accord's own columns start with `accord_`. */
export const API_NAME_PATTERN = /^[A-Za-z][A-Za-z0-9_]{0,49}$/;
export const ApiName = z
  .string()
  .regex(API_NAME_PATTERN, "must start with a letter and hold only letters, digits and underscores (50 at most)")
  .refine((name) => !name.toLowerCase().startsWith("accord_"), "must not start with accord_")
  // Values are looked up by these names in plain objects, where such names mean something already.
  .refine((name) => !(name in {}), "is a reserved word: choose another name");

export const PicklistOption = z.strictObject({ id: z.string().min(1), label: z.string() });

/** One field of an entity, as a connected system or the unified model describes it. */
export const FieldSchema = z.strictObject({
  apiName: z.string().min(1).max(200),
  displayName: z.string().max(120),
  dataType: DataType.default("string"),
  description: z.string().max(1000).optional(),
  custom: z.boolean().default(false),
  defaultValue: Value.optional(),
  nillable: z.boolean().default(true),
  initializable: z.boolean().default(true),
  updateable: z.boolean().default(true),
  createOnly: z.boolean().default(false),
  calculated: z.boolean().default(false),
  unique: z.boolean().default(false),
  length: z.int().positive().optional(),
  precision: z.int().positive().optional(),
  scale: z.int().nonnegative().optional(),
  status: z.enum(["ACTIVE", "INACTIVE", "DELETED", "PENDING"]).default("ACTIVE"),
  /** Api name of the entity that a reference points to. */
  referenceTo: z.string().optional(),
  referenceTargetField: z.string().optional(),
  picklist: z.array(PicklistOption).optional(),
  isMultiValueField: z.boolean().default(false),
  isSystem: z.boolean().default(false),
  isIdField: z.boolean().default(false),
  isWatermarkField: z.boolean().default(false),
  isCreatedAtField: z.boolean().default(false),
  isUpdatedAtField: z.boolean().default(false),
});
export type FieldSchema = z.output<typeof FieldSchema>;

/** One entity (table, object, resource, folder) of a connected system. */
export const EntitySchema = z.strictObject({
  apiName: z.string().min(1).max(200),
  displayName: z.string().max(120),
  pluralName: z.string().max(120).optional(),
  description: z.string().max(1000).optional(),
  custom: z.boolean().default(false),
  readOnly: z.boolean().default(false),
  child: z.boolean().default(false),
  fields: z.array(FieldSchema),
});
export type EntitySchema = z.output<typeof EntitySchema>;
