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

/** Inside the project, so that packages are found above it; ignored by git. */
const COPY = join(ROOT, ".accord-recipes");

const Package = z.object({ name: z.string() });

/** Tests that run what functions, formulas and actions state about themselves. */
const TESTS = [
  "packages/sync-engine/src/functions/functions.test.ts",
  "packages/sync-engine/src/actions/actions.test.ts",
];

/** @returns what is wrong with the recipes, ready to print; empty when each leads to a working change. */
export async function recipeFaults(): Promise<string> {
  copyProject();
  try {
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

/** Sources are copied, our own packages linked to the copies; all others are found in the folder above. */
function copyProject(): void {
  rmSync(COPY, { recursive: true, force: true });
  for (const file of sourceFiles(ROOT, /./)) cpSync(join(ROOT, file), join(COPY, file));
  for (const group of ["packages", "apps"])
    for (const name of readdirSync(join(ROOT, group))) copyPackage(`${group}/${name}`);
}

function copyPackage(folder: string): void {
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

/** The type checker asks where the recipe says that it does, and nowhere else. */
function typeFaults(output: string, scaffolds: readonly Scaffold[]): string[] {
  const expected = new Set(scaffolds.flatMap(({ places }) => places ?? []));
  const found = new Set(Array.from(output.matchAll(/^(\S+)\(\d+,\d+\): error/gm), ([, file]) => file ?? ""));
  const unexpected = output
    .split("\n")
    .filter((line) => /^\S+\(/.test(line) && !expected.has(line.split("(")[0] ?? ""));
  const silent = [...expected].filter((file) => !found.has(file));
  return [
    ...unexpected,
    ...silent.map((file) => `${file}: the recipe says that the type checker asks there, and it does not`),
  ];
}
