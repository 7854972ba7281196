-- $1 = "paid"
-- $2 = 5001
WITH "grouped" AS (
SELECT
  date_trunc('month', "orders"."placedAt" AT TIME ZONE 'UTC')::date AS "x",
  "orders"."status" AS "series",
  sum("orders"."quantity") AS "y0"
FROM "shop"."Order" AS "orders"
WHERE lower("orders"."status" COLLATE "und-x-icu") = $1::text
GROUP BY 1, 2
),
"totals" AS (
  SELECT *, sum("y0") OVER (PARTITION BY "series") AS "series_total"
  FROM "grouped"
),
"ranked" AS (
  SELECT *, dense_rank() OVER (ORDER BY "series_total" DESC NULLS LAST, "series") AS "series_rank"
  FROM "totals"
),
"counted" AS (
  SELECT *, max("series_rank") OVER () AS "series_count"
  FROM "ranked"
)
SELECT
  "x",
  CASE WHEN "series_count" <= 20 OR "series_rank" <= 19 THEN "series" END AS "series",
  sum("y0") AS "y0",
  NOT ("series_count" <= 20 OR "series_rank" <= 19) AS "otherSeries",
  max("series_count") AS "series_count"
FROM "counted"
GROUP BY 1, 2, "otherSeries"
ORDER BY "x" DESC NULLS LAST, "otherSeries", min("series_rank")
LIMIT $2
