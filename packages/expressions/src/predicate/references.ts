/** Fields of referenced records by a dotted name: `owner.email`, `account.owner.Name`. */
import { type SqlFragment, sql } from "../sql/fragment.ts";
import type { FieldShape } from "../values/kind.ts";

/** A reference names the entity it leads to. */
export interface ReferenceShape extends FieldShape {
  referenceTo?: string;
}

/** So many references may follow one another. */
export const REFERENCE_DEPTH = 3;

export interface DottedField<Field> {
  /** The references to follow, in order, with the entity each leads to. */
  steps: readonly { field: string; to: string }[];
  /** The field of the last record. */
  name: string;
  field: Field;
}

/** null when the name has no dot, or a step is no single reference, or leads nowhere, or there are too many. */
export function dottedField<Field extends ReferenceShape>(
  name: string,
  entity: string,
  fieldOf: (entity: string, name: string) => Field | undefined,
): DottedField<Field> | null {
  const parts = name.split(".");
  const last = parts.pop();
  if (last === undefined || parts.length === 0 || parts.length > REFERENCE_DEPTH) return null;
  const steps: { field: string; to: string }[] = [];
  let at = entity;
  for (const part of parts) {
    const reference = fieldOf(at, part);
    if (reference?.dataType !== "reference" || reference.isMultiValueField || !reference.referenceTo) return null;
    at = reference.referenceTo;
    steps.push({ field: part, to: at });
  }
  const field = fieldOf(at, last);
  return field ? { steps, name: last, field } : null;
}

/** How records of an entity are read in SQL: parts made by the caller, never from user text. */
export interface ReferencedTable {
  table: SqlFragment;
  /** Of a row of the table under an alias. */
  column: (alias: string, field: string) => SqlFragment;
  id: (alias: string) => SqlFragment;
  /** Which rows count: deleted ones do not. */
  counts: (alias: string) => SqlFragment;
}

/**
 * The value as a subquery: `(SELECT p1.… FROM … p1 WHERE p1.id = …)`. `from` is the first reference's own column.
 * null when a record on the way is missing, as in memory.
 */
export function dottedSql<Field>(
  { steps, name }: DottedField<Field>,
  from: SqlFragment,
  tableOf: (entity: string) => ReferencedTable,
): SqlFragment {
  return steps.reduce((value, step, index) => {
    const alias = `p${index + 1}`;
    const { table, column, id, counts } = tableOf(step.to);
    const wanted = steps[index + 1]?.field ?? name;
    const on = sql`${id(alias)} = ${value} AND ${counts(alias)}`;
    return sql`(SELECT ${column(alias, wanted)} FROM ${table} WHERE ${on})`;
  }, from);
}
