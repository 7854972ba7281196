-- $1 = "3"
SELECT
  "orders"."accord_id" AS "id"
FROM "shop"."Order" AS "orders"
WHERE TRUE
  AND ("orders"."quantity" < $1::bigint)
ORDER BY 1 ASC NULLS FIRST
