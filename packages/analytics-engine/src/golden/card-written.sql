-- $1 = 2
-- $2 = ["open","paid"]
-- $3 = 5001
WITH "grouped" AS (
SELECT
  "statement"."status" AS "x",
  sum("statement"."totalAmount") AS "y0"
FROM (
  WITH "orders" AS NOT MATERIALIZED (SELECT "accord_id" AS "accord_id", "customer" AS "customer", "status" AS "status", "amount" AS "amount", "quantity" AS "quantity", "placedAt" AS "placedat", "labels" AS "labels" FROM "shop"."Order" AS "orders")
  SELECT
    "w"."status"::text AS "status",
    "w"."totalamount"::numeric AS "totalAmount"
  FROM (/* written */
SELECT status, sum(amount) AS total
FROM "orders" WHERE quantity >= ($1::bigint) AND status IN (SELECT unnest($2::text[])) AND status <> 'a
  b' GROUP BY status, quantity >= ($1::bigint)
) AS "w"
) AS "statement"
GROUP BY 1
),
"ranked" AS (
  SELECT *, row_number() OVER (ORDER BY "y0" DESC NULLS LAST, "x") AS "x_rank", count(*) OVER () AS "x_count"
  FROM "grouped"
)
SELECT
  CASE WHEN "x_count" <= 50 OR "x_rank" <= 49 THEN "x" END AS "x",
  sum("y0") AS "y0",
  NOT ("x_count" <= 50 OR "x_rank" <= 49) AS "other",
  max("x_count") AS "x_count",
  min("x_rank") AS "rank"
FROM "ranked"
GROUP BY 1, "other"
ORDER BY "other", "rank"
LIMIT $3
