/** Shows what an e2e test that failed had on its screen: its address, its words, and a picture under `test-results`. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach } from "vitest";
import { ROOT } from "../../scripts/setup/root.mjs";
import { openPages } from "./visitor.ts";

/** Characters of the page's words: what stands in the middle of most screens, with the dialog over them. */
const WORDS = 3_000;

const report = (line: string): void => void process.stderr.write(`${line}\n`);

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const folder = join(ROOT, "test-results", "failed-pages");
  mkdirSync(folder, { recursive: true });
  for (const [index, page] of [...openPages].entries()) {
    const picture = join(folder, `${task.name.replaceAll(/[^\w-]+/g, "_").slice(0, 80)}-${index}.png`);
    try {
      await page.screenshot({ path: picture, timeout: 10_000 });
      const words = await page.locator("body").ariaSnapshot({ timeout: 10_000 });
      report(`"${task.name}" failed at ${page.url()}, which showed:\n${words.slice(0, WORDS)}\n(picture: ${picture})`);
    } catch (error) {
      report(`"${task.name}" failed at ${page.url()}, which can't be shown: ${String(error)}`);
    }
  }
});
