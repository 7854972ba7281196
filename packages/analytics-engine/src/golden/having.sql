-- $1 = "5"
SELECT
  "orders"."status" AS "status",
  sum("orders"."quantity") AS "pieces"
FROM "shop"."Order" AS "orders"
GROUP BY 1
HAVING sum("orders"."quantity") > $1::bigint
ORDER BY 1 ASC NULLS FIRST
