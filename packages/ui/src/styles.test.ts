/** The kit's style sheets are there before any of its parts is. */
import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("every style sheet of the kit is loaded with the app", () => {
  const styles = readFileSync(`${import.meta.dirname}/styles.ts`, "utf8");
  const sheets = globSync("**/*.css", { cwd: import.meta.dirname }).filter((file) => !file.includes("gallery"));
  expect(sheets.length).toBeGreaterThan(10);
  expect(sheets.filter((file) => !styles.includes(`"./${file}"`))).toEqual([]);
});
