-- $1 = "paid"
-- $2 = "5"
SELECT
  max("orders"."quantity") AS "pieces"
FROM "shop"."Order" AS "orders"
WHERE lower("orders"."status" COLLATE "und-x-icu") = $1::text
  AND "orders"."quantity" < $2::bigint
