SELECT
  "orders"."status" AS "status",
  ((sum("orders"."quantity")) / NULLIF((count(left("orders"."accord_id", 32769)))::numeric, 0)) AS "mean"
FROM "shop"."Order" AS "orders"
GROUP BY 1
ORDER BY 1 ASC NULLS FIRST
