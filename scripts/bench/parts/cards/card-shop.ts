/** Orders and customers in the server under measurement: entities, records, a dataset, cards, and how they are asked for. */
import { API_PREFIX, type Id } from "@accord/contracts";
import { createEntity } from "@accord/contracts/data/core-schema";
import { CardConfiguration, createDataCard } from "@accord/contracts/insights/cards";
import { DatasetConfig } from "@accord/contracts/insights/dataset-config";
import { createDataset } from "@accord/contracts/insights/datasets";
import { z } from "zod";
import type { MirrorModule } from "../../../../apps/server/src/modules/insights/mirror-module.ts";
import { instanceSchema } from "../../../../apps/server/src/platform/db/db.ts";
import type { Module } from "../../../../apps/server/src/platform/module.ts";
import { peakRssMbOf } from "../../../setup/measurement.ts";
import type { benchApp } from "../bench-app.ts";
import type { Rows } from "./answers.ts";
import { CARD_CASES } from "./card-cases.ts";

export interface Size {
  orders: number;
  customers: number;
}

type Bench = Awaited<ReturnType<typeof benchApp>>;

const ORDER = {
  customer: "reference",
  status: "string",
  channel: "string",
  amount: "decimal",
  pieces: "integer",
  placedAt: "datetime",
} as const;

export interface CardShop {
  /** As SQL by hand names them. */
  tables: { orders: string; customers: string };
  /** One card, worked out again, over HTTP; what it shows. */
  ask(name: string): Promise<Rows>;
  /** A page of orders, over HTTP. */
  page(): Promise<void>;
  /** Questions that the mirror has answered. */
  mirrorAnswered(): number;
  /** Of its process, in MB. */
  mirrorPeakMb(): number;
}

const Reply = z.object({ data: z.object({ rows: z.array(z.record(z.string(), z.unknown())) }) });

const isMirror = (module: Module): module is MirrorModule => module.name === "insights/mirror";

export async function makeCardShop(bench: Bench, size: Size): Promise<CardShop> {
  const { caller, address, headers } = bench;
  const mirror = bench.app.modules.find(isMirror)?.mirror;
  if (!mirror) throw new Error("the mirror is switched off");
  const field = (apiName: string, dataType: (typeof ORDER)[keyof typeof ORDER]) => ({
    ...{ apiName, displayName: apiName, dataType },
    ...(dataType === "reference" ? { referenceTo: "Customer" } : {}),
  });
  const customer = await caller.call(createEntity, {
    body: {
      ...{ apiName: "Customer", displayName: "Customer", publish: true },
      fields: [field("name", "string"), field("country", "string")],
    },
  });
  const order = await caller.call(createEntity, {
    body: {
      ...{ apiName: "Order", displayName: "Order", publish: true },
      fields: Object.entries(ORDER).map(([apiName, dataType]) => field(apiName, dataType)),
    },
  });
  const schema = `"${instanceSchema(bench.instanceId)}"`;
  const tables = { orders: `${schema}."r_Order"`, customers: `${schema}."r_Customer"` };
  await fill(bench, tables, size);
  const datasetConfig = datasetOf({ orders: order.id, customers: customer.id });
  const { id: datasetId } = await caller.call(createDataset, {
    body: { displayName: "Orders", name: "orders", datasetConfig },
  });
  const cards = new Map<string, Id<"dataCard">>();
  for (const [at, { name, card }] of CARD_CASES.entries()) {
    const configuration = CardConfiguration.parse({ datasetId, ...card });
    const body = { displayName: name, name: `card${at}`, contents: { configuration } };
    cards.set(name, (await caller.call(createDataCard, { body })).id);
  }
  const request = async (path: string, body?: object): Promise<unknown> => {
    const reply = await fetch(`${address}${API_PREFIX}${path}`, {
      ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
      headers: { ...headers, ...(body ? { "content-type": "application/json" } : {}) },
    });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${text}`);
    return JSON.parse(text);
  };
  return {
    tables,
    async ask(name) {
      const reply = await request(`/datacards/${cards.get(name)}/data`, { refresh: true });
      // Of a chart `other` says which row is made of the smaller ones.
      return Reply.parse(reply).data.rows.map(({ other: _, ...row }) => Object.values(row));
    },
    async page() {
      await request(`/entities/${order.id}/records`);
    },
    mirrorAnswered: () => mirror.status().answered,
    mirrorPeakMb: () => peakRssMbOf(mirror.pid),
  };
}

function datasetOf(ids: { orders: string; customers: string }): DatasetConfig {
  const pick = (datasourceAlias: string, apiName: string) => ({
    ...{ alias: `${datasourceAlias}_${apiName}`, displayName: apiName, apiName, dataType: "string" as const },
    datasourceAlias,
  });
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
      ...Object.keys(ORDER).map((apiName) => pick("o", apiName)),
      ...["name", "country"].map((apiName) => pick("c", apiName)),
    ],
  });
}

async function fill({ databases }: Bench, { orders, customers }: CardShop["tables"], size: Size): Promise<void> {
  const { pool } = databases.data;
  await pool.query(
    `INSERT INTO ${customers} (accord_id, "name", "country") ${customersSql("to_hex(i)", size.customers)}`,
  );
  await pool.query(
    `INSERT INTO ${orders} (accord_id, accord_deleted, "customer", "status", "channel", "amount", "pieces", "placedAt")
     ${ordersSql("to_hex", size)}`,
  );
  await pool.query(`ANALYZE ${customers}; ANALYZE ${orders}`);
}

/** The same rows in PostgreSQL and DuckDB: `hex` is how each writes a number so. */
export const customersSql = (hex: string, customers: number): string =>
  `SELECT lpad(${hex}, 24, '0'), 'Customer ' || i, substr('NLDEFRGBUSSEESITPLAT', CAST(1 + 2 * (i % 10) AS integer), 2)
   FROM generate_series(1::bigint, ${customers}) AS g(i)`;

/** Few customers buy much; one order in fifty is deleted. */
export const ordersSql = (hex: string, { orders, customers }: Size): string =>
  `SELECT lpad(${hex}(i), 24, '0'), i % 50 = 0,
    lpad(${hex}((1 + floor(${customers} * power(((i * 7919) % ${orders}) * 1.0 / ${orders}, 2)))::bigint), 24, '0'),
    'status' || (i * 13) % 5, 'channel' || (i * 31) % 4, CAST(((i * 6151) % 100000) / 100.0 AS decimal(18, 2)), 1 + (i * 17) % 12,
    timestamp '2022-01-01' + ((i * 104729) % 1826) * interval '1 day' FROM generate_series(1::bigint, ${orders}) AS g(i)`;
