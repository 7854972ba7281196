/** Top categories and series of a card, and what becomes of the rest: added up or left out, and counted. */
import { fixedSql, sql, type SqlFragment } from "@accord/expressions";
import type { CardReduction } from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import { type Cell, type PrintOptions, querySql } from "./print.ts";
import { isNumeric, type Query } from "./query.ts";

export interface Fold {
  /** Most categories; null keeps all, in their order. */
  x: number | null;
  /** Most series; null when the card has none. */
  series: number | null;
  /** Whether values beyond are added up in one, or left out. */
  rest: "add" | "omit";
}

/** Columns that only such statements have; of them, rows carry on `other` and `otherSeries` alone. */
export const foldCells = (fold: Fold): Cell[] =>
  [
    ...(fold.x === null ? [] : ["other"]),
    ...(fold.series === null || fold.rest === "omit" ? [] : ["otherSeries"]),
    ...(fold.x === null ? [] : ["x_count", "rank"]),
    ...(fold.series === null ? [] : ["series_count"]),
  ].map((name) => ({ name, type: "plain" }));

const INTERNAL: ReadonlySet<string> = new Set(["rank", "x_count", "series_count"]);

type Row = { [column: string]: Value };

export const withoutFoldCells = (row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !INTERNAL.has(name)));

/** What the answer leaves out or adds up; `totalRows` is the count of rows where some were beyond the limit. */
export function reductionOf(
  fold: Fold | null,
  rows: readonly Row[],
  limit: { isLimited: boolean; totalRows: number | null },
): CardReduction | null {
  const count = (name: "x_count" | "series_count"): number => Number(rows[0]?.[name] ?? 0);
  const beyond = (most: number | null | undefined, found: number, kept: number): number =>
    most === null || most === undefined || found <= most ? 0 : found - kept;
  const adds = fold?.rest === "add";
  const otherCategories = beyond(fold?.x, count("x_count"), (fold?.x ?? 1) - 1);
  const series = count("series_count");
  const otherSeries = adds ? beyond(fold.series, series, (fold.series ?? 1) - 1) : 0;
  const omittedSeries = fold && !adds ? beyond(fold.series, series, fold.series ?? 0) : 0;
  if (!limit.isLimited && otherCategories + otherSeries + omittedSeries === 0) return null;
  return { ...limit, otherCategories, otherSeries, omittedSeries };
}

export const countSql = (rows: SqlFragment): SqlFragment =>
  sql`SELECT count(*) AS "total" FROM (\n${rows}\n) AS "rows"`;

export function foldedSql(query: Query, fold: Fold, limit: number, options: PrintOptions): SqlFragment {
  const grouped = querySql({ ...query, orderBy: [], limit: null }, options);
  const text =
    fold.series === null ? categoriesSql(query, fold, grouped) : seriesSql(query, fold, fold.series, grouped);
  return sql`${text}\nLIMIT ${limit}`;
}

const isShown = (key: string, most: number): string => `"${key}_count" <= ${most} OR "${key}_rank" < ${most}`;

const valuesSql = (query: Query): SqlFragment =>
  query.columns
    .filter(({ name }) => name.startsWith("y"))
    .map(({ name, expr }) => {
      const fn = expr.kind === "aggregate" && (expr.fn === "min" || expr.fn === "max") ? expr.fn : "sum";
      return fixedSql(`${fn}("${name}") AS "${name}"`);
    })
    .reduce((left, right) => sql`${left},\n  ${right}`);

/** Keeps the largest categories and adds the rest up, in one pass over the grouped rows. */
function categoriesSql(query: Query, fold: Fold, grouped: SqlFragment): SqlFragment {
  const shown = fixedSql(isShown("x", fold.x ?? 0));
  return sql`WITH "grouped" AS (\n${grouped}\n),
"ranked" AS (
  SELECT *, row_number() OVER (ORDER BY "y0" DESC NULLS LAST, "x") AS "x_rank", count(*) OVER () AS "x_count"
  FROM "grouped"
)
SELECT
  CASE WHEN ${shown} THEN "x" END AS "x",
  ${valuesSql(query)},
  NOT (${shown}) AS "other",
  max("x_count") AS "x_count",
  min("x_rank") AS "rank"
FROM "ranked"
GROUP BY 1, "other"
ORDER BY "other", "rank"`;
}

/** The same with series: of categories when they have a limit too, else along dates or numbers. */
function seriesSql(query: Query, fold: Fold, most: number, grouped: SqlFragment): SqlFragment {
  const y = query.columns.find(({ name }) => name === "y0");
  // What can't be added up is ranked by how much of it there is.
  const total = y && isNumeric(y.dataType) ? 'sum("y0")' : 'count("y0")';
  const keys = fold.x === null ? ["series"] : ["x", "series"];
  const totals = keys.map((key) => `${total} OVER (PARTITION BY "${key}") AS "${key}_total"`);
  const ranks = keys.map(
    (key) => `dense_rank() OVER (ORDER BY "${key}_total" DESC NULLS LAST, "${key}") AS "${key}_rank"`,
  );
  const counts = keys.map((key) => `max("${key}_rank") OVER () AS "${key}_count"`);
  const steps = sql`WITH "grouped" AS (\n${grouped}\n),
"totals" AS (
  SELECT *, ${fixedSql(totals.join(", "))}
  FROM "grouped"
),
"ranked" AS (
  SELECT *, ${fixedSql(ranks.join(", "))}
  FROM "totals"
),
"counted" AS (
  SELECT *, ${fixedSql(counts.join(", "))}
  FROM "ranked"
)`;
  if (fold.rest === "omit")
    return sql`${steps}
SELECT "x", "series", "y0", "series_count"
FROM "counted"
WHERE ${fixedSql(`"series_rank" <= ${most}`)}
ORDER BY "x" DESC NULLS LAST, "series_rank"`;
  const shown = fixedSql(isShown("series", most));
  if (fold.x === null)
    return sql`${steps}
SELECT
  "x",
  CASE WHEN ${shown} THEN "series" END AS "series",
  ${valuesSql(query)},
  NOT (${shown}) AS "otherSeries",
  max("series_count") AS "series_count"
FROM "counted"
GROUP BY 1, 2, "otherSeries"
ORDER BY "x" DESC NULLS LAST, "otherSeries", min("series_rank")`;
  const shownX = fixedSql(isShown("x", fold.x));
  return sql`${steps}
SELECT
  CASE WHEN ${shownX} THEN "x" END AS "x",
  CASE WHEN ${shown} THEN "series" END AS "series",
  ${valuesSql(query)},
  NOT (${shownX}) AS "other",
  NOT (${shown}) AS "otherSeries",
  max("x_count") AS "x_count",
  min("x_rank") AS "rank",
  max("series_count") AS "series_count"
FROM "counted"
GROUP BY 1, 2, "other", "otherSeries"
ORDER BY "other", "rank", "otherSeries", min("series_rank")`;
}
