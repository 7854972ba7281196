/** Scaffolds fit the lists as they stand today, and refuse to write over anything. */
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ROOT } from "../setup/root.mjs";
import { KINDS, scaffoldFor } from "./kinds.ts";
import { apply } from "./scaffold.ts";

const folder = mkdtempSync(join(tmpdir(), "accord-new-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(KINDS)("a new $kind stands in every list once, and is never made twice", ({ kind, example }) => {
  const scaffold = scaffoldFor(kind, example);
  const { files, lines, edits = [] } = scaffold;
  const root = join(folder, kind);
  for (const { file } of [...lines, ...edits]) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(root, file));
  }
  const before = new Map([...lines, ...edits].map(({ file }) => [file, readFileSync(join(root, file), "utf8")]));
  expect(apply(scaffold, root).toSorted()).toEqual([...new Set([...Object.keys(files), ...before.keys()])].toSorted());
  for (const { file, line } of lines) {
    const text = readFileSync(join(root, file), "utf8");
    expect(text.split(line)).toHaveLength((before.get(file) ?? "").split(line).length + 1);
  }
  for (const [file, text] of before) expect(readFileSync(join(root, file), "utf8")).not.toBe(text);
  if (Object.keys(files).length > 0) expect(() => apply(scaffold, root)).toThrow("exists already");
});

test.each(KINDS)("the recipe of a new $kind names the places where the type checker asks", ({ kind, example }) => {
  const recipe = join(ROOT, `docs/recipes/${kind}.md`);
  expect(existsSync(recipe)).toBe(true);
  const text = readFileSync(recipe, "utf8");
  expect(text).toContain(`npm run new -- ${kind} `);
  for (const place of scaffoldFor(kind, example).places ?? []) expect(text).toContain(place);
});

test.each([
  ["function", "Swap words"],
  ["function", "data/swap"],
  ["feature", "swap"],
  ["migration", "elsewhere/swap"],
  ["castle", "swap"],
])("%s %s is refused with what can be made", (kind, name) => {
  expect(() => scaffoldFor(kind, name)).toThrow("npm run new -- function swap-words");
});
