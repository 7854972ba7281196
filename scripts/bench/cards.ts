/**
 * Six cards through the HTTP API, each worked out anew: with the columnar mirror beside DuckDB, and without it beside PostgreSQL,
 * both behind a bare HTTP server; then pages of records and a sync while forty cards are worked out, beside the same in quiet.
 * `--orders 10000000 --customers 100000`: 1,000,000 and 100,000 without them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";
import { benchApp } from "./parts/bench-app.ts";
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
  const mirror = { isOn: true, memoryMb: 512, diskMb: 8_000, minRecords: 0 };
  const bench = await benchApp([], { home, mirror });
  try {
    say(`making ${size.orders.toLocaleString("en")} orders of ${size.customers.toLocaleString("en")} customers`);
    const shop = await makeCardShop(bench, size);
    const duckDb = await bareDuckDb(join(home, "raw.duckdb"), size);
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
  duckDb: BareServer;
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
    const times = { mirrored: [0], duckDb: [0], alone: [0], postgres: [0] };
    // The first round warms caches for all.
    for (let round = 0; round <= ROUNDS; round += 1) {
      mirror.minRecords = 0;
      const asked = Date.now();
      times.mirrored[round] = await timed(() => shop.ask(one.name));
      if ((await shop.mirrorAnsweredAt()) < asked) throw new Error(`the mirror did not answer: ${one.name}`);
      times.duckDb[round] = await timed(() => duckDb.ask(one));
      mirror.minRecords = NEVER;
      times.alone[round] = await timed(() => shop.ask(one.name));
      times.postgres[round] = await timed(() => postgres.ask(one));
    }
    const row = { unit: "ms", better: "less" as const, rssMb: peakRssMb() };
    const of = (taken: readonly number[]): number => median(taken.slice(1));
    measured.push(
      { ...row, name: `${one.name}: mirror / DuckDB`, ours: of(times.mirrored), limit: of(times.duckDb) },
      { ...row, name: `${one.name}: without / PostgreSQL`, ours: of(times.alone), limit: of(times.postgres) },
    );
  }
  mirror.minRecords = 0;
  say("  forty cards at once");
  const records = Math.round(Math.min(50_000, Math.max(LEAST_RECORDS, orders / 10)));
  measured.push(await pagesBesideCards(shop), await syncBesideCards(shop, records));
  return measured;
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
    const asked = Date.now();
    await shop.ask(name);
    if ((await shop.mirrorAnsweredAt()) >= asked) return;
    if (asked - began > MAX_COPYING_MS) throw new Error(`the mirror does not answer: ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

const median = (times: readonly number[]): number =>
  Math.round((times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0) * 100) / 100;
