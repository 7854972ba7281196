/** What forty cards that are worked out all the time leave to others: pages of records, and a sync. */
import { testDatabase } from "../../../../apps/server/test-kit/database/database.ts";
import { type Measurement, peakRssMb } from "../../../setup/measurement.ts";
import { PLAIN, prepare, startSource } from "../bench-pipeline.ts";
import { CARD_CASES } from "./card-cases.ts";
import type { CardShop } from "./card-shop.ts";

const AT_ONCE = 40;
const PAGES = 100;
const MAX_PAGES_MS = 30_000;

async function besideCards<Result>(shop: CardShop, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const look = async (first: number): Promise<void> => {
    for (let at = first; !isOver; at += 1) await shop.ask(CARD_CASES[at % CARD_CASES.length]?.name ?? "");
  };
  const looking = Promise.all(Array.from({ length: AT_ONCE }, (_, person) => look(person)));
  const result = await work().finally(() => (isOver = true));
  await looking;
  return result;
}

export async function pagesBesideCards(shop: CardShop): Promise<Measurement> {
  const quiet = await pages(shop);
  const loaded = await besideCards(shop, () => pages(shop));
  return {
    ...{ name: `page of records beside ${AT_ONCE} cards, p99`, ours: p99(loaded), limit: p99(quiet) },
    ...{ unit: "ms", better: "less", rssMb: peakRssMb() },
  };
}

/** In the process of the server, and on its PostgreSQL, in a database of its own each time. */
export async function syncBesideCards(shop: CardShop, records: number): Promise<Measurement> {
  const source = await startSource(records);
  try {
    // The first one warms the code.
    await sync(source.url, records);
    const quiet = await sync(source.url, records);
    const loaded = await besideCards(shop, () => sync(source.url, records));
    return {
      ...{ name: `sync of ${records} records beside ${AT_ONCE} cards`, ours: loaded, limit: quiet },
      ...{ unit: "records/s", better: "more", rssMb: peakRssMb() },
    };
  } finally {
    source.stop();
  }
}

/** Records a second. */
async function sync(url: string, records: number): Promise<number> {
  const database = await testDatabase();
  try {
    const { cycle } = await prepare(database, url, PLAIN);
    const { seconds, counts } = await cycle();
    if (counts.created === 0) throw new Error(`nothing arrived: ${JSON.stringify(counts)}`);
    return records / seconds;
  } finally {
    await database.drop();
  }
}

async function pages(shop: CardShop): Promise<number[]> {
  const times: number[] = [];
  const began = performance.now();
  while (times.length < PAGES && performance.now() - began < MAX_PAGES_MS) times.push(await timed(() => shop.page()));
  return times;
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const p99 = (times: readonly number[]): number => {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0) * 100) / 100;
};
