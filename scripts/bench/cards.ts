/** Six charts on 1,000,000 orders of 100,000 customers, from their definitions; the limit is the same question in SQL by hand. */
import { type CatalogueEntity, catalogueOf, cardQuery, postgres, resolveDataset } from "@accord/analytics-engine";
import type { Id } from "@accord/contracts";
import type { Predicate } from "@accord/contracts/data/predicate";
import { CardConfiguration, type CardConfigurationInput } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { postgresEngine } from "../../apps/server/src/modules/insights/engine/postgres-engine.store.ts";
import { instanceSchema } from "../../apps/server/src/platform/db/db.ts";
import { closeTestDatabases, testDatabase } from "../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/database/test-cluster.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";

const ORDERS = 1_000_000;
const CUSTOMERS = 100_000;
const ROUNDS = 5;
/** Both sides sort and hash in the same room: else the comparison is one of settings. */
const WORK_MEM_MB = 64;
const INSTANCE = "0123456789abcdef01234567" as Id<"instance">;
const SCHEMA = instanceSchema(INSTANCE);

const field = (apiName: string, dataType: CatalogueEntity["fields"][number]["dataType"], unique = false) => ({
  apiName,
  displayName: apiName,
  dataType,
  unique,
});
const entity = (id: string, apiName: string, fields: CatalogueEntity["fields"]): CatalogueEntity => ({
  id,
  apiName,
  displayName: apiName,
  relation: { schema: SCHEMA, name: `r_${apiName}`, deletedColumn: "accord_deleted" },
  fields,
});

const ORDER = entity("orders", "Order", [
  field("customer", "reference"),
  field("status", "picklist"),
  field("channel", "string"),
  field("amount", "decimal"),
  field("pieces", "integer"),
  field("placedAt", "datetime"),
]);
const CUSTOMER = entity("customers", "Customer", [
  field("accord_id", "reference", true),
  field("name", "string"),
  field("country", "string"),
]);

const pick = (datasourceAlias: string, apiName: string) => ({
  alias: `${datasourceAlias}_${apiName}`,
  displayName: apiName,
  apiName,
  dataType: "string" as const,
  datasourceAlias,
});

/** `ids`: of the two entities. */
export function dataset(filter?: Predicate, ids = { orders: "orders", customers: "customers" }): DatasetConfig {
  return DatasetConfig.parse({
    sources: [
      { datasetId: ids.orders, datasetType: "ENTITY", datasourceAlias: "o" },
      { datasetId: ids.customers, datasetType: "ENTITY", datasourceAlias: "c" },
    ],
    joins: [
      {
        joinType: "LEFT",
        field1: { datasetId: ids.orders, datasourceAlias: "o", apiName: "customer" },
        field2: { datasetId: ids.customers, datasourceAlias: "c", apiName: "accord_id" },
      },
    ],
    selectedFields: [
      ...ORDER.fields.map(({ apiName }) => pick("o", apiName)),
      ...CUSTOMER.fields.map(({ apiName }) => pick("c", apiName)),
    ],
    ...(filter ? { filter } : {}),
  });
}

const entry = (column: string, more: object = {}) => ({
  column,
  name: column,
  displayFormat: "number" as const,
  ...more,
});
const many: Predicate = {
  type: "condition",
  left: { kind: "field", field: "o.pieces" },
  operator: "greater",
  right: [{ kind: "literal", value: 5 }],
};

interface Case {
  name: string;
  card: CardConfigurationInput;
  filter?: Predicate;
  byHand: string;
}

const orders = `"${SCHEMA}"."r_Order" AS o`;
const customers = `"${SCHEMA}"."r_Customer" AS c`;

export const CASES: Case[] = [
  {
    name: "cards: revenue by month, filtered",
    filter: many,
    card: { vizType: "LINE", xaxis: entry("o_placedAt", { grain: "month" }), yaxis: [entry("o_amount")] },
    byHand: `SELECT date_trunc('month', o."placedAt" AT TIME ZONE 'UTC')::date, sum(o."amount") FROM ${orders}
      WHERE NOT o.accord_deleted AND o."pieces" > 5 GROUP BY 1 ORDER BY 1 DESC LIMIT 5001`,
  },
  {
    name: "cards: orders by status",
    card: { vizType: "COLUMN", xaxis: entry("o_status"), yaxis: [entry("*")] },
    byHand: `SELECT o."status", count(*) AS n FROM ${orders} WHERE NOT o.accord_deleted GROUP BY 1 ORDER BY 2 DESC LIMIT 50`,
  },
  {
    name: "cards: revenue by country of the customer (join)",
    card: { vizType: "BAR", xaxis: entry("c_country"), yaxis: [entry("o_amount")] },
    byHand: `SELECT c."country", sum(o."amount") AS n FROM ${orders} LEFT JOIN ${customers}
      ON o."customer" = c.accord_id AND NOT c.accord_deleted WHERE NOT o.accord_deleted GROUP BY 1 ORDER BY 2 DESC LIMIT 50`,
  },
  {
    name: "cards: largest of 100,000 customers and the rest",
    card: { vizType: "COLUMN", xaxis: entry("o_customer"), yaxis: [entry("o_amount")] },
    byHand: `WITH g AS MATERIALIZED (SELECT o."customer" AS x, sum(o."amount") AS n FROM ${orders} WHERE NOT o.accord_deleted GROUP BY 1),
      r AS (SELECT x, n, row_number() OVER (ORDER BY n DESC NULLS LAST, x) AS place FROM g)
      SELECT CASE WHEN place < 50 THEN x END, sum(n) FROM r GROUP BY 1, place >= 50`,
  },
  {
    name: "cards: average order",
    card: { vizType: "METRIC", columns: [entry("o_amount", { aggregate: "avg" })] },
    byHand: `SELECT avg(o."amount")::double precision FROM ${orders} WHERE NOT o.accord_deleted`,
  },
  {
    name: "cards: pieces by quarter and channel",
    card: {
      vizType: "LINE",
      xaxis: entry("o_placedAt", { grain: "quarter" }),
      yaxis: [entry("o_pieces")],
      series: [entry("o_channel")],
    },
    byHand: `SELECT date_trunc('quarter', o."placedAt" AT TIME ZONE 'UTC')::date, o."channel", sum(o."pieces") FROM ${orders}
      WHERE NOT o.accord_deleted GROUP BY 1, 2 ORDER BY 1 DESC LIMIT 5001`,
  },
];

