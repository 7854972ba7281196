/** What tells the rows of a relation apart, as SQL: one column, or the columns of a primary key together. */
import type { Values } from "@accord/contracts/data/values";
import { partsOf } from "../relational/joined-key.ts";
import { quoteName } from "./quote-name.ts";

/** SQL about the key of rows called `t`. */
export interface Key {
  columns: readonly string[];
  /** The id as text. */
  text: string;
  /** The columns in the order of their index. */
  order: string;
  /** Rows after the one with this id, in that order, or all when it is no id of such rows; `value` makes a parameter. */
  after(id: string, value: (text: string) => string): string;
  /** Rows up to the one with this id, in that order. */
  until(id: string, value: (text: string) => string): string;
  /** The row of `x` with the same key. */
  equals: string;
  /** The key's columns with their values: nulls, which no row has, for a text that is no id of such rows. */
  valuesOf(id: string): Values;
}

export function keyOf(columns: readonly string[]): Key {
  const names = columns.map((column) => `t.${quoteName(column)}`);
  const compared = (operator: string, id: string, value: (text: string) => string): string => {
    const texts = partsOf(columns, id);
    return texts === null
      ? "true"
      : `(${names.join(", ")}) ${operator} (${texts.map((text) => value(text)).join(", ")})`;
  };
  return {
    columns,
    text: textOf(columns),
    order: names.join(", "),
    equals: columns.map((column) => `t.${quoteName(column)} = x.${quoteName(column)}`).join(" AND "),
    after: (id, value) => compared(">", id, value),
    until: (id, value) => compared("<=", id, value),
    valuesOf(id) {
      const texts = partsOf(columns, id);
      return Object.fromEntries(columns.map((column, at) => [column, texts?.[at] ?? null]));
    },
  };
}

/** The text by which a field's columns are read, e.g. `["17", "3"]`. */
export function textOf(columns: readonly string[]): string {
  const texts = columns.map((column) => `t.${quoteName(column)}::text`);
  return texts.length === 1 ? texts.join("") : `json_build_array(${texts.join(", ")})::text`;
}
