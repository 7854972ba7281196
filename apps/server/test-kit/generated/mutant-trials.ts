/**
 * Run by `npm run mutants -- tenant` in its copy of the project, where every mutant stands behind a switch: turns them
 * on one at a time, makes the calls of the generated suites and the checks of handler rules that reach it, and writes
 * down which one noticed.
 */
import { appendFileSync } from "node:fs";
import { checkSignIn } from "@accord/contracts/identity/sign-in";
import pg from "pg";
import { test } from "vitest";
import { idPlaces } from "./inputs.ts";
import { isolationWorld, READS, WRITES } from "./isolation.ts";
import { callWithForeignId, foreignPlaces, SWAPPABLE, type SwapWorld } from "./tenant-swap.ts";
import { HANDLER_RULES } from "../handler-rules.ts";
import { testApp, type TestApp } from "../index.ts";
import { STATEMENT_RULES } from "../statement-rules.ts";

interface Check {
  name: string;
  /** @throws Error when it notices something. */
  run(): Promise<void>;
  /** What it leaves behind when it noticed something has to be made anew. */
  repair?: () => void;
  /** Changes what others of its kind need: made once only. */
  once?: true;
}

/** Which mutant is on, and which ones were passed since it was last asked. */
const state = { active: -1, reached: new Set<number>() };
Object.assign(globalThis, {
  isMutant(number: number): boolean {
    state.reached.add(number);
    return number === state.active;
  },
});

/** Statements carry the numbers of the mutants in them. */
function watchStatements(): void {
  const query = pg.Client.prototype.query as (...words: unknown[]) => unknown;
  pg.Client.prototype.query = function (this: pg.Client, ...words: unknown[]) {
    const [first] = words as [string | { text?: string } | undefined];
    const text = typeof first === "string" ? first : (first?.text ?? "");
    for (const [, number] of text.matchAll(/is_mutant\((\d+)\)/g)) state.reached.add(Number(number));
    return query.apply(this, words);
  } as typeof pg.Client.prototype.query;
}

async function turnOn(apps: readonly TestApp[], number: number): Promise<void> {
  state.active = number;
  for (const pool of apps.flatMap(({ deps }) => [deps.appPool, deps.dataPool])) {
    await pool.query("DELETE FROM public.mutant_switch");
    if (number >= 0) await pool.query("INSERT INTO public.mutant_switch VALUES ($1)", [number]);
  }
}

/** @param other for checks that make objects of their own, which would show in what the generated suites compare. */
async function checksOf(t: TestApp, other: TestApp): Promise<Check[]> {
  const world = await isolationWorld(t);
  const caller = t.as("SUPER_ADMIN", world.own);
  await caller.call(checkSignIn);
  const swaps: SwapWorld = { ...world, caller, made: new Map() };
  const reads = READS.map((endpoint) => ({
    name: `list isolation: ${endpoint.name}`,
    run: () => world.checkRead(endpoint),
  }));
  const foreign = SWAPPABLE.flatMap((endpoint) =>
    idPlaces(endpoint).flatMap((place) =>
      foreignPlaces(swaps, endpoint).map((tenant): Check => ({
        name: `tenant swap: ${endpoint.name} ${place.text}`,
        async run() {
          const { send, expected } = await callWithForeignId(swaps, endpoint, place, tenant);
          const { status } = await send();
          if (status !== expected) throw new Error(`answered ${status}`);
        },
        repair: () => swaps.made.clear(),
      })),
    ),
  );
  const writes = WRITES.map((endpoint) => ({
    name: `list isolation: ${endpoint.name}`,
    run: () => world.checkWrite(endpoint),
    once: true as const,
  }));
  const rules = [...HANDLER_RULES, ...STATEMENT_RULES]
    .filter(({ isDestructive }) => !isDestructive)
    .map((rule) => ({
      name: `handler rules: ${rule.name}`,
      run: () => rule.check(other),
    }));
  return [...reads, ...foreign, ...rules, ...writes];
}

/** Runs a check and says which mutants it passed. */
async function watched(check: Check): Promise<{ problem: string | null; reached: Set<number> }> {
  state.reached = new Set();
  const problem = await check.run().then(
    () => null,
    (error: unknown) => String(error),
  );
  return { problem, reached: state.reached };
}

test("mutants", { timeout: 3_600_000 }, async () => {
  const { file, count } = JSON.parse(process.env["ACCORD_MUTANT_TRIALS"] ?? "") as { file: string; count: number };
  watchStatements();
  const apps = [await testApp(), await testApp()] as const;
  const checks = await checksOf(...apps);
  const reaching = new Map<number, Check[]>();
  for (const check of checks.filter(({ once }) => !once)) {
    const { problem, reached } = await watched(check);
    if (problem !== null) throw new Error(`${check.name} fails without any mutant: ${problem}`);
    for (const number of reached) reaching.set(number, [...(reaching.get(number) ?? []), check]);
  }
  for (let number = 0; number < count; number++) {
    const began = performance.now();
    await turnOn(apps, number);
    let caughtBy: string | null = null;
    for (const check of reaching.get(number) ?? []) {
      const { problem } = await watched(check);
      if (problem === null) continue;
      caughtBy = check.name;
      check.repair?.();
      break;
    }
    await turnOn(apps, -1);
    const seconds = Math.round((performance.now() - began) / 100) / 10;
    const checked = reaching.get(number)?.length ?? 0;
    appendFileSync(file, `${JSON.stringify({ number, caughtBy, seconds, checked })}\n`);
  }
});
