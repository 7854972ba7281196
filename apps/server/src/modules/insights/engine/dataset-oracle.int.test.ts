/**
 * Random datasets and cards give in PostgreSQL and in the columnar mirror what an evaluation in memory gives.
 * `ACCORD_ORACLE_CASES=100000` asks more of them, `ACCORD_ORACLE_SEED=7` others, `ACCORD_ORACLE_CASE=4711` one alone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { type Asked, disagreement, isColumnar } from "../../../../test-kit/oracle/compare-answers.ts";
import { type DatasetCase, randomCase } from "../../../../test-kit/oracle/random-datasets.ts";
import { makeShop, type Shop } from "../../../../test-kit/oracle/records.ts";
import type { MirrorModule } from "../mirror-module.ts";
import { postgresEngine } from "./index.ts";

const CASES = Number(process.env["ACCORD_ORACLE_CASES"] ?? 10_000);
const SEED = Number(process.env["ACCORD_ORACLE_SEED"] ?? 1);
const ONLY = process.env["ACCORD_ORACLE_CASE"];
/** Cases that are asked of the same records. */
const CASES_PER_FILL = 1_000;
const AT_ONCE = 4;
const MAX_SHOWN = 5;

let t: TestApp;
let home: string;
let shop: Shop;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "accord-oracle-"));
  const mirror = { isOn: true, memoryMb: 128, diskMb: 500, minRecords: 0 };
  t = await testApp({ config: { home, mirror } });
  shop = await makeShop(t);
}, 60_000);
afterAll(async () => {
  await t.close();
  await rm(home, { recursive: true, force: true });
});

const seedOf = (index: number): number => SEED * 1_000_003 + index;

const engineOptions = {
  ...{ timeoutMs: 30_000, parallel: AT_ONCE, parallelPerInstance: AT_ONCE, waiting: 100, workMemMb: 4 },
  ...{ maxBytes: 10_000_000, allowsSql: false },
};

test(`${CASES} random datasets and cards are answered as in memory`, async () => {
  const postgres = ["PostgreSQL", postgresEngine(t.deps.dataPool, engineOptions)] as const;
  const mirror = ["mirror", t.module<MirrorModule>("insights/mirror").engine] as const;
  const found: string[] = [];
  let columnar = 0;
  let answeredBefore: number | undefined;
  const numbers = ONLY === undefined ? Array.from({ length: CASES }, (_, index) => index) : [Number(ONLY)];
  for (const [fill, indexes] of Map.groupBy(numbers, (index) => Math.floor(index / CASES_PER_FILL))) {
    const records = await shop.fill(SEED * 7919 + fill);
    const asked = { shop, records, instanceId: t.instanceId };
    if (answeredBefore === undefined) await untilMirrored({ ...asked, engines: [mirror] });
    answeredBefore ??= answered();
    const queue = indexes.values();
    const work = async (): Promise<void> => {
      for (const index of queue) {
        const difference = await compare(randomCase(seedOf(index), shop), asked).catch(String);
        if (difference === null) continue;
        found.push(`ACCORD_ORACLE_SEED=${SEED} ACCORD_ORACLE_CASE=${index} npm test -- dataset-oracle\n${difference}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    if (found.length > 0) break;
  }
  expect(found.slice(0, MAX_SHOWN)).toEqual([]);
  // Among many cases are many that both engines answer.
  if (CASES >= CASES_PER_FILL && ONLY === undefined) expect(columnar).toBeGreaterThan(CASES * 0.15);
  expect(answered() - (answeredBefore ?? 0)).toBeGreaterThan(columnar * 0.9);

  async function compare(one: DatasetCase, asked: Omit<Asked, "engines">): Promise<string | null> {
    const isMirrors = isColumnar(one, shop);
    if (isMirrors) columnar += 1;
    const difference = await disagreement(one, { ...asked, engines: isMirrors ? [postgres, mirror] : [postgres] });
    return difference && `${difference}\n${JSON.stringify(one)}`;
  }
}, 600_000);

function answered(): number {
  const found = t.module<MirrorModule>("insights/mirror").mirror?.status();
  if (!found) throw new Error("the mirror is off");
  return found.answered;
}

/** Copies get the columns that are asked for: while some are missing, PostgreSQL answers. */
async function untilMirrored(asked: Asked): Promise<void> {
  const cases = Array.from({ length: 200 }, (_, index) => randomCase(seedOf(-1 - index), shop)).filter((one) =>
    isColumnar(one, shop),
  );
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const before = answered();
    for (const one of cases.slice(0, attempt === 0 ? cases.length : 20)) await disagreement(one, asked);
    if (answered() - before >= 20) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
