/** Lines of the engine that are changed one at a time: the pinned history of each shows it. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { simulate } from "./index.ts";
import { type Mutation, MUTATIONS } from "./mutations.ts";

async function playMutated(mutation: Mutation): Promise<unknown> {
  const [report] = await once(
    new Worker(new URL("./fixtures/mutated-engine.ts", import.meta.url), { workerData: mutation }),
    "message",
  );
  return report;
}

test.each(Object.entries(MUTATIONS))(
  "the changed line %s shows in its history",
  { timeout: 120_000 },
  async (_, mutation) => {
    const { seed } = mutation;
    expect(simulate({ seeds: 1, from: seed }).failedSeeds).toEqual([]);
    expect(await playMutated(mutation)).toMatchObject({ failedSeeds: [seed] });
  },
);
