/** Counts of a running cycle end with its messages, and never those of the cycle after it. */
import { expect, test } from "vitest";
import { runningFlow } from "./running-flow.ts";

const NEVER_MS = 3_600_000;
interface Counts {
  cycle: number;
}

function observed(silenceMs: number) {
  const shown: (Counts | null)[] = [];
  let reads = 0;
  let answer = (): void => {};
  const flow = runningFlow<Counts>({
    show: (counts) => shown.push(counts),
    readStored: () => {
      reads += 1;
      return new Promise<void>((resolve) => (answer = resolve));
    },
    silenceMs,
  });
  return { flow, shown, reads: () => reads, answer: () => answer() };
}

test("counts of a cycle whose end was never reported give way to the stored ones once messages stop", async () => {
  const { flow, shown, reads, answer } = observed(10);
  flow.counted({ cycle: 1 });
  await expect.poll(reads).toBe(1);
  expect(shown).toEqual([{ cycle: 1 }]);
  answer();
  await expect.poll(() => shown.at(-1)).toBeNull();
});

test("a cycle that began while the stored counts were read keeps its own", async () => {
  const { flow, shown, answer } = observed(NEVER_MS);
  flow.counted({ cycle: 1 });
  flow.ended();
  flow.counted({ cycle: 2 });
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(shown.at(-1)).toEqual({ cycle: 2 });
  flow.stop();
});

test("after a lost connection the stored counts are read, unless none of a running cycle were shown", async () => {
  const { flow, shown, reads, answer } = observed(NEVER_MS);
  flow.ended();
  expect(reads()).toBe(0);
  flow.counted({ cycle: 1 });
  flow.ended();
  answer();
  await expect.poll(() => shown).toEqual([{ cycle: 1 }, null]);
  expect(reads()).toBe(1);
});
