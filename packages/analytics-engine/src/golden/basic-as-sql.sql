SELECT
  orders.status AS status,
  sum(orders.amount) AS total
FROM "Order" AS orders
WHERE orders.quantity > {{least}}::bigint
GROUP BY 1
ORDER BY 2 DESC NULLS LAST
LIMIT 5
