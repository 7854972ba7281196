-- $1 = "active"
SELECT
  "customers"."country" AS "country",
  sum("orders"."quantity") AS "pieces"
FROM "shop"."Order" AS "orders"
INNER JOIN "shop"."Customer" AS "customers"
  ON "orders"."customer" = "customers"."accord_id"
WHERE lower("customers"."status" COLLATE "und-x-icu") = $1::text
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST
