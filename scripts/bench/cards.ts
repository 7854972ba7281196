/**
 * Six cards through the HTTP API, each worked out anew: with the columnar mirror beside DuckDB, and without it beside PostgreSQL,
 * both behind a bare HTTP server; then pages of records and a sync while forty cards are worked out, beside the same in quiet.
 * `--orders 10000000 --customers 100000`: 1,000,000 and 100,000 without them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "../../apps/server/src/config.ts";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";
import { benchApp } from "./parts/bench-app.ts";
import { demandSame, type Rows } from "./parts/cards/answers.ts";
import { bareDuckDb, barePostgres, type BareServer } from "./parts/cards/bare-server.ts";
import { pagesBesideCards, syncBesideCards, timed } from "./parts/cards/beside-cards.ts";
import { CARD_CASES, type CardCase } from "./parts/cards/card-cases.ts";
import { type CardShop, makeCardShop } from "./parts/cards/card-shop.ts";

const ROUNDS = 5;
const WORK_MEM_MB = 64;
/** Of a sync: of fewer its filter lets none through. */
const LEAST_RECORDS = 5_000;
const MAX_COPYING_MS = 15 * 60_000;
/** PostgreSQL alone. */
const NEVER = Number.MAX_SAFE_INTEGER;

export const measure: Measure = async (words, say) => {
  const orders = option(words, "--orders", 1_000_000);
  const size = { orders, customers: option(words, "--customers", Math.min(100_000, Math.ceil(orders / 10))) };
  const home = await mkdtemp(join(tmpdir(), "accord-bench-"));
  // With the limits that the server has by itself.
  const { mirror: settings } = readConfig({});
  const mirror = { ...settings, isOn: true, minRecords: 0 };
  const bench = await benchApp([], { home, mirror });
  try {
    say(`making ${size.orders.toLocaleString("en")} orders of ${size.customers.toLocaleString("en")} customers`);
    const shop = await makeCardShop(bench, size);
    say(`memory: ${mirror.memoryMb} MB for the mirror and the bare DuckDB each, work_mem ${WORK_MEM_MB} MB`);
    const duckDb = await bareDuckDb(join(home, "raw.duckdb"), size, mirror.memoryMb);
    const postgres = await barePostgres(bench.databases.data.pool, shop.tables, WORK_MEM_MB);
    try {
      return await measureAll({ shop, mirror, duckDb, postgres, orders, say });
    } finally {
      await Promise.all([duckDb.close(), postgres.close()]);
    }
  } finally {
    await bench.close();
    await rm(home, { recursive: true, force: true });
  }
};

interface Measured {
  shop: CardShop;
  /** The server reads it with each question. */
  mirror: { minRecords: number };
  duckDb: Awaited<ReturnType<typeof bareDuckDb>>;
  postgres: BareServer;
  orders: number;
  say: (line: string) => void;
}

async function measureAll({ shop, mirror, duckDb, postgres, orders, say }: Measured): Promise<Measurement[]> {
  const measured: Measurement[] = [];
  for (const one of CARD_CASES) {
    say(`  ${one.name}`);
    mirror.minRecords = 0;
    await untilMirrored(shop, one);
    await demandSameAnswers({ shop, mirror, duckDb, postgres }, one);
    const times = { mirrored: [0], duckDb: [0], alone: [0], postgres: [0] };
    // The first round warms caches for all.
    for (let round = 0; round <= ROUNDS; round += 1) {
      mirror.minRecords = 0;
      times.mirrored[round] = await timed(() => fromMirror(shop, one));
      times.duckDb[round] = await timed(() => duckDb.ask(one));
      mirror.minRecords = NEVER;
      times.alone[round] = await timed(() => fromPostgres(shop, one));
      times.postgres[round] = await timed(() => postgres.ask(one));
    }
    const row = { unit: "ms", better: "less" as const };
    const peaks = { mirror: shop.mirrorPeakMb(), server: peakRssMb() };
    const of = (taken: readonly number[]): number => median(taken.slice(1));
    measured.push(
      {
        ...row,
        name: `${one.name}: mirror / DuckDB`,
        ours: of(times.mirrored),
        limit: of(times.duckDb),
        rssMb: peaks.mirror,
      },
      {
        ...row,
        name: `${one.name}: without / PostgreSQL`,
        ours: of(times.alone),
        limit: of(times.postgres),
        rssMb: peaks.server,
      },
    );
  }
  mirror.minRecords = 0;
  say("  forty cards at once");
  const records = Math.round(Math.min(50_000, Math.max(LEAST_RECORDS, orders / 10)));
  measured.push(await pagesBesideCards(shop), await syncBesideCards(shop, records));
  say(`peak memory: mirror ${shop.mirrorPeakMb()} MB, bare DuckDB ${duckDb.peakMb()} MB, server ${peakRssMb()} MB`);
  return measured;
}

async function fromMirror(shop: CardShop, { name }: CardCase): Promise<Rows> {
  const before = shop.mirrorAnswered();
  const rows = await shop.ask(name);
  if (shop.mirrorAnswered() === before) throw new Error(`the mirror did not answer: ${name}`);
  return rows;
}

async function fromPostgres(shop: CardShop, { name }: CardCase): Promise<Rows> {
  const before = shop.mirrorAnswered();
  const rows = await shop.ask(name);
  if (shop.mirrorAnswered() !== before) throw new Error(`the mirror answered in place of PostgreSQL: ${name}`);
  return rows;
}

/** What is measured side by side is one question. */
async function demandSameAnswers(
  { shop, mirror, duckDb, postgres }: Pick<Measured, "shop" | "mirror" | "duckDb" | "postgres">,
  one: CardCase,
): Promise<void> {
  mirror.minRecords = 0;
  const mirrored = await fromMirror(shop, one);
  mirror.minRecords = NEVER;
  demandSame(one.name, {
    ...{ "by hand": await postgres.ask(one), "DuckDB by hand": await duckDb.ask(one) },
    ...{ "the mirror": mirrored, "the server without it": await fromPostgres(shop, one) },
  });
}

function option(words: readonly string[], name: string, initial: number): number {
  const at = words.indexOf(name);
  if (at < 0) return initial;
  const value = Number(words[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be followed by a whole number above 0`);
  return value;
}

async function untilMirrored(shop: CardShop, { name }: CardCase): Promise<void> {
  for (const began = Date.now(); ;) {
    const before = shop.mirrorAnswered();
    await shop.ask(name);
    if (shop.mirrorAnswered() > before) return;
    if (Date.now() - began > MAX_COPYING_MS) throw new Error(`the mirror does not answer: ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const median = (times: readonly number[]): number =>
  Math.round((times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0) * 100) / 100;
