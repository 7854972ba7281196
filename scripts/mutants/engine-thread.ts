/** A thread that plays simulated histories on an engine of which one file was replaced while it was loaded. */
import { registerHooks } from "node:module";
import { parentPort, workerData } from "node:worker_threads";

export interface MutatedHistories {
  /** Relative to the project. */
  file: string;
  text: string;
  seeds: readonly number[];
}

/** What the thread says while it plays: how far it has got, or a seed whose history failed, and how. */
export type Progress = { played: number } | { failed: number; how: string };

/** Histories between two signs of life. */
const REPORT_EVERY = 10;
const { file, text, seeds }: MutatedHistories = workerData;
const say = (progress: Progress): void => parentPort?.postMessage(progress);
let isReplaced = false;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith(`/${file}`)) return loaded;
    isReplaced = true;
    return { ...loaded, source: text };
  },
});

const { play } = await import("@accord/sync-engine/simulation");
// A file that only the server loads shows in no history.
if (isReplaced) playAll();

function playAll(): void {
  seeds.forEach((seed, index) => {
    const how = failureOf(seed);
    if (how !== null) say({ failed: seed, how });
    else if (index % REPORT_EVERY === 0) say({ played: index });
  });
}

function failureOf(seed: number): string | null {
  try {
    const { lost, doubled, violations, stuck } = play(seed);
    return [...lost, ...doubled, ...violations][0] ?? (stuck ? "stuck" : null);
  } catch (error) {
    return `threw ${String(error)}`;
  }
}
