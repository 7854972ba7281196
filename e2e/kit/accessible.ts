/** Checks the present screen with axe: WCAG 2.2 AA, nothing serious. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
const SERIOUS = new Set(["serious", "critical"]);

/** @throws with each faulty element and what to mend */
export async function expectAccessible(page: Page): Promise<void> {
  // What fades in is judged when it is there: half-transparent words have half the contrast.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter((each) => each.effect?.getComputedTiming().endTime !== Infinity);
    await Promise.allSettled(ending.map((each) => each.finished));
  });
  await page.evaluate(source);
  const { violations } = (await page.evaluate(
    `axe.run(document, { runOnly: ${JSON.stringify(RULES)} })`,
  )) as AxeResults;
  const serious = violations.filter(({ impact }) => SERIOUS.has(impact ?? ""));
  if (serious.length === 0) return;
  const told = serious.flatMap(({ id, help, nodes }) =>
    nodes.slice(0, 5).map((node) => `${id} (${help}): ${node.target.join(" ")}\n    ${node.failureSummary ?? ""}`),
  );
  throw new Error(`${new URL(page.url()).pathname} is not accessible:\n${told.join("\n")}`);
}
