-- $1 = 5001
WITH "grouped" AS (
SELECT
  "orders"."status" AS "x",
  sum("orders"."amount") AS "y0"
FROM "shop"."Order" AS "orders"
GROUP BY 1
),
"ranked" AS (
  SELECT *, row_number() OVER (ORDER BY "y0" DESC NULLS LAST, "x") AS "x_rank", count(*) OVER () AS "x_count"
  FROM "grouped"
)
SELECT
  CASE WHEN "x_count" <= 50 OR "x_rank" <= 49 THEN "x" END AS "x",
  sum("y0") AS "y0",
  NOT ("x_count" <= 50 OR "x_rank" <= 49) AS "other",
  max("x_count") AS "x_count",
  min("x_rank") AS "rank"
FROM "ranked"
GROUP BY 1, "other"
ORDER BY "other", "rank"
LIMIT $1
