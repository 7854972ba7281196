-- $1 = 2
SELECT
  sum("orders"."amount") AS "c0"
FROM "shop"."Order" AS "orders"
LIMIT $1
