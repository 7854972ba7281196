/** The house rules catch what they are for and leave the rest alone. */
import { expect, test } from "vitest";
import { codeFaults, type Fault, firstLineFaults, folderFaults, pathFaults } from "./house-rules.ts";
import { installFaults } from "./install-facts.ts";
import { countDebts, noCounts, ratchetFaults } from "./ratchet.ts";
import { walk } from "./syntax-walk.ts";

const ENGINE = "packages/sync-engine/src/x.ts";

function rulesBrokenBy(text: string, file = ENGINE): string[] {
  const faults: Fault[] = [];
  walk(file, text, codeFaults(faults));
  return faults.map(({ rule, line }) => `${rule}:${line}`);
}

test.each([
  "const at = Date.now();",
  "const at = new Date();",
  "const at = Date();",
  "const chance = Math.random();",
  'const page = await fetch("https://x");',
  "const home = process.cwd();",
  "setTimeout(() => {}, 1);",
  "const start = performance.now();",
])("an engine may not: %s", (line) => {
  expect(rulesBrokenBy(`// é\n${line}\n`)).toEqual(["purity:2"]);
  expect(rulesBrokenBy(line, "apps/server/src/x.ts")).toEqual([]);
});

test.each([
  "const at = new Date(text);",
  "const at = Date.UTC(2026, 1, 1);",
  "const run = (fetch: () => void) => fetch();",
  "const name = step.process;",
  "const value = { fetch: 1 };",
])("an engine may: %s", (line) => {
  expect(rulesBrokenBy(line)).toEqual([]);
});

test("the environment is read in one place", () => {
  expect(rulesBrokenBy("process.env.PORT;", "apps/server/src/x.ts")).toEqual(["environment:1"]);
  expect(rulesBrokenBy("process.env.PORT;", "apps/server/src/config.ts")).toEqual([]);
});

test("exports have names", () => {
  expect(rulesBrokenBy("export default 1;", "apps/web/src/x.ts")).toEqual(["default-export:1"]);
  expect(rulesBrokenBy("export default 1;", "apps/web/vite.config.ts")).toEqual([]);
});

test("files are named in kebab-case after what they do, and begin with what they are for", () => {
  const rules = (file: string) => pathFaults(file).map(({ rule }) => rule);
  expect(rules("apps/web/src/DataTable.tsx")).toEqual(["file-name"]);
  expect(rules("apps/server/src/record_page.ts")).toEqual(["file-name"]);
  expect(rules("apps/server/src/date-utils.ts")).toEqual(["vague-name"]);
  expect(rules("apps/server/src/runs.store.int.test.ts")).toEqual([]);
  expect(firstLineFaults("x.ts", "import x from 'y';")).toHaveLength(1);
  expect(firstLineFaults("x.ts", "/** What for. */\nimport x from 'y';")).toEqual([]);
});

test("a folder has at most 25 files", () => {
  const files = (folder: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${folder}/f${index}.ts`);
  expect(folderFaults([...files("a", 25), ...files("a/b", 25)])).toEqual([]);
  expect(folderFaults([...files("a", 26), "a/b/c.ts"])).toMatchObject([{ file: "a", rule: "folder-size" }]);
});

test("debts may not grow, and a factory of small functions is not a long function", () => {
  const counts = noCounts();
  const lines = Array.from({ length: 70 }, (_, index) => `  step${index}();`).join("\n");
  walk("long.ts", `function long() {\n${lines}\n}`, countDebts(counts));
  walk(
    "factory.ts",
    `function factory() {\n return { one() {\n${lines}\n}, two: () => {\n${lines}\n} };\n}`,
    countDebts(counts),
  );
  walk("loose.ts", "const x: any = y as string; const z = x!; const c = [] as const;", countDebts(counts));
  expect(counts["long-function"]).toEqual({ "long.ts": 1, "factory.ts": 2 });
  expect([counts.any, counts.as, counts["non-null"]]).toEqual([
    { "loose.ts": 1 },
    { "loose.ts": 1 },
    { "loose.ts": 1 },
  ]);
  expect(ratchetFaults(counts, counts)).toEqual([]);
  expect(ratchetFaults(counts, noCounts())).toHaveLength(5);
});

test("the lockfile has no unknown install script, no version with a known hole, no package without checksum", () => {
  expect(installFaults()).toEqual([]);
  const bad = {
    packages: {
      "node_modules/fastify": { version: "5.8.4", integrity: "sha512-x" },
      "node_modules/vm2": { version: "9.9.9", integrity: "sha512-x" },
      "node_modules/sneaky": { version: "1.0.0", integrity: "sha512-x", hasInstallScript: true },
      "node_modules/bare": { version: "1.0.0" },
    },
  };
  expect(installFaults(JSON.stringify(bad)).map(({ rule }) => rule)).toEqual([
    "floor",
    "floor",
    "integrity",
    "install-script",
  ]);
});

test("a refused call is shown with its reason", () => {
  const file = "apps/web/src/studios/sync/rows.tsx";
  const rules = (code: string, path = file) => rulesBrokenBy(code, path).map((rule) => rule.replace(/:.*/, ""));
  expect(rules("export const A = () => <ErrorBox message={explanationOf(save.error)} />;")).toEqual(["refusal"]);
  expect(rules("export const A = () => <ErrorBox message={`${explanationOf(error)} ${more}`} />;")).toEqual([
    "refusal",
  ]);
  expect(rules("export const A = () => <ErrorBox tone='warn' message={refused.message} />;")).toEqual(["refusal"]);
  expect(rules("export const A = () => <ErrorBox message={save.error.message} />;")).toEqual(["refusal"]);
  expect(rules('import { Card, ConfirmDialog } from "@accord/ui";')).toEqual(["refusal"]);
  expect(rules("export const A = () => <ErrorBox message={run.message} title={error.message} />;")).toEqual([]);
  expect(rules('import { Card, ErrorBox } from "@accord/ui";')).toEqual([]);
  expect(
    rules('import { ConfirmDialog } from "@accord/ui";', "apps/web/src/shared/refusal/confirm-dialog.tsx"),
  ).toEqual([]);
});
