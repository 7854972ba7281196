/**
 * Bounds the rows of an export where the database makes them: nothing of an export may be cut, and a single value can be so
 * large that a process can't take it in. The database ends the statement at the first row that is too large.
 */
import type { Statement } from "@accord/analytics-engine";
import { fixedSql, identifier, joinSql, type SqlFragment, sql } from "@accord/expressions";
import { isDatabaseError } from "../../../platform/db/database-error.ts";

export interface ExportRowLimits {
  /** Of one text, as the database sends it. */
  valueBytes: number;
  /** Of all texts of a row. */
  rowBytes: number;
}

export const EXPORT_ROW_LIMITS: ExportRowLimits = {
  valueBytes: 5_000_000,
  rowBytes: 20_000_000,
};

type Cell = Statement["cells"][number];

/** A row that no export holds. Nothing of it has reached this process. */
export class TooLargeRowError extends Error {
  override readonly name = "TooLargeRowError";
  /** Counted from one. */
  readonly row: number;
  /** The place of the column whose text is too long; undefined where all of them together are. */
  readonly column: number | undefined;
  /** The limit in bytes. */
  readonly limit: number;

  constructor(row: number, column: number | undefined, limit: number) {
    super(`row ${row} is too large`);
    this.row = row;
    this.column = column;
    this.limit = limit;
  }
}

/** What the database says of a row that is too large as a whole. */
const WHOLE_ROW = -1;
const TOO_LARGE_ROW = /^row too large at column (-?\d+)$/;

/** `rows`: as many came before. */
export function tooLargeRow(error: unknown, rows: number, limits: ExportRowLimits): TooLargeRowError | undefined {
  const [, place] = (isDatabaseError(error) && TOO_LARGE_ROW.exec(error.message)) || [];
  if (place === undefined) return undefined;
  const column = Number(place);
  return column === WHOLE_ROW
    ? new TooLargeRowError(rows + 1, undefined, limits.rowBytes)
    : new TooLargeRowError(rows + 1, column, limits.valueBytes);
}

/** The statement, which fails at the first row that is too large. */
export function boundRows(
  { text, params, cells }: Statement,
  { valueBytes, rowBytes }: ExportRowLimits,
): { text: string; params: unknown[] } {
  const long = cells.map((cell, index) => ({ cell, index })).filter(({ cell }) => cell.type !== "plain");
  if (long.length === 0) return { text, params };
  const fail = (at: number): SqlFragment => fixedSql(`accord_analytics.row_too_large(${at})`);
  const tooLong = long.map(
    ({ cell, index }) => sql`WHEN ${sizeOf(cell)} > ${fixedSql(String(valueBytes))} THEN ${fail(index)}`,
  );
  const sizes = long.map(({ cell }) => sql`coalesce(${sizeOf(cell)}, 0)::bigint`);
  const check = sql`CASE ${joinSql(tooLong, " ")} WHEN ${joinSql(sizes, " + ")} > ${fixedSql(String(rowBytes))} THEN ${fail(WHOLE_ROW)} END`;
  const columns = cells.map((cell) => {
    const value = identifier(cell.name);
    return cell.type === "plain" ? value : sql`CASE WHEN ${LARGE} IS NULL THEN ${value} END AS ${value}`;
  });
  const outside = joinSql(columns, ", ").strings.join("");
  const checked = sql`*, ${check} AS ${LARGE}`.strings.join("");
  // OFFSET keeps the three apart: merged, each column would ask for the sizes of all, and each size compute its text again.
  return {
    text: `SELECT ${outside} FROM (SELECT ${checked} FROM (SELECT * FROM (\n${text}\n) AS "answer" OFFSET 0) AS "made" OFFSET 0) AS "checked"`,
    params,
  };
}

/** No column is called so: their names begin with a letter. */
const LARGE = identifier("_too_large");

const sizeOf = ({ name, type }: Cell): SqlFragment =>
  type === "json" ? sql`octet_length(${identifier(name)}::text)` : sql`octet_length(${identifier(name)})`;
