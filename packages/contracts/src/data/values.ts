/** Data types of fields, and the values they hold inside Accord. */
import { z } from "zod";

export const DATA_TYPES = [
  "boolean",
  "integer",
  "double",
  "decimal",
  "string",
  "date",
  "datetime",
  "timestamp",
  "picklist",
  "reference",
  "object",
  "child",
  "complex",
  "password",
] as const;
export const DataType = z.enum(DATA_TYPES);
export type DataType = z.infer<typeof DataType>;

/**
 * A value inside Accord. integer: safe integer or digit text · decimal: exact text · date: `YYYY-MM-DD` ·
 * datetime and timestamp: UTC ISO-8601 with milliseconds · picklist: option id · reference: record id · multi-value: list.
 */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

export const Value: z.ZodType<Value> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Value), z.record(z.string(), Value)]),
);

/** The values of one record by field api name. */
export type Values = { [field: string]: Value };
export const Values = z.record(z.string(), Value);
