/** What stays of earlier builds of the browser app, for servers that run and pages that are open. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keepEarlierFiles } from "./web-build.ts";

const home = mkdtempSync(join(tmpdir(), "accord-builds-"));

function build(name: string, files: Record<string, string>, earlier: string): string {
  const folder = join(home, name);
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, "assets", file), text);
  keepEarlierFiles(earlier, folder);
  return folder;
}

const filesOf = (folder: string): string[] => readdirSync(join(folder, "assets")).sort();

test("the files of earlier builds stay beside the newest until three others have followed", () => {
  const first = build("1", { "a-1.js": "one", "same.js": "as ever" }, join(home, "none"));
  const second = build("2", { "a-2.js": "two", "same.js": "as ever" }, first);
  expect(filesOf(second)).toEqual(["a-1.js", "a-2.js", "same.js"]);
  expect(readFileSync(join(second, "assets/a-1.js"), "utf8")).toBe("one");
  const third = build("3", { "a-3.js": "three" }, second);
  const fourth = build("4", { "a-4.js": "four" }, third);
  expect(filesOf(fourth)).toEqual(["a-1.js", "a-2.js", "a-3.js", "a-4.js", "same.js"]);
  expect(filesOf(build("5", { "a-5.js": "five" }, fourth))).toEqual([
    "a-2.js",
    "a-3.js",
    "a-4.js",
    "a-5.js",
    "same.js",
  ]);
});

test("a build made before anybody took note is kept as one", () => {
  const old = join(home, "old");
  mkdirSync(join(old, "assets"), { recursive: true });
  writeFileSync(join(old, "assets/x.js"), "old");
  expect(filesOf(build("new", { "y.js": "new" }, old))).toEqual(["x.js", "y.js"]);
});
