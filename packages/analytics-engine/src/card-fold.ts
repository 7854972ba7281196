/** Top categories and series of a card, and what becomes of the rest: added up or left out, and counted. */
import { fixedSql, sql, type SqlFragment } from "@accord/expressions";
import type { CardReduction } from "@accord/contracts/insights/cards";
import type { Value } from "@accord/contracts/data/values";
import { type Cell, type PrintOptions, querySql } from "./print.ts";
import { isNumeric, type Query } from "./query.ts";

/** How many categories or series stay: all where there are no more than that, else the largest of them. */
export interface Kept {
  all: number;
  largest: number;
}

export interface Fold {
  /** Null keeps all categories, in their order. */
  x: Kept | null;
  /** Null when the card has no series. */
  series: Kept | null;
  /** Whether values beyond are added up in one, or left out. */
  rest: "add" | "omit";
}

/** Columns that only such statements have; of them, rows carry on `other` and `otherSeries` alone. */
export const foldCells = ({ x, series, rest }: Fold): Cell[] =>
  [
    ...(x === null || rest === "omit" ? [] : ["other"]),
    ...(series === null || rest === "omit" ? [] : ["otherSeries"]),
    ...(x === null ? [] : rest === "omit" ? ["x_count"] : ["x_count", "rank"]),
    ...(series === null ? [] : ["series_count"]),
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
  const beyond = (kept: Kept | null | undefined, found: number): number =>
    !kept || found <= kept.all ? 0 : found - kept.largest;
  const adds = fold?.rest === "add";
  const [categories, series] = [beyond(fold?.x, count("x_count")), beyond(fold?.series, count("series_count"))];
  if (!limit.isLimited && categories + series === 0) return null;
  return {
    ...limit,
    otherCategories: adds ? categories : 0,
    otherSeries: adds ? series : 0,
    omittedSeries: adds ? 0 : series,
    ...(!adds && categories > 0 ? { omittedCategories: categories } : {}),
  };
}

export const countSql = (rows: SqlFragment): SqlFragment =>
  sql`SELECT count(*) AS "total" FROM (\n${rows}\n) AS "rows"`;

export function foldedSql(query: Query, fold: Fold, limit: number, options: PrintOptions): SqlFragment {
  const grouped = querySql({ ...query, orderBy: [], limit: null }, options);
  return sql`${textOf(query, fold, grouped)}\nLIMIT ${limit}`;
}

function textOf(query: Query, { x, series, rest }: Fold, grouped: SqlFragment): SqlFragment {
  if (series === null) return x === null ? grouped : categoriesSql(query, x, grouped);
  if (rest === "omit") return omittingSql(query, { x, series }, grouped);
  return x === null ? seriesSql(query, series, grouped) : bothSql(query, { x, series }, grouped);
}

const isShown = (key: string, { all, largest }: Kept): string =>
  `"${key}_count" <= ${all} OR "${key}_rank" <= ${largest}`;

const valuesSql = (query: Query): SqlFragment =>
  query.columns
    .filter(({ name }) => name.startsWith("y"))
    .map(({ name, expr }) => {
      const fn = expr.kind === "aggregate" && (expr.fn === "min" || expr.fn === "max") ? expr.fn : "sum";
      return fixedSql(`${fn}("${name}") AS "${name}"`);
    })
    .reduce((left, right) => sql`${left},\n  ${right}`);

/** Keeps the largest categories and adds the rest up, in one pass over the grouped rows. */
function categoriesSql(query: Query, x: Kept, grouped: SqlFragment): SqlFragment {
  const shown = fixedSql(isShown("x", x));
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

/** The groups with rank and number of each key, as `counted`. */
function countedSql(query: Query, keys: readonly string[], grouped: SqlFragment): SqlFragment {
  const totals = keys.map((key) => `${totalOf(query)} OVER (PARTITION BY "${key}") AS "${key}_total"`);
  const ranks = keys.map(rankOf);
  const counts = keys.map((key) => `max("${key}_rank") OVER () AS "${key}_count"`);
  return sql`WITH "grouped" AS (\n${grouped}\n),
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
}

/** What can't be added up is ranked by how much of it there is. */
function totalOf({ columns }: Query): string {
  const y = columns.find(({ name }) => name === "y0");
  return y && isNumeric(y.dataType) ? 'sum("y0")' : 'count("y0")';
}

const rankOf = (key: string): string =>
  `dense_rank() OVER (ORDER BY "${key}_total" DESC NULLS LAST, "${key}") AS "${key}_rank"`;

/** Along dates or numbers: the largest series, and the rest of them added up. */
function seriesSql(query: Query, series: Kept, grouped: SqlFragment): SqlFragment {
  const shown = fixedSql(isShown("series", series));
  return sql`${countedSql(query, ["series"], grouped)}
SELECT
  "x",
  CASE WHEN ${shown} THEN "series" END AS "series",
  ${valuesSql(query)},
  NOT (${shown}) AS "otherSeries",
  max("series_count") AS "series_count"
FROM "counted"
GROUP BY 1, 2, "otherSeries"
ORDER BY "x" DESC NULLS LAST, "otherSeries", min("series_rank")`;
}

interface Both {
  x: Kept;
  series: Kept;
}

/** The largest categories and of them the largest series, the rest of both added up. */
function bothSql(query: Query, { x, series }: Both, grouped: SqlFragment): SqlFragment {
  const shown = fixedSql(isShown("series", series));
  const shownX = fixedSql(isShown("x", x));
  return sql`${countedSql(query, ["x", "series"], grouped)}
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

/** What can't be added up is left out: first of the categories, where they have a limit, then of the series left. */
function omittingSql(query: Query, { x, series }: Pick<Fold, "x"> & { series: Kept }, grouped: SqlFragment) {
  const shown = fixedSql(`"series_rank" <= ${series.largest}`);
  if (x === null)
    return sql`${countedSql(query, ["series"], grouped)}
SELECT "x", "series", "y0", "series_count"
FROM "counted"
WHERE ${shown}
ORDER BY "x" DESC NULLS LAST, "series_rank"`;
  return sql`${countedSql(query, ["series"], largestSql(query, x, grouped))}
SELECT "x", "series", "y0", "x_count", "series_count"
FROM "counted"
WHERE ${shown}
ORDER BY "x_rank", "series_rank"`;
}

/** The groups of the largest categories. */
const largestSql = (query: Query, { largest }: Kept, grouped: SqlFragment): SqlFragment =>
  sql`SELECT *
FROM (
  SELECT *, max("x_rank") OVER () AS "x_count"
  FROM (
    SELECT *, ${fixedSql(rankOf("x"))}
    FROM (
      SELECT *, ${fixedSql(totalOf(query))} OVER (PARTITION BY "x") AS "x_total"
      FROM (\n${grouped}\n) AS "all_groups"
    ) AS "with_totals"
  ) AS "with_ranks"
) AS "with_counts"
WHERE "x_rank" <= ${fixedSql(String(largest))}`;