const CALLER = { client: "bench", signal: new AbortController().signal };

export const measure: Measure = async (_words, say) => {
  const databases = await testDatabase();
  const { pool } = databases.data;
  try {
    say(`making ${ORDERS.toLocaleString()} orders of ${CUSTOMERS.toLocaleString()} customers`);
    for (const statement of TABLES) await pool.query(statement);
    const engine = postgresEngine(pool, {
      timeoutMs: 60_000,
      parallel: 1,
      parallelPerInstance: 1,
      waiting: 10,
      workMemMb: WORK_MEM_MB,
      maxBytes: 10_000_000,
      allowsSql: true,
    });
    const byHand = await pool.connect();
    await byHand.query(`SET work_mem = '${WORK_MEM_MB}MB'`);
    const catalogue = catalogueOf([ORDER, CUSTOMER]);
    const ours = async ({ card, filter }: Case): Promise<void> => {
      const query = resolveDataset(dataset(filter), catalogue);
      const statement = cardQuery(CardConfiguration.parse(card), query, {
        dialect: postgres,
        timeZone: "UTC",
        now: Date.now(),
      });
      await engine.run({ instanceId: INSTANCE, statement, columns: statement.columns, caller: CALLER });
    };
    const measurements: Measurement[] = [];
    for (const one of CASES) {
      const [mine, theirs] = [[] as number[], [] as number[]];
      for (let round = 0; round <= ROUNDS; round++) {
        const [took, limit] = [await timed(() => ours(one)), await timed(() => byHand.query(one.byHand))];
        // The first round warms caches for both.
        if (round === 0) continue;
        mine.push(took);
        theirs.push(limit);
      }
      measurements.push({
        name: one.name,
        ours: median(mine),
        limit: median(theirs),
        unit: "ms",
        better: "less",
        rssMb: peakRssMb(),
      });
    }
    byHand.release();
    return measurements;
  } finally {
    await databases.drop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]): number =>
  Math.round(values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]! * 10) / 10;

/** The same tables the unified model has, with rows that look like a shop's: few customers buy much. */
const TABLES = [
  `CREATE SCHEMA "${SCHEMA}"`,
  `CREATE TABLE "${SCHEMA}"."r_Customer" (accord_id text COLLATE "C" PRIMARY KEY, accord_deleted boolean NOT NULL DEFAULT false,
    accord_updated_at timestamptz DEFAULT now(), "name" text, "country" text)`,
  `CREATE TABLE "${SCHEMA}"."r_Order" (accord_id text COLLATE "C" PRIMARY KEY, accord_deleted boolean NOT NULL DEFAULT false,
    accord_updated_at timestamptz DEFAULT now(), "customer" text COLLATE "C", "status" text, "channel" text, "amount" numeric,
    "pieces" bigint, "placedAt" timestamptz)`,
  `INSERT INTO "${SCHEMA}"."r_Customer" SELECT lpad(to_hex(i), 24, '0'), false, now(), 'Customer ' || i,
    (ARRAY['NL','DE','FR','GB','US','SE','ES','IT','PL','AT'])[1 + i % 10] FROM generate_series(1, ${CUSTOMERS}) AS i`,
  `INSERT INTO "${SCHEMA}"."r_Order" SELECT lpad(to_hex(i), 24, '0'), i % 50 = 0, now(),
    lpad(to_hex(1 + floor(${CUSTOMERS} * power(((i * 7919) % ${ORDERS})::float8 / ${ORDERS}, 2))::int), 24, '0'),
    (ARRAY['open','paid','shipped','returned','lost'])[1 + (i * 13) % 5], (ARRAY['web','shop','partner','phone'])[1 + (i * 31) % 4],
    ((i * 6151) % 100000)::numeric / 100, 1 + (i * 17) % 12, timestamptz '2022-01-01Z' + ((i * 104729) % 1826) * interval '1 day'
    FROM generate_series(1::bigint, ${ORDERS}) AS i`,
  `ANALYZE "${SCHEMA}"."r_Customer"`,
  `ANALYZE "${SCHEMA}"."r_Order"`,
];
