-- $1 = "6"
SELECT
  "customers"."country" AS "country",
  sum("orders"."amount") AS "total",
  avg("orders"."amount")::double precision AS "mean",
  count("orders"."accord_id") AS "orders",
  max("orders"."quantity") AS "most"
FROM "shop"."Order" AS "orders"
LEFT JOIN "shop"."Customer" AS "customers"
  ON "orders"."customer" = "customers"."accord_id"
WHERE "orders"."quantity" < $1::bigint
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST
