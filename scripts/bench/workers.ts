/**
 * Two workers against one: processes of their own, a pipeline through ten nodes each, the same source and PostgreSQL.
 * The limit is what one of them does alone: a ratio of 2 would mean that they do not stand in each other's way. Source
 * and PostgreSQL work as hard as the workers do: with fewer than about five cores free the machine is what is measured.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { closeTestDatabases } from "../../apps/server/test-kit/database.ts";
import { leaveTestCluster, testClusterUrl } from "../../apps/server/test-kit/test-cluster.ts";
import type { Measure } from "../setup/measurement.ts";
import { startSource } from "./parts/bench-pipeline.ts";

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
    let [one, two] = [0, 0];
    for (let round = 0; round < ROUNDS; round += 1) {
      one = Math.max(one, await together(workers.slice(0, 1), records));
      two = Math.max(two, await together(workers, records));
      say(`one worker ${Math.round(one)}, two ${Math.round(two)} records/s, ${availableParallelism()} cores`);
    }
    const rssMb = Math.max(...workers.map((worker) => worker.rssMb));
    const name = `workers: two against one, ${records} records each`;
    return [{ name, ours: two, limit: one, unit: "records/s", better: "more", rssMb }];
  } finally {
    for (const worker of workers) worker.stop();
    source.stop();
    await closeTestDatabases();
    await leaveTestCluster();
  }
};

/** Records a second of all of them, from the first one's beginning to the last one's end. */
async function together(workers: readonly BenchWorker[], records: number): Promise<number> {
  await Promise.all(workers.map((worker) => worker.ready()));
  const began = performance.now();
  await Promise.all(workers.map((worker) => worker.run()));
  return (records * workers.length) / ((performance.now() - began) / 1000);
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

  async run(): Promise<void> {
    await this.ready();
    this.#isReady = false;
    this.rssMb = await this.#ask("run");
  }

  stop(): void {
    this.#child.disconnect();
  }

  #ask(what: "prepare" | "run"): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (answer) => resolve(Number(answer)));
      this.#fail = reject;
      this.#child.send(what);
    });
  }
}
