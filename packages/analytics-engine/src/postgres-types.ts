/** Types of PostgreSQL for the types of data: of columns that written statements give, of their variables, of compared values. */
import type { DataType } from "@accord/contracts/data/values";

export const POSTGRES_TYPES: Readonly<Record<DataType, string>> = {
  string: "text",
  picklist: "text",
  reference: "text",
  password: "text",
  integer: "bigint",
  decimal: "numeric",
  double: "double precision",
  boolean: "boolean",
  date: "date",
  datetime: "timestamptz",
  timestamp: "timestamptz",
  object: "jsonb",
  child: "jsonb",
  complex: "jsonb",
};
