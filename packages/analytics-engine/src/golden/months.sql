SELECT
  date_trunc('month', "orders"."placedAt" AT TIME ZONE 'UTC')::date AS "month",
  avg("orders"."amount")::double precision AS "average"
FROM "shop"."Order" AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST
