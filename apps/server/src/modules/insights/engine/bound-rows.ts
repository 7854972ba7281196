/**
 * Bounds the rows of an export where the database makes them: nothing of an export may be cut, and a single value can be so
 * large that a process can't take it in. The first column of a row says which column is too large; the row is empty then.
 */
import type { Statement } from "@accord/analytics-engine";
import { fixedSql, identifier, joinSql, type SqlFragment, sql } from "@accord/expressions";
import type { RawRow } from "./analytics-engine.ts";

export const EXPORT_ROW_LIMITS = {
  /** Of one text, as the database sends it. */
  valueBytes: 5_000_000,
  /** Of all texts of a row. */
  rowBytes: 20_000_000,
} as const;

/** What the first column says of a row that is too large as a whole. */
const WHOLE_ROW = -1;

type Cell = Statement["cells"][number];

/** A row that no export holds. Nothing of it has reached this process. */
export class TooLargeRowError extends Error {
  override readonly name = "TooLargeRowError";
  /** Counted from one. */
  readonly row: number;
  /** The place of the column whose text is too long; undefined where all of them together are. */
  readonly column: number | undefined;

  constructor(row: number, column: number | undefined) {
    super(`row ${row} is too large`);
    this.row = row;
    this.column = column;
  }
}

/** Takes the first column off each batch. */
export function withinBounds(
  onRows: (rows: RawRow[], types: readonly number[]) => Promise<void>,
): (rows: RawRow[], types: readonly number[]) => Promise<void> {
  let before = 0;
  return async (rows, types) => {
    rows.forEach((row, index) => {
      const large = row.shift() ?? null;
      if (large === null) return;
      const column = Number(large);
      throw new TooLargeRowError(before + index + 1, column === WHOLE_ROW ? undefined : column);
    });
    before += rows.length;
    await onRows(rows, types.slice(1));
  };
}

export function boundRows({ text, params, cells }: Statement): { text: string; params: unknown[] } {
  const long = cells.map((cell, index) => ({ cell, index })).filter(({ cell }) => cell.type !== "plain");
  const tooLong = long.map(({ cell, index }) => sql`WHEN ${sizeOf(cell)} > ${VALUE} THEN ${fixedSql(String(index))}`);
  const sizes = long.map(({ cell }) => sql`coalesce(${sizeOf(cell)}, 0)::bigint`);
  const inside =
    long.length === 0
      ? fixedSql("NULL::integer")
      : sql`CASE ${joinSql(tooLong, " ")} WHEN ${joinSql(sizes, " + ")} > ${ROW} THEN ${fixedSql(String(WHOLE_ROW))} END`;
  const columns = cells.map((cell) => {
    const value = identifier(cell.name);
    return cell.type === "plain" ? value : sql`CASE WHEN ${LARGE} IS NULL THEN ${value} END AS ${value}`;
  });
  const outside = joinSql([LARGE, ...columns], ", ").strings.join("");
  const checked = sql`*, ${inside} AS ${LARGE}`.strings.join("");
  // OFFSET keeps the three apart: merged, each column would ask for the sizes of all, and each size compute its text again.
  return {
    text: `SELECT ${outside} FROM (SELECT ${checked} FROM (SELECT * FROM (\n${text}\n) AS "answer" OFFSET 0) AS "made" OFFSET 0) AS "checked"`,
    params,
  };
}

/** No column is called so: their names begin with a letter. */
const LARGE = identifier("_too_large");
const VALUE = fixedSql(String(EXPORT_ROW_LIMITS.valueBytes));
const ROW = fixedSql(String(EXPORT_ROW_LIMITS.rowBytes));

const sizeOf = ({ name, type }: Cell): SqlFragment =>
  type === "json" ? sql`octet_length(${identifier(name)}::text)` : sql`octet_length(${identifier(name)})`;
