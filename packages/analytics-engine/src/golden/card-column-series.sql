-- $1 = "4"
-- $2 = 5001
WITH "grouped" AS (
SELECT
  "orders"."status" AS "x",
  "orders"."quantity" AS "series",
  count(*) AS "y0"
FROM "shop"."Order" AS "orders"
WHERE "orders"."quantity" < $1::bigint
GROUP BY 1, 2
),
"totals" AS (
  SELECT *, sum("y0") OVER (PARTITION BY "x") AS "x_total", sum("y0") OVER (PARTITION BY "series") AS "series_total"
  FROM "grouped"
),
"ranked" AS (
  SELECT *, dense_rank() OVER (ORDER BY "x_total" DESC NULLS LAST, "x") AS "x_rank", dense_rank() OVER (ORDER BY "series_total" DESC NULLS LAST, "series") AS "series_rank"
  FROM "totals"
),
"counted" AS (
  SELECT *, max("x_rank") OVER () AS "x_count", max("series_rank") OVER () AS "series_count"
  FROM "ranked"
)
SELECT
  CASE WHEN "x_count" <= 50 OR "x_rank" <= 49 THEN "x" END AS "x",
  CASE WHEN "series_count" <= 20 OR "series_rank" <= 19 THEN "series" END AS "series",
  sum("y0") AS "y0",
  NOT ("x_count" <= 50 OR "x_rank" <= 49) AS "other",
  NOT ("series_count" <= 20 OR "series_rank" <= 19) AS "otherSeries",
  max("x_count") AS "x_count",
  min("x_rank") AS "rank",
  max("series_count") AS "series_count"
FROM "counted"
GROUP BY 1, 2, "other", "otherSeries"
ORDER BY "other", "rank", "otherSeries", min("series_rank")
LIMIT $2
