/**
 * A thread that plays simulated histories on an engine of which one file was replaced while it was loaded: in memory,
 * or with their commands given to PostgreSQL as well.
 */
import { enableCompileCache, registerHooks } from "node:module";
import { isDeepStrictEqual } from "node:util";
import { parentPort, workerData } from "node:worker_threads";

export interface MutatedHistories {
  /** Relative to the project. */
  file: string;
  /** Null: the file as it is. */
  text: string | null;
  seeds: readonly number[];
  storage: "memory" | "postgres";
}

/** What the thread says while it plays: how far it has got, or a seed whose history failed, and how. */
export type Progress = { played: number } | { failed: number; how: string };

/** Histories in memory between two signs of life. */
const REPORT_EVERY = 10;
const { file, text, seeds, storage }: MutatedHistories = workerData;
const say = (progress: Progress): void => parentPort?.postMessage(progress);
let isReplaced = text === null;
/** What is undefined is left out, as it is where answers are stored. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

// Most of a thread's time went into stripping the same types again.
enableCompileCache();
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (text === null || !url.endsWith(`/${file}`)) return loaded;
    isReplaced = true;
    return { ...loaded, source: text };
  },
});

if (storage === "memory") await playAll();
else await replayAll();

async function playAll(): Promise<void> {
  const { runSimulation } = await import("@accord/sync-simulation");
  // A file that only the server loads shows in no history.
  if (!isReplaced) return;
  seeds.forEach((seed, index) => {
    const how = failureOf(() => {
      const { lost, doubled, violations, stuck } = runSimulation(seed);
      return [...lost, ...doubled, ...violations][0] ?? (stuck ? "stuck" : null);
    });
    if (how !== null) say({ failed: seed, how });
    else if (index % REPORT_EVERY === 0) say({ played: index });
  });
}

function failureOf(runSimulation: () => string | null): string | null {
  try {
    return runSimulation();
  } catch (error) {
    return `threw ${String(error)}`;
  }
}

/** Up to the first history that fails: its databases are gone by then. */
async function replayAll(): Promise<void> {
  const { replayHistory } = await import("../../apps/server/test-kit/replay/replay-history.ts");
  const { closeTestDatabases, sweepTestDatabases } = await import("../../apps/server/test-kit/database/database.ts");
  if (!isReplaced) return;
  // What a thread left behind that was ended.
  await sweepTestDatabases();
  for (const [index, seed] of seeds.entries()) {
    const how = await replayHistory(seed, compare).then(
      () => null,
      (error: unknown) => String(error instanceof Error ? error.message : error),
    );
    if (how !== null) {
      say({ failed: seed, how });
      break;
    }
    say({ played: index });
  }
  await closeTestDatabases();
}

function compare(given: unknown, expected: unknown, where: string): void {
  if (!isDeepStrictEqual(plain(given), plain(expected))) throw new Error(`PostgreSQL differs from memory in ${where}`);
}
