-- $1 = "Europe/Amsterdam"
-- $2 = "2026-03-01"
SELECT
  date_trunc('month', "orders"."placedAt" AT TIME ZONE $1::text)::date AS "month",
  count("orders"."accord_id") AS "orders"
FROM "shop"."Order" AS "orders"
GROUP BY 1
HAVING date_trunc('month', "orders"."placedAt" AT TIME ZONE $1::text)::date >= $2::date
ORDER BY 1 ASC NULLS FIRST
