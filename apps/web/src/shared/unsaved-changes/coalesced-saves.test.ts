/** Quick changes of one thing are saved one after the other, the last one last. */
import { expect, test } from "vitest";
import { coalescedSaves } from "./coalesced-saves.ts";

/** A server that takes one version at a time, as ours does. */
function versioned() {
  const gates: (() => void)[] = [];
  const saved: number[] = [];
  const failures: unknown[] = [];
  let stored = 1;
  let settled = 0;
  const saves = coalescedSaves<number>({
    save: async (value) => {
      const version = stored;
      await new Promise<void>((open) => gates.push(open));
      if (version !== stored) throw new Error("stale_version");
      stored += 1;
      if (value < 0) throw new Error("refused");
      saved.push(value);
    },
    onSettled: () => (settled += 1),
    onFailed: (error) => failures.push(error),
  });
  const answer = async () => {
    gates.shift()?.();
    await new Promise((done) => setTimeout(done));
  };
  return { saves, saved, failures, answer, settled: () => settled };
}

test("of many changes during a save the last one is saved after it, without a conflict", async () => {
  const { saves, saved, failures, answer, settled } = versioned();
  for (const value of [1, 2, 3, 4]) saves.push(value);
  await answer();
  expect(saved).toEqual([1]);
  expect(settled()).toBe(0);
  await answer();
  await saves.idle();
  expect(saved).toEqual([1, 4]);
  expect(failures).toEqual([]);
  expect(settled()).toBe(1);
});

test("a refused save drops what was made on top of it, and later changes are saved again", async () => {
  const { saves, saved, failures, answer } = versioned();
  saves.push(-1);
  saves.push(2);
  await answer();
  await saves.idle();
  expect(failures).toHaveLength(1);
  saves.push(3);
  await answer();
  expect(saved).toEqual([3]);
});
