-- $1 = "3"
-- $2 = "large"
-- $3 = "small"
-- $4 = "large"
SELECT
  sum("orders"."amount") AS "total",
  (CASE WHEN ("orders"."quantity" > $1::numeric) THEN $2::text ELSE $3::text END) AS "size"
FROM "shop"."Order" AS "orders"
GROUP BY 2
HAVING lower((CASE WHEN ("orders"."quantity" > $1::numeric) THEN $2::text ELSE $3::text END) COLLATE "und-x-icu") = $4::text
