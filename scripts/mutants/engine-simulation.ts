/** Plays simulated histories on a mutated engine, each mutant in a thread of its own, until one of them fails. */
import { FOUND_SEEDS, MUTATIONS, play } from "@accord/sync-engine/simulation";
import { Worker } from "node:worker_threads";
import type { MutatedHistories, Progress } from "./engine-thread.ts";

/** A thread that says nothing for so long is in an endless loop. */
const SILENCE_MS = 20_000;
const MEMORY_MB = 600;

/** Histories that are always played first: those that found something once, or show a pinned mutation. */
export const FIRST_SEEDS: readonly number[] = [...FOUND_SEEDS, ...Object.values(MUTATIONS).map(({ seed }) => seed)];

const broken = new Map<number, boolean>();

/** Whether the history fails without any mutant, too. */
function failsAnyway(seed: number): boolean {
  const known = broken.get(seed);
  if (known !== undefined) return known;
  const { lost, doubled, violations, stuck } = play(seed);
  const fails = lost.length + doubled.length + violations.length > 0 || stuck;
  broken.set(seed, fails);
  return fails;
}

/** What killed the mutant, with the seed; null when it survived, or when no history loads its file. */
export function playMutant(mutated: MutatedHistories): Promise<string | null> {
  return new Promise((resolve) => {
    const thread = new Worker(new URL("./engine-thread.ts", import.meta.url), {
      workerData: mutated,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
      stdout: true,
      stderr: true,
    });
    const end = (verdict: string | null): void => {
      clearTimeout(silence);
      resolve(verdict);
      void thread.terminate();
    };
    const listen = (): NodeJS.Timeout => setTimeout(() => end("time-out"), SILENCE_MS);
    let silence = listen();
    thread.on("message", (progress: Progress) => {
      clearTimeout(silence);
      silence = listen();
      if ("failed" in progress && !failsAnyway(progress.failed)) end(`seed ${progress.failed}: ${progress.how}`);
    });
    thread.once("error", (error) => end(`threw ${String(error)}`));
    thread.once("exit", () => end(null));
  });
}
