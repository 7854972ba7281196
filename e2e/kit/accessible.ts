/** Checks the present screen with axe: WCAG 2.2 AA, nothing serious. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const SERIOUS = new Set(["serious", "critical"]);

/** Waits until nothing moves any more: what fades in has half the contrast, and what fades out is still there. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    const moving = () =>
      document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    // What is about to move starts a frame or two after the click that caused it.
    for (let still = 0; still < 6; still++) {
      await frame();
      const ending = moving();
      if (ending.length > 0) still = 0;
      await Promise.allSettled(ending.map((each) => each.finished));
    }
  });
}

/** Faults that last are found each time; an answer that arrives while axe looks starts to fade in without a click. */
const LOOKS = 3;

async function seriousFaults(page: Page): Promise<AxeResults["violations"]> {
  await settled(page);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  )) as AxeResults;
  return violations.filter(({ impact }) => SERIOUS.has(impact ?? ""));
}

/** @throws with each faulty element and what to mend */
export async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(source);
  let serious = await seriousFaults(page);
  for (let looks = 1; serious.length > 0 && looks < LOOKS; looks++) serious = await seriousFaults(page);
  if (serious.length === 0) return;
  const told = serious.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map((node) => `${id} (${help}): ${node.target.join(" ")}\n    ${node.failureSummary ?? ""}`),
  );
  throw new Error(`${new URL(page.url()).pathname} is not accessible:\n${told.join("\n")}`);
}
