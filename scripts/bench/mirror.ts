/**
 * The six charts of `cards` through the HTTP API without a cache: `ours` the columnar mirror, `limit` PostgreSQL alone, then
 * DuckDB with the question in SQL by hand behind a bare HTTP server. `--orders 1000000`: 100,000 without it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEntity } from "@accord/contracts/data/core-schema";
import { CardConfiguration, previewDataCard } from "@accord/contracts/insights/cards";
import { createDataset } from "@accord/contracts/insights/datasets";
import type { MirrorModule } from "../../apps/server/src/modules/insights/mirror-module.ts";
import { instanceSchema } from "../../apps/server/src/platform/db/db.ts";
import { closeTestDatabases } from "../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/database/test-cluster.ts";
import { testApp, type TestApp } from "../../apps/server/test-kit/index.ts";
import { openRawDuckDb } from "../../apps/server/test-kit/mirror/raw-duckdb.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";
import { CASES, dataset } from "./cards.ts";

const ROUNDS = 5;
const CUSTOMERS_PER_ORDER = 0.1;

export const measure: Measure = async (words, say) => {
  const orders = Number(words[words.indexOf("--orders") + 1] ?? 100_000) || 100_000;
  const home = await mkdtemp(join(tmpdir(), "accord-bench-"));
  const mirror = { isOn: true, memoryMb: 512, diskMb: 8_000, minRecords: 0 };
  const t = await testApp({ config: { home, mirror }, listen: true });
  const raw = await rawDuckDb(join(home, "raw.duckdb"), orders);
  try {
    say(`making ${orders.toLocaleString()} orders`);
    const ask = await shop(t, orders);
    const measurements: Measurement[] = [];
    for (const one of CASES) {
      const [mirrored, alone, bare] = [[] as number[], [] as number[], [] as number[]];
      mirror.minRecords = 0;
      await untilMirrored(t, () => ask(one));
      for (let round = 0; round < ROUNDS; round += 1) {
        mirror.minRecords = 0;
        mirrored.push(await timed(() => ask(one)));
        mirror.minRecords = Number.MAX_SAFE_INTEGER;
        alone.push(await timed(() => ask(one)));
        bare.push(await timed(() => raw.ask(one.byHand)));
      }
      const row = { ours: median(mirrored), unit: "ms", better: "less" as const, rssMb: peakRssMb() };
      measurements.push({ ...row, name: `${one.name}: PostgreSQL`, limit: median(alone) });
      measurements.push({ ...row, name: `${one.name}: raw DuckDB`, limit: median(bare) });
    }
    return measurements;
  } finally {
    await raw.close();
    await t.close();
    await rm(home, { recursive: true, force: true });
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

type Case = (typeof CASES)[number];

/** Entities, a dataset and their records; answers how a card is asked. */
async function shop(t: TestApp, orders: number): Promise<(one: Case) => Promise<void>> {
  const admin = t.as("SUPER_ADMIN");
  const text = (apiName: string) => ({ apiName, displayName: apiName, dataType: "string" as const });
  const customer = await admin.call(createEntity, {
    body: { apiName: "Customer", displayName: "Customer", fields: [text("name"), text("country")], publish: true },
  });
  const fields = [
    { apiName: "customer", displayName: "customer", dataType: "reference" as const, referenceTo: "Customer" },
    ...[text("status"), text("channel")],
    { apiName: "amount", displayName: "amount", dataType: "decimal" as const },
    { apiName: "pieces", displayName: "pieces", dataType: "integer" as const },
    { apiName: "placedAt", displayName: "placedAt", dataType: "datetime" as const },
  ];
  const order = await admin.call(createEntity, {
    body: { apiName: "Order", displayName: "Order", fields, publish: true },
  });
  const schema = `"${instanceSchema(t.instanceId)}"`;
  const customers = Math.round(orders * CUSTOMERS_PER_ORDER);
  const { dataPool } = t.deps;
  await dataPool.query(
    `INSERT INTO ${schema}."r_Customer" (accord_id, "name", "country") ${customersSql("to_hex(i)", customers)}`,
  );
  await dataPool.query(
    `INSERT INTO ${schema}."r_Order" (accord_id, accord_deleted, "customer", "status", "channel", "amount", "pieces", "placedAt")
     ${ordersSql("to_hex", orders, customers)}`,
  );
  await dataPool.query(`ANALYZE ${schema}."r_Customer"; ANALYZE ${schema}."r_Order"`);
  const ids = { orders: order.id, customers: customer.id };
  const body = { displayName: "Orders", name: "orders", datasetConfig: dataset(undefined, ids) };
  const { id: datasetId } = await admin.call(createDataset, { body });
  return async ({ card, filter }) => {
    // Past what is kept of answers.
    t.clock.advance(6 * 60_000);
    const configuration = CardConfiguration.parse({ datasetId, ...card });
    await admin.call(previewDataCard, {
      body: { datacard: { contents: { configuration } }, dataset: { datasetConfig: dataset(filter, ids) } },
    });
  };
}

