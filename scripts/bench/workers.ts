/**
 * Two workers against one: processes of their own, a pipeline through ten nodes each, the same source and PostgreSQL.
 * The limit is what one of them does alone: a ratio of 2 would mean that they do not stand in each other's way. Source
 * and PostgreSQL work as hard as the workers do: with fewer than about five cores free the machine is what is measured.
 * What holds on any machine is processor time: where two workers need as much of it a record as one, nothing but cores
 * keeps them from being twice as fast.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { closeTestDatabases } from "../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster, testClusterUrl } from "../../apps/server/test-kit/database/test-cluster.ts";
import type { Measure } from "../setup/measurement.ts";
import { startSource } from "./parts/bench-pipeline.ts";
import type { WorkerAnswer } from "./parts/one-worker.ts";
import type { ProcessorTime } from "./parts/processor-time.ts";

const ROUNDS = 3;

export const measure: Measure = async (words, say) => {
  const at = words.indexOf("--records");
  const records = at < 0 ? 100_000 : Number(words[at + 1]);
  // Held here, so that it stays up between the workers.
  await testClusterUrl("postgres");
  const source = await startSource(records);
  const workers = [new BenchWorker(source.url), new BenchWorker(source.url)];
  try {
    for (const worker of workers) await worker.run();
    let one = NOTHING_YET;
    let two = NOTHING_YET;
    for (let round = 0; round < ROUNDS; round += 1) {
      one = better(one, await together(workers.slice(0, 1), records));
      two = better(two, await together(workers, records));
    }
    const cores = availableParallelism();
    for (const [name, { speed, here, postgres }] of [
      ["one worker", one],
      ["two workers", two],
    ] as const) {
      const spent = `${here.toFixed(1)} microseconds of processor a record here, ${postgres.toFixed(1)} in PostgreSQL`;
      say(`${name}: ${Math.round(speed)} records/s, ${spent}`);
    }
    say(`PostgreSQL alone could take ${Math.round((cores * 1e6) / one.postgres)} records/s on ${cores} cores`);
    const rssMb = Math.max(...workers.map((worker) => worker.rssMb));
    const name = `workers: two against one, ${records} records each`;
    const spent = { unit: "µs", better: "less" as const, rssMb };
    return [
      { name, ours: two.speed, limit: one.speed, unit: "records/s", better: "more", rssMb },
      { name: "workers: processor time a record, two against one", ours: total(two), limit: total(one), ...spent },
    ];
  } finally {
    for (const worker of workers) worker.stop();
    source.stop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

interface Run {
  /** Records a second of all of them, from the first one's beginning to the last one's end. */
  speed: number;
  /** Microseconds of processor a record. */
  here: number;
  postgres: number;
}

const NOTHING_YET: Run = { speed: 0, here: Infinity, postgres: Infinity };
const total = ({ here, postgres }: Run): number => here + postgres;

/** Of both the best: what else the machine does only takes away. */
const better = (one: Run, other: Run): Run => ({
  speed: Math.max(one.speed, other.speed),
  here: Math.min(one.here, other.here),
  postgres: Math.min(one.postgres, other.postgres),
});

async function together(workers: readonly BenchWorker[], records: number): Promise<Run> {
  await Promise.all(workers.map((worker) => worker.ready()));
  const began = performance.now();
  const times = await Promise.all(workers.map((worker) => worker.run()));
  const seconds = (performance.now() - began) / 1000;
  const all = records * workers.length;
  const microseconds = (of: (time: ProcessorTime) => number): number =>
    (times.reduce((sum, time) => sum + of(time), 0) / all) * 1e6;
  const spent = { here: microseconds((time) => time.process), postgres: microseconds((time) => time.postgres) };
  return { speed: all / seconds, ...spent };
}

/** A worker's process: makes a pipeline ready in a database of its own, and runs its cycle when told to. */
class BenchWorker {
  readonly #child: ChildProcess;
  #isReady = false;
  #fail: (error: Error) => void = () => {};
  rssMb = 0;

  constructor(url: string) {
    this.#child = fork(new URL("parts/one-worker.ts", import.meta.url), [url]);
    this.#child.once("exit", () => this.#fail(new Error("a worker of the bench ended")));
  }

  async ready(): Promise<void> {
    if (!this.#isReady) await this.#ask("prepare");
    this.#isReady = true;
  }

  async run(): Promise<ProcessorTime> {
    await this.ready();
    this.#isReady = false;
    const { rssMb, time } = await this.#ask("run");
    this.rssMb = rssMb;
    return time;
  }

  stop(): void {
    this.#child.disconnect();
  }

  #ask(what: "prepare" | "run"): Promise<WorkerAnswer> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (answer) => resolve(answer as WorkerAnswer));
      this.#fail = reject;
      this.#child.send(what);
    });
  }
}
