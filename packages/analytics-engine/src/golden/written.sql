-- $1 = 2
-- $2 = ["open","paid"]
-- $3 = 100
SELECT
  "statement"."status" AS "status",
  "statement"."totalAmount" AS "totalAmount"
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
LIMIT $3