const customersSql = (hex: string, customers: number): string =>
  `SELECT lpad(${hex}, 24, '0'), 'Customer ' || i, substr('NLDEFRGBUSSEESITPLAT', CAST(1 + 2 * (i % 10) AS integer), 2)
   FROM generate_series(1::bigint, ${customers}) AS g(i)`;

const ordersSql = (hex: string, orders: number, customers: number): string =>
  `SELECT lpad(${hex}(i), 24, '0'), i % 50 = 0,
    lpad(${hex}((1 + floor(${customers} * power(((i * 7919) % ${orders}) * 1.0 / ${orders}, 2)))::bigint), 24, '0'),
    'status' || (i * 13) % 5, 'channel' || (i * 31) % 4, CAST(((i * 6151) % 100000) / 100.0 AS decimal(18, 2)), 1 + (i * 17) % 12,
    timestamp '2022-01-01' + ((i * 104729) % 1826) * interval '1 day' FROM generate_series(1::bigint, ${orders}) AS g(i)`;

async function untilMirrored(t: TestApp, ask: () => Promise<void>): Promise<void> {
  const { mirror } = t.module<MirrorModule>("insights/mirror");
  for (;;) {
    const before = mirror?.status().answered;
    await ask();
    if (mirror?.status().answered !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** The same rows in DuckDB, asked over HTTP with as little around it as can be. */
async function rawDuckDb(file: string, orders: number) {
  const database = await openRawDuckDb(file);
  const customers = Math.round(orders * CUSTOMERS_PER_ORDER);
  await database.run(
    `CREATE TABLE "r_Customer" AS SELECT * FROM (${customersSql("hex(i)", customers)}) AS c(accord_id, "name", "country")`,
  );
  await database.run(`ALTER TABLE "r_Customer" ADD COLUMN accord_deleted BOOLEAN DEFAULT false`);
  await database.run(
    `CREATE TABLE "r_Order" AS SELECT * FROM (${ordersSql("hex", orders, customers)})
     AS o(accord_id, accord_deleted, "customer", "status", "channel", "amount", "pieces", "placedAt")`,
  );
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      response.end(JSON.stringify(await database.rows(Buffer.concat(chunks).toString())));
    })().catch((error: unknown) => response.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    async ask(byHand: string): Promise<void> {
      const body = byHand
        .replaceAll(/"i_[0-9a-f]+"\./g, "")
        .replaceAll(" AT TIME ZONE 'UTC'", "")
        .replaceAll("::double precision", "::DOUBLE");
      const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
      if (!response.ok) throw new Error(await response.text());
      await response.json();
    },
    async close(): Promise<void> {
      await new Promise((resolve) => server.close(resolve));
      database.close();
    },
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const median = (values: number[]): number =>
  Math.round((values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0) * 10) / 10;
