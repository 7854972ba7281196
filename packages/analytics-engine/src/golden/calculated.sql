-- $1 = "1"
-- $2 = "large"
-- $3 = "small"
-- $4 = "3"
SELECT
  "orders"."accord_id" AS "id",
  ("orders"."amount" / NULLIF("orders"."quantity"::numeric, 0)) AS "each",
  (CASE WHEN ("orders"."quantity" > $1::numeric) THEN $2::text ELSE $3::text END) AS "size"
FROM "shop"."Order" AS "orders"
WHERE "orders"."quantity" < $4::bigint
ORDER BY 1 ASC NULLS FIRST
