-- $1 = ["open","lost"]
SELECT
  "orders"."accord_id" AS "id"
FROM "shop"."Order" AS "orders"
WHERE lower("orders"."status" COLLATE "und-x-icu") = ANY($1::text[])
ORDER BY 1 ASC NULLS FIRST
