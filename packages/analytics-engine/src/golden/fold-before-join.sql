-- $1 = "6"
SELECT
  "customers"."country" AS "country",
  sum("orders"."f2") AS "total",
  sum("orders"."f2")::double precision / nullif(sum("orders"."f3"), 0)::double precision AS "mean",
  sum("orders"."f4") AS "orders",
  max("orders"."f5") AS "most"
FROM (
  SELECT
    "orders"."customer" AS "f1",
    sum("orders"."amount") AS "f2",
    count("orders"."amount") AS "f3",
    count("orders"."accord_id") AS "f4",
    max("orders"."quantity") AS "f5"
  FROM "shop"."Order" AS "orders"
  WHERE "orders"."quantity" < $1::bigint
  GROUP BY 1
) AS "orders"
LEFT JOIN "shop"."Customer" AS "customers"
  ON "orders"."f1" = "customers"."accord_id"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST
