-- $1 = "1"
-- $2 = "paid"
-- $3 = "100"
SELECT
  "orders"."accord_id" AS "id"
FROM "shop"."Order" AS "orders"
WHERE "orders"."quantity" > $1::bigint
  AND (lower("orders"."status" COLLATE "und-x-icu") = $2::text OR "orders"."amount" >= $3::numeric)
ORDER BY 1 ASC NULLS FIRST
