-- $1 = 2
SELECT
  "orders"."status" AS "status",
  sum("orders"."amount") AS "total",
  count("orders"."accord_id") AS "orders"
FROM "shop"."Order" AS "orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST
LIMIT $1
