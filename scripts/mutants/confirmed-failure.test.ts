/** A failure counts where its file fails with the mutant again and passes without it; else the other files judge. */
import { expect, test } from "vitest";
import { confirmedFailure } from "./confirmed-failure.ts";

/** When each file fails: with the mutant, whenever it runs, the first time it runs, or never. */
async function judged(failures: Record<string, "mutated" | "always" | "once" | "never">): Promise<string | null> {
  const files = Object.keys(failures).map((name) => `folder/${name}.test.ts`);
  const runs = new Map<string, number>();
  return confirmedFailure(
    async (tests, isMutated) => {
      for (const name of tests) {
        const count = (runs.get(name) ?? 0) + 1;
        runs.set(name, count);
        const how = failures[name.slice("folder/".length, -".test.ts".length)];
        const isFailed = how === "always" || (how === "mutated" && isMutated) || (how === "once" && count === 1);
        if (isFailed) return `${name.slice("folder/".length)} > promise`;
      }
      return null;
    },
    files,
    new Set(),
  );
}

test("a file that fails with the mutant alone has noticed it", async () => {
  expect(await judged({ a: "never", b: "mutated" })).toBe("b.test.ts > promise");
  expect(await judged({ a: "never", b: "never" })).toBeNull();
});

test("one that failed by itself has noticed nothing, and keeps no other from noticing", async () => {
  expect(await judged({ a: "once" })).toBeNull();
  expect(await judged({ a: "always" })).toBeNull();
  expect(await judged({ a: "once", b: "mutated" })).toBe("b.test.ts > promise");
  expect(await judged({ a: "always", b: "once", c: "mutated" })).toBe("c.test.ts > promise");
});
