/** Plays many histories at once, a share of the seeds on each core. */
import type { SimulationReport } from "@accord/sync-simulation";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";

export interface SeedRange {
  from: number;
  seeds: number;
  fault?: string;
}

/** Seeds per turn of a thread: small enough that both cores end at about the same time. */
const SHARE = 500;

export async function playAll(ranges: readonly SeedRange[]): Promise<SimulationReport> {
  const shares = ranges.flatMap(({ from, seeds, ...rest }) =>
    Array.from({ length: Math.ceil(seeds / SHARE) }, (_, index) => ({
      ...rest,
      from: from + index * SHARE,
      seeds: Math.min(SHARE, seeds - index * SHARE),
    })),
  );
  const total: SimulationReport = {
    ...{ runs: 0, lost: 0, doubled: 0, stuck: 0, violations: 0 },
    ...{ drifts: 0, renames: 0, newFields: 0, typeChanges: 0, failedSeeds: [] },
  };
  const threads = Math.min(shares.length, availableParallelism());
  await Promise.all(Array.from({ length: threads }, () => work(shares, total)));
  total.failedSeeds.sort((left, right) => left - right);
  return total;
}

const COUNTED = [
  "runs",
  "lost",
  "doubled",
  "stuck",
  "violations",
  "drifts",
  "renames",
  "newFields",
  "typeChanges",
] as const;

async function work(shares: SeedRange[], total: SimulationReport): Promise<void> {
  for (let share = shares.shift(); share; share = shares.shift()) {
    const report = await inThread(share);
    for (const key of COUNTED) total[key] += report[key];
    total.failedSeeds.push(...report.failedSeeds);
  }
}

function inThread(share: SeedRange): Promise<SimulationReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./thread.ts", import.meta.url), { workerData: share });
    thread.once("message", resolve);
    thread.once("error", reject);
  });
}
