SELECT
  "orders"."accord_id" AS "id",
  "customers"."name" AS "name"
FROM "shop"."Order" AS "orders"
FULL JOIN "shop"."Customer" AS "customers"
  ON "orders"."customer" = "customers"."accord_id"
ORDER BY 1 ASC NULLS FIRST
