/** Which mutants the compiler takes. What it refuses is noticed without any test, and proves nothing about those. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isParsed, mutatedText } from "./mutated-text.ts";
import type { Mutant } from "./mutant.ts";
import { makeScratchCopy, type ScratchCopy } from "./scratch-copy.ts";

const CONFIG = "tsconfig.mutants.json";
/** As many fit into memory at once. */
const AT_ONCE = 400;
const ERROR = /^(.+?)\(\d+,\d+\): error /gm;

/** Those that can be parsed and whose types fit. Each stands beside its file under a name of its own: one run for all. */
export function compiled(root: string, mutants: readonly Mutant[]): Mutant[] {
  const parsed = mutants.filter((mutant) => isParsed(root, mutant));
  if (parsed.length === 0) return [];
  const copy = makeScratchCopy(root);
  const chunks = Array.from({ length: Math.ceil(parsed.length / AT_ONCE) }, (_, index) =>
    parsed.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  try {
    return chunks.flatMap((chunk) => fitting(root, copy, chunk));
  } finally {
    copy.remove();
  }
}

function fitting(root: string, copy: ScratchCopy, parsed: readonly Mutant[]): Mutant[] {
  // A file of its own may not fit where others know it by its name: what its unchanged text shows is nobody's fault.
  const unchanged = new Map(
    parsed.map((mutant) => [mutant.file, { ...mutant, start: 0, end: 0, replacement: "" }] as const),
  );
  const all = [...unchanged.values(), ...parsed];
  const names = all.map(({ file }, index) => file.replace(/\.ts$/, `.mutant${index}.ts`));
  for (const [index, mutant] of all.entries()) {
    writeFileSync(join(copy.root, names[index] ?? ""), mutatedText(root, mutant));
  }
  writeFileSync(
    join(copy.root, CONFIG),
    JSON.stringify({ extends: "./tsconfig.json", include: ["**/*.d.ts"], files: names }),
  );
  const { stdout } = spawnSync(join(root, "node_modules/.bin/tsc"), ["--noEmit", "--pretty", "false", "-p", CONFIG], {
    cwd: copy.root,
    encoding: "utf8",
    maxBuffer: 100_000_000,
  });
  const refused = new Set([...stdout.matchAll(ERROR)].map(([, name]) => name));
  const isRefused = (index: number): boolean => refused.has(names[index] ?? "");
  const unclear = new Set([...unchanged.keys()].filter((_, index) => isRefused(index)));
  for (const name of names) rmSync(join(copy.root, name));
  return parsed.filter(({ file }, index) => unclear.has(file) || !isRefused(unchanged.size + index));
}
