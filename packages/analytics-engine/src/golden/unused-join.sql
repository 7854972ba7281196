-- $1 = 2
SELECT
  "orders"."accord_id" AS "id"
FROM "shop"."Order" AS "orders"
ORDER BY 1 ASC NULLS FIRST
LIMIT $1
