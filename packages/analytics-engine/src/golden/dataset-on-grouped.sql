SELECT
  "customers"."name" AS "name",
  "t"."pieces" AS "pieces"
FROM (
  SELECT
    "orders"."customer" AS "customer",
    sum("orders"."quantity") AS "pieces"
  FROM "shop"."Order" AS "orders"
  GROUP BY 1
) AS "t"
INNER JOIN "shop"."Customer" AS "customers"
  ON "t"."customer" = "customers"."accord_id"
ORDER BY 1 ASC NULLS FIRST
