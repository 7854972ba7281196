/** Plays simulated histories on a mutated engine, each mutant in a thread of its own, until one of them fails. */
import { REGRESSION_SEEDS, MUTATIONS } from "@accord/sync-simulation";
import { Worker } from "node:worker_threads";
import { closeTestDatabases, prepareTemplate } from "../../apps/server/test-kit/database/database.ts";
import { REPLAYED_SEEDS } from "../../apps/server/test-kit/replay/replay-history.ts";
import { leaveTestCluster } from "../../apps/server/test-kit/database/test-cluster.ts";
import type { MutatedHistories, Progress } from "./engine-thread.ts";

/** A thread that works for so long without a word is in an endless loop: by the processor's time, others may have it. */
const SILENT_WORK_MS = 10_000;
/** One that says nothing for so long waits for a lock that is never given back. */
const SILENCE_MS = 300_000;
const LISTEN_EVERY_MS = 2_000;
const MEMORY_MB = 600;

/** Histories that are always played first: those that found something once, or show a pinned mutation. */
export const FIRST_SEEDS: readonly number[] = [
  ...REGRESSION_SEEDS,
  ...Object.values(MUTATIONS).map(({ seed }) => seed),
];

/** With PostgreSQL: those in which most happens first. */
const REPLAYED_FIRST = [5_003_761, 5, 102_746, 50, 57, 19, 77_003_048];
export const REPLAYS: readonly number[] = [...new Set([...REPLAYED_FIRST, ...REPLAYED_SEEDS])];

export class HistoryJudge {
  /** By storage and seed: whether the history fails without any mutant, too. */
  readonly #broken = new Map<string, boolean>();
  #isPrepared = false;

  /** What noticed the mutant, with the seed; null when it survived, or when no history loads its file. */
  async judge(mutated: MutatedHistories): Promise<string | null> {
    if (mutated.storage === "postgres" && !this.#isPrepared) {
      process.env["ACCORD_TEST_RUN"] = String(process.pid);
      await prepareTemplate();
      this.#isPrepared = true;
    }
    return playInThread(mutated, (seed) => this.#failsAnyway(mutated, seed));
  }

  async #failsAnyway({ file, storage }: MutatedHistories, seed: number): Promise<boolean> {
    const key = `${storage} ${seed}`;
    const known = this.#broken.get(key);
    if (known !== undefined) return known;
    const fails = (await playInThread({ file, text: null, seeds: [seed], storage }, async () => false)) !== null;
    this.#broken.set(key, fails);
    return fails;
  }

  async close(): Promise<void> {
    if (!this.#isPrepared) return;
    await closeTestDatabases();
    await leaveTestCluster();
  }
}

function playInThread(
  mutated: MutatedHistories,
  failsAnyway: (seed: number) => Promise<boolean>,
): Promise<string | null> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL("./engine-thread.ts", import.meta.url), {
      workerData: mutated,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      stdout: true,
      stderr: true,
    });
    const checks: Promise<void>[] = [];
    let hasEnded = false;
    const end = (verdict: string | null): void => {
      hasEnded = true;
      clearInterval(listening);
      resolve(verdict);
      void thread.terminate();
    };
    let heard = { at: performance.now(), workMs: 0 };
    let workMs = 0;
    const listen = async (): Promise<void> => {
      // A thread that has just ended has nothing more to say.
      const work = await thread.cpuUsage().catch(() => null);
      if (work) workMs = (work.user + work.system) / 1_000;
      const isStuck = workMs - heard.workMs > SILENT_WORK_MS || performance.now() - heard.at > SILENCE_MS;
      if (isStuck && !hasEnded) end("time-out");
    };
    const listening = setInterval(() => void listen(), LISTEN_EVERY_MS);
    const check = async ({ failed, how }: Extract<Progress, { failed: number }>): Promise<void> => {
      if (!(await failsAnyway(failed)) && !hasEnded) end(`seed ${failed}: ${how}`);
    };
    thread.on("message", (progress: Progress) => {
      heard = { at: performance.now(), workMs };
      if ("failed" in progress) checks.push(check(progress));
    });
    thread.once("error", (error) => end(`threw ${String(error)}`));
    thread.once("exit", () => {
      clearInterval(listening);
      void Promise.all(checks).then(() => end(null));
    });
  });
}
