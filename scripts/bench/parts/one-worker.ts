/** A worker of `bench workers`: told by its parent to make a pipeline ready, and to run its cycle. */
import {
  closeTestDatabases,
  testDatabase,
  type TestDatabase,
} from "../../../apps/server/test-kit/database/database.ts";
import { leaveTestCluster } from "../../../apps/server/test-kit/database/test-cluster.ts";
import { peakRssMb } from "../../setup/measurement.ts";
import { prepare, TEN } from "./bench-pipeline.ts";
import { type ProcessorTime, processorTimed } from "./processor-time.ts";

/** What a worker answers: its memory, and the processor time of the cycle it ran. */
export interface WorkerAnswer {
  rssMb: number;
  time: ProcessorTime;
}

const url = process.argv[2] ?? "";
let database: TestDatabase | null = null;
let sync: Awaited<ReturnType<typeof prepare>> | null = null;

async function answer(what: unknown): Promise<void> {
  let time: ProcessorTime = { process: 0, postgres: 0 };
  if (what === "prepare") {
    await database?.drop();
    database = await testDatabase();
    sync = await prepare(database, url, TEN);
  } else if (sync && database) {
    const { cycle } = sync;
    ({ time } = await processorTimed(database.data.pool, () => cycle()));
  }
  process.send?.({ rssMb: peakRssMb(), time } satisfies WorkerAnswer);
}

async function leave(): Promise<void> {
  await database?.drop();
  await closeTestDatabases();
  await leaveTestCluster();
  process.exit(0);
}

process.on("message", (what) => void answer(what));
process.on("disconnect", () => void leave());
