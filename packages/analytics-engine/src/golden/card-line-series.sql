-- $1 = "paid"
-- $2 = 5001
SELECT
  date_trunc('month', "orders"."placedAt" AT TIME ZONE 'UTC')::date AS "x",
  "orders"."status" AS "series",
  sum("orders"."quantity") AS "y0"
FROM "shop"."Order" AS "orders"
WHERE lower("orders"."status" COLLATE "und-x-icu") = $1::text
GROUP BY 1, 2
ORDER BY 1 DESC NULLS LAST
LIMIT $2
