-- $1 = 1
SELECT
  "orders"."status" AS "status",
  sum("orders"."quantity") AS "pieces"
FROM "shop"."Order" AS "orders"
GROUP BY 1
ORDER BY 2 DESC NULLS LAST
LIMIT $1
