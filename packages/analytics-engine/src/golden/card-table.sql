-- $1 = 2
-- $2 = 1001
SELECT
  "dataset"."status" AS "c0",
  "dataset"."quantity" AS "c1"
FROM (
  SELECT
    "orders"."status" AS "status",
    "orders"."amount" AS "amount",
    "orders"."quantity" AS "quantity",
    "orders"."placedAt" AS "placed"
  FROM "shop"."Order" AS "orders"
  ORDER BY 3 DESC NULLS LAST
  LIMIT $1
) AS "dataset"
LIMIT $2
