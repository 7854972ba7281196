/**
 * What identifies the rows of a table, as SQL about rows called `t`: one column, or the columns of a primary key together.
 * Texts are compared and ordered by the column's own collation throughout, so that no two answers contradict each other.
 */
import { partsOf } from "../relational/joined-key.ts";
import type { SqlValue } from "./client.ts";
import type { Column } from "./columns.ts";
import { quoteName } from "./quote-name.ts";
import { comparedValue } from "./values.ts";

/** A condition with the values of its placeholders. */
export interface Condition {
  sql: string;
  values: SqlValue[];
}

export const NEVER: Condition = { sql: "FALSE", values: [] };

/** Options are ordered by their numbers, but compared as texts: as such they are ordered here too. */
const ordered = ({ name, kind }: Column): string => {
  const column = `t.${quoteName(name)}`;
  return kind === "option" || kind === "options" ? `CONCAT(${column})` : column;
};

export const orderOf = (key: readonly Column[]): string => key.map(ordered).join(", ");

const plain = ({ name }: Column): string => `t.${quoteName(name)}`;

/** Rows after the one with this id in the order of the key: nothing is known of an id that is none of such rows. */
export function afterId(key: readonly Column[], id: string): Condition | null {
  const texts = partsOf(
    key.map(({ name }) => name),
    id,
  );
  const parts = texts ? key.map((column, at) => comparedValue(column, texts[at] ?? "")) : [];
  const found = parts.flatMap((part) => part ?? []);
  if (found.length < key.length) return null;
  const values: SqlValue[] = [];
  /** `a > 1 OR (a = 1 AND (b > 2 OR …))`, each with a bound on its first column, by which the index is entered. */
  const from = (at: number): string => {
    const column = key[at];
    const part = found[at];
    if (!column || !part) return "FALSE";
    if (at === key.length - 1) {
      values.push(part.value);
      return `${ordered(column)} > ${part.sql}`;
    }
    values.push(part.value, part.value, part.value);
    const bound = `${ordered(column)} >= ${part.sql} AND (${ordered(column)} > ${part.sql} OR (${ordered(column)} = ${part.sql} AND `;
    return `${bound}${from(at + 1)}))`;
  };
  return { sql: `(${from(0)})`, values };
}

/** The row with this id, as the server compares; never, for a text that no row can have as id. */
export function hasId(key: readonly Column[], id: string): Condition {
  return hasOneOf(key, [id]);
}

/** Rows with one of the ids. */
export function hasOneOf(key: readonly Column[], ids: readonly string[]): Condition {
  const names = key.map(({ name }) => name);
  const values: SqlValue[] = [];
  const alternatives: string[] = [];
  for (const id of ids) {
    const texts = partsOf(names, id);
    const parts = texts ? key.map((column, at) => ({ column, part: comparedValue(column, texts[at] ?? "") })) : [];
    const found = parts.flatMap(({ column, part }) => (part ? { ...part, name: plain(column) } : []));
    if (found.length < key.length) continue;
    values.push(...found.map(({ value }) => value));
    const equal = found.map(({ name, sql }) => (key.length === 1 ? sql : `${name} = ${sql}`));
    alternatives.push(key.length === 1 ? equal.join("") : `(${equal.join(" AND ")})`);
  }
  if (alternatives.length === 0) return NEVER;
  const [column] = key;
  if (key.length === 1 && column) return { sql: `${plain(column)} IN (${alternatives.join(", ")})`, values };
  return { sql: `(${alternatives.join(" OR ")})`, values };
}
