/** Six cards on orders and their customers, each with the same question in SQL by hand. */
import type { Predicate } from "@accord/contracts/data/predicate";
import type { CardConfigurationInput } from "@accord/contracts/insights/cards";

export interface CardCase {
  name: string;
  card: CardConfigurationInput;
  /** For PostgreSQL, with `{orders}` and `{customers}` for the tables. */
  byHand: string;
  /** The same for DuckDB, where that is written otherwise. */
  inDuckDb?: string;
}

const entry = (column: string, more: object = {}) => ({
  column,
  name: column,
  displayFormat: "number" as const,
  ...more,
});
const large: Predicate = {
  type: "condition",
  left: { kind: "field", field: "o_pieces" },
  operator: "greater",
  right: [{ kind: "literal", value: 5 }],
};

const FROM = `FROM {orders} AS o`;
const STANDING = "NOT o.accord_deleted";
const JOINED = `${FROM} LEFT JOIN {customers} AS c ON o."customer" = c.accord_id AND NOT c.accord_deleted`;

export const CARD_CASES: readonly CardCase[] = [
  {
    name: "total",
    card: { vizType: "METRIC", columns: [entry("o_amount", { aggregate: "sum" })] },
    byHand: `SELECT sum(o."amount") ${FROM} WHERE ${STANDING}`,
  },
  {
    name: "orders by status",
    card: { vizType: "COLUMN", xaxis: entry("o_status"), yaxis: [entry("*")] },
    byHand: `SELECT o."status", count(*) AS n ${FROM} WHERE ${STANDING} GROUP BY 1 ORDER BY 2 DESC LIMIT 50`,
  },
  {
    name: "revenue by month",
    card: { vizType: "LINE", xaxis: entry("o_placedAt", { grain: "month" }), yaxis: [entry("o_amount")] },
    byHand: `SELECT date_trunc('month', o."placedAt" AT TIME ZONE 'UTC')::date, sum(o."amount") ${FROM}
      WHERE ${STANDING} GROUP BY 1 ORDER BY 1 DESC LIMIT 5001`,
    inDuckDb: `SELECT date_trunc('month', o."placedAt")::date, sum(o."amount") ${FROM}
      WHERE ${STANDING} GROUP BY 1 ORDER BY 1 DESC LIMIT 5001`,
  },
  {
    name: "top customers (join)",
    card: { vizType: "BAR", xaxis: entry("c_name"), yaxis: [entry("o_amount")], top: 10 },
    byHand: `WITH g AS MATERIALIZED (SELECT c."name" AS x, sum(o."amount") AS n ${JOINED} WHERE ${STANDING} GROUP BY 1),
      r AS (SELECT x, n, row_number() OVER (ORDER BY n DESC NULLS LAST, x) AS place FROM g)
      SELECT CASE WHEN place <= 10 THEN x END, sum(n) FROM r GROUP BY 1, place > 10`,
  },
  {
    name: "revenue by country of large orders (filter, join)",
    card: { vizType: "BAR", xaxis: entry("c_country"), yaxis: [entry("o_amount")], filter: large },
    byHand: `SELECT c."country", sum(o."amount") AS n ${JOINED} WHERE ${STANDING} AND o."pieces" > 5
      GROUP BY 1 ORDER BY 2 DESC LIMIT 50`,
  },
  {
    name: "customers who ordered (distinct count)",
    card: { vizType: "METRIC", columns: [entry("o_customer", { aggregate: "countDistinct" })] },
    byHand: `SELECT count(DISTINCT o."customer") ${FROM} WHERE ${STANDING}`,
  },
];
