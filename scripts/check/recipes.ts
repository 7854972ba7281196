/** Every recipe as `npm run new` follows it, in a copy of the project: what it makes compiles, keeps the rules and passes its tests. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { ROOT } from "../setup/root.mjs";
import { runTool, type ToolResult } from "../setup/run-tool.ts";
import { KINDS } from "../new/kinds.ts";
import { apply, type Scaffold } from "../new/scaffold.ts";
import { codeFaults, firstLineFaults, pathFaults, type Fault } from "./house-rules.ts";
import { sourceFiles } from "./source-files.ts";
import { walk } from "./syntax-walk.ts";

/** Inside the project, so that packages are found above it; ignored by git. Of this process alone: two may check at once. */
const COPY = join(ROOT, `.accord-recipes-${process.pid}`);

const Package = z.object({ name: z.string() });

/** Tests that run what functions, formulas, actions and card types state about themselves. */
const TESTS = [
  "packages/cards/src/definitions.test.ts",
  "packages/cards/src/examples/examples.test.ts",
  "packages/sync-engine/src/functions/functions.test.ts",
  "packages/sync-engine/src/actions/actions.test.ts",
];

/** @returns what is wrong with the recipes, ready to print; empty when each leads to a working change. */
export async function recipeFaults(): Promise<string> {
  sweep();
  try {
    copyProject();
    const faults: string[] = [];
    const scaffolds = KINDS.map(({ kind, example, scaffoldOf }) => ({ kind, scaffold: scaffoldOf(example) }));
    const made = new Set<string>();
    for (const { kind, scaffold } of scaffolds) {
      if (!scaffold) faults.push(`${kind}: its example is no name`);
      else for (const file of apply(scaffold, COPY)) made.add(file);
    }
    const files = [...made].filter((file) => !file.endsWith(".sql"));
    await runTool("oxfmt", files, { folder: COPY });
    faults.push(
      ...ruleFaults(files),
      ...said("lint", await runTool("oxlint", ["--quiet", ...files], { folder: COPY })),
    );
    const types = await runTool("tsc", ["-p", "tsconfig.json"], { folder: COPY, environment: { NO_COLOR: "1" } });
    faults.push(
      ...typeFaults(
        types.output,
        scaffolds.flatMap(({ scaffold }) => scaffold ?? []),
      ),
    );
    const tests = await runTool("vitest", ["run", "--project", "unit", ...TESTS], {
      ...{ folder: COPY, environment: { NO_COLOR: "1" } },
    });
    faults.push(...said("tests", tests));
    return faults.join("\n");
  } finally {
    rmSync(COPY, { recursive: true, force: true });
  }
}

const said = (step: string, { code, output }: ToolResult): string[] =>
  code === 0 ? [] : [`${step}: ${output.trim() || `ended with ${code}`}`];

/** Copies of checks that were killed. */
function sweep(): void {
  for (const name of readdirSync(ROOT)) {
    const [, pid] = /^\.accord-recipes-(\d+)$/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) rmSync(join(ROOT, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Sources are copied, our own packages linked to the copies; all others are found in the folder above. */
function copyProject(): void {
  const files = sourceFiles(ROOT, /./);
  for (const file of files) cpSync(join(ROOT, file), join(COPY, file));
  for (const file of files) if (/^(packages|apps)\/[^/]+\/package\.json$/.test(file)) linkPackage(dirname(file));
}

function linkPackage(folder: string): void {
  const { name } = Package.parse(JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")));
  link(join(COPY, folder), join(COPY, "node_modules", name));
  link(join(ROOT, folder, "node_modules"), join(COPY, folder, "node_modules"));
}

function link(target: string, place: string): void {
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place);
}

function ruleFaults(files: readonly string[]): string[] {
  const faults: Fault[] = [];
  for (const file of files) {
    const text = readFileSync(join(COPY, file), "utf8");
    faults.push(...pathFaults(file), ...firstLineFaults(file, text));
    walk(file, text, codeFaults(faults));
  }
  return faults.map(({ file, line, rule, fix }) => `${file}:${line}  ${rule}: ${fix}`);
}

/** What a closed union asks: a way to return, a key of a table, or a word. */
const ASKED = /error TS(2366|2741|2322|2339|2345|2551|7030):/;

/** The type checker asks where the recipe says that it does, and nowhere else. */
function typeFaults(output: string, scaffolds: readonly Scaffold[]): string[] {
  const expected = new Set(scaffolds.flatMap(({ places }) => places ?? []));
  const lines = output.split("\n").filter((line) => /^\S+\(\d+,\d+\): error/.test(line));
  const fileOf = (line: string): string => line.slice(0, line.indexOf("("));
  const asked = new Set(lines.filter((line) => ASKED.test(line)).map(fileOf));
  const unexpected = lines.filter((line) => !ASKED.test(line) || !expected.has(fileOf(line)));
  const silent = [...expected].filter((file) => !asked.has(file));
  return [
    ...unexpected,
    ...silent.map((file) => `${file}: the recipe says that the type checker asks there, and it does not`),
  ];
}
