/**
 * Random datasets and cards give in PostgreSQL and in the columnar mirror what an evaluation in memory gives.
 * `ACCORD_ORACLE_CASES=100000` asks more of them, `ACCORD_ORACLE_SEED=7` others, `ACCORD_ORACLE_CASE=4711` one alone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { type Asked, compareCase, isColumnar } from "../../../../test-kit/oracle/compare-answers.ts";
import { Coverage } from "../../../../test-kit/oracle/coverage.ts";
import { type DatasetCase, randomCase } from "../../../../test-kit/oracle/random-datasets.ts";
import { makeShop, referencesOf, type Shop } from "../../../../test-kit/oracle/records.ts";
import type { MirrorModule } from "../mirror-module.ts";
import { type AnalyticsEngine, type Mirror, mirroredEngine, postgresEngine } from "./index.ts";
import type { Refusal } from "./mirror/protocol.ts";

const SEED = Number(process.env["ACCORD_ORACLE_SEED"] ?? 1);
const ONLY = process.env["ACCORD_ORACLE_CASE"];
const CASES = ONLY === undefined ? Number(process.env["ACCORD_ORACLE_CASES"] ?? 10_000) : 1;
/** Cases that are asked of the same records. */
const CASES_PER_FILL = 1_000;
const AT_ONCE = 4;
const MAX_SHOWN = 5;
/** Starting and copying, and each case. */
const TIMEOUT_MS = 180_000 + CASES * 100;
/** Copies are made, or brought up to date: the same question is answered soon. */
const PASSING: ReadonlySet<string> = new Set<Outcome>(["unavailable", "building", "behind", "late"]);
const [ATTEMPTS, RETRY_MS] = [300, 100];

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

/** What became of the last question: PostgreSQL answers what the mirror does not, and nobody sees it in the answer. */
type Outcome = Refusal | "answered" | "not asked";
interface WatchedEngine {
  engine: AnalyticsEngine;
  outcome: Outcome;
}

function watchedMirror(postgres: AnalyticsEngine): WatchedEngine {
  const { mirror } = t.module<MirrorModule>("insights/mirror");
  if (!mirror) throw new Error("the mirror is off");
  const asking: Mirror = {
    ...{ status: () => mirror.status(), stop: () => mirror.stop(), pid: mirror.pid },
    async ask(question, signal) {
      const answer = await mirror.ask(question, signal);
      watched.outcome = "refusal" in answer ? answer.refusal : "answered";
      return answer;
    },
  };
  const engine = mirroredEngine(postgres, asking, {
    ...{ pool: t.deps.dataPool, clock: t.deps.clock, log: t.deps.log, settings: t.deps.config.mirror },
    ...{ timeoutMs: 30_000, parallel: 1, parallelPerInstance: 1, waiting: 1 },
  });
  const watched: WatchedEngine = { engine, outcome: "not asked" };
  return watched;
}

test(
  `${CASES} random datasets and cards are answered as in memory`,
  async () => {
    const postgres = postgresEngine(t.deps.dataPool, engineOptions);
    const coverage = new Coverage();
    const found: string[] = [];
    const refused: string[] = [];
    let columnar = 0;
    const numbers = ONLY === undefined ? Array.from({ length: CASES }, (_, index) => index) : [Number(ONLY)];
    for (const [fill, indexes] of Map.groupBy(numbers, (index) => Math.floor(index / CASES_PER_FILL))) {
      const records = await shop.fill(SEED * 7919 + fill);
      const references = referencesOf(records);
      const queue = indexes.values();
      const work = async (): Promise<void> => {
        const mirror = watchedMirror(postgres);
        for (const index of queue) {
          const one = randomCase(seedOf(index), shop, references);
          const asked = { shop, records, instanceId: t.instanceId, postgres, mirror };
          const { difference, rows, outcome } = await askOf(one, asked).catch((error: unknown) => ({
            ...{ difference: String(error), rows: 0, outcome: null },
          }));
          coverage.add(one, rows);
          if (outcome !== null) columnar += 1;
          if (outcome !== null && outcome !== "answered") note(refused, index, `the mirror: ${outcome}`, one);
          if (difference !== null) note(found, index, difference, one);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      if (found.length > 0) break;
    }
    say(`${columnar} of them were asked of the mirror\n${coverage.toString()}`);
    expect(found.slice(0, MAX_SHOWN)).toEqual([]);
    expect(refused.slice(0, MAX_SHOWN)).toEqual([]);
    // Of few cases none need be of a kind.
    if (CASES < CASES_PER_FILL) return;
    expect(columnar).toBeGreaterThan(CASES * 0.15);
    expect(coverage.missing(CASES)).toEqual([]);
  },
  TIMEOUT_MS,
);

type Asking = Omit<Asked, "engines"> & { postgres: AnalyticsEngine; mirror: WatchedEngine };

/** Of its own, so that what is known of the outcome is not taken for what it is after the question. */
const forget = (mirror: WatchedEngine): void => void (mirror.outcome = "not asked");

/** `outcome`: of the mirror; null where the case is not for it. It is asked again while its copies are made. */
async function askOf(one: DatasetCase, { postgres, mirror, ...asked }: Asking) {
  const compared = await compareCase(one, { ...asked, engines: [["PostgreSQL", postgres]] });
  if (compared.difference !== null || !isColumnar(one, shop)) return { ...compared, outcome: null };
  for (let attempt = 1; ; attempt += 1) {
    forget(mirror);
    const again = await compareCase(one, { ...asked, engines: [["mirror", mirror.engine]] });
    const { outcome } = mirror;
    if (again.difference !== null || attempt === ATTEMPTS || !PASSING.has(outcome)) return { ...again, outcome };
    await sleep(RETRY_MS);
  }
}

/** As soon as it is known: a run may be ended before its end. */
function note(list: string[], index: number, what: string, one: DatasetCase): void {
  const command = `ACCORD_ORACLE_SEED=${SEED} ACCORD_ORACLE_CASE=${index} npm test -- dataset-oracle`;
  const text = `${command}\n${what}\n${JSON.stringify(one)}`;
  list.push(text);
  if (list.length <= MAX_SHOWN) say(text);
}

const say = (text: string): void => void process.stderr.write(`${text}\n`);
