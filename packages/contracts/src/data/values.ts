/** Data types of fields, and the values they hold inside Accord. */
import { z } from "zod";
import { type ExactNumber, isExactNumber } from "./exact-number.ts";

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
 * A value inside Accord. integer: safe integer or digit text · decimal: exact text · double: number, or the texts
 * `NaN`, `Infinity` and `-Infinity` · date: `YYYY-MM-DD` · datetime and timestamp: UTC ISO-8601 with milliseconds, or
 * microseconds where they are not zero · years beyond 1 to 9999 with sign and six digits, and `infinity` and `-infinity`
 * as PostgreSQL has them · picklist: option id · reference: record id · multi-value: list, its items may be null, blank or
 * lists · object: JSON, numbers beyond JavaScript's are `ExactNumber` (`exact-number.ts`).
 */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };

/** A copy of its members would not be one. */
const Exact = z.custom<ExactNumber & { [key: string]: Value }>(isExactNumber).meta({ type: "number" });

export const Value: z.ZodType<Value> = z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), Exact, z.array(Value), z.record(z.string(), Value)]),
);

/** The values of one record by field api name. */
export type Values = { [field: string]: Value };

/** Looked at by hand: a page holds thousands of values, and a union tried for each would cost more than reading them. */
export const Values = z
  .custom<Values>((data) => isPlainObject(data) && isEach(Object.values(data)), "must be an object of values")
  .meta({ type: "object", additionalProperties: true });

const isPlainObject = (data: unknown): data is object =>
  typeof data === "object" && data !== null && !Array.isArray(data) && isPlain(Object.getPrototypeOf(data));

const isPlain = (prototype: unknown): boolean => prototype === Object.prototype || prototype === null;

function isEach(items: readonly unknown[]): boolean {
  for (const item of items) if (!isValue(item)) return false;
  return true;
}

/** The same as `Value`, and many times faster for large ones. */
export function isValue(data: unknown): data is Value {
  if (data === null || typeof data === "string" || typeof data === "boolean") return true;
  if (typeof data === "number") return Number.isFinite(data);
  return Array.isArray(data) ? isEach(data) : isPlainObject(data) && isEach(Object.values(data));
}
