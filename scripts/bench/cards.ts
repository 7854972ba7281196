/**
 * Six cards through the HTTP API, each worked out anew: with the columnar mirror beside DuckDB, and without it beside PostgreSQL,
 * both behind a bare HTTP server; and a page of records while forty cards are asked for at once, beside the same in quiet.
 * `--orders 10000000 --customers 100000`: 1,000,000 and 100,000 without them.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peakRssMb, type Measure, type Measurement } from "../setup/measurement.ts";
import { benchApp } from "./parts/bench-app.ts";
import { bareDuckDb, barePostgres } from "./parts/cards/bare-server.ts";
import { CARD_CASES, type CardCase } from "./parts/cards/card-cases.ts";
import { type CardShop, makeCardShop } from "./parts/cards/card-shop.ts";

const ROUNDS = 5;
const WORK_MEM_MB = 64;
/** PostgreSQL alone. */
const NEVER = Number.MAX_SAFE_INTEGER;
const AT_ONCE = 40;
const PAGES = 100;
const MAX_LOADED_MS = 30_000;

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
    say(`  a page of records while ${AT_ONCE} cards are asked for`);
    measured.push(await pageBesideCards(shop));
    await Promise.all([duckDb.close(), postgres.close()]);
    return measured;
  } finally {
    await bench.close();
    await rm(home, { recursive: true, force: true });
  }
};

function option(words: readonly string[], name: string, initial: number): number {
  const at = words.indexOf(name);
  if (at < 0) return initial;
  const value = Number(words[at + 1]);
  if (!Number.isSafeInteger(value) || value < 1) throw new Error(`${name} must be followed by a whole number above 0`);
  return value;
}

async function untilMirrored(shop: CardShop, { name }: CardCase): Promise<void> {
  for (;;) {
    const asked = Date.now();
    await shop.ask(name);
    if ((await shop.mirrorAnsweredAt()) >= asked) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** A hundred pages in quiet, then while forty cards are being worked out all the time. */
async function pageBesideCards(shop: CardShop): Promise<Measurement> {
  const quiet = await pages(shop);
  let isOver = false;
  const look = async (first: number): Promise<void> => {
    for (let at = first; !isOver; at += 1) await shop.ask(CARD_CASES[at % CARD_CASES.length]?.name ?? "");
  };
  const looking = Promise.all(Array.from({ length: AT_ONCE }, (_, person) => look(person)));
  const loaded = await pages(shop).finally(() => (isOver = true));
  await looking;
  return {
    ...{ name: `page of records beside ${AT_ONCE} cards, p99`, ours: p99(loaded), limit: p99(quiet) },
    ...{ unit: "ms", better: "less", rssMb: peakRssMb() },
  };
}

async function pages(shop: CardShop): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  while (times.length < PAGES && performance.now() - began < MAX_LOADED_MS) times.push(await timed(() => shop.page()));
  return times;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const sorted = (times: readonly number[]): number[] => times.toSorted((one, other) => one - other);
const median = (times: readonly number[]): number => rounded(sorted(times)[Math.floor(times.length / 2)]);
const p99 = (times: readonly number[]): number => rounded(sorted(times)[Math.ceil(times.length * 0.99) - 1]);
const rounded = (time = 0): number => Math.round(time * 100) / 100;
