/** Tries mutants one at a time in a scratch copy, in one vitest that stays alive, and says which tests noticed. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type TestCase, type TestModule, type Vitest } from "vitest/node";
import { walk } from "../check/syntax-walk.ts";
import type { Mutant, MutantKind, MutantResult, Verdict } from "./mutant.ts";
import { makeScratchCopy, type ScratchCopy } from "./scratch-copy.ts";

export interface MutantOptions {
  root: string;
  mutants: readonly Mutant[];
  /** Runs the test files for those listed as equivalent too. */
  isThorough: boolean;
  onResult: (result: MutantResult, done: number) => void;
}

/** @throws Error when the tests fail without any change, or when a change can't be parsed. */
export async function runMutants(
  kind: MutantKind,
  { root, mutants, isThorough, onResult }: MutantOptions,
): Promise<MutantResult[]> {
  const reasons = JSON.parse(readFileSync(join(root, kind.equivalents), "utf8")) as Record<string, string>;
  const copy = makeScratchCopy(root);
  const results: MutantResult[] = [];
  try {
    const vitest = await openVitest(kind, copy);
    try {
      const add = (mutant: Mutant, caughtBy: string | null, seconds: number): void => {
        const reason = reasons[mutant.id] ?? null;
        const result = { mutant, verdict: verdictOf(caughtBy, reason), caughtBy, reason, seconds };
        results.push(result);
        onResult(result, results.length);
      };
      const caught = kind.trials ? await tryAll(vitest, copy, kind.trials, root, mutants) : new Map<Mutant, Trial>();
      for (const [mutant, { caughtBy, seconds }] of caught) if (caughtBy) add(mutant, caughtBy, seconds);
      const open = mutants.filter((mutant) => !caught.get(mutant)?.caughtBy);
      // What is listed and was not caught in the first round is taken at its word, unless it was asked for by name.
      const left = kind.trials && !isThorough ? open.filter((mutant) => !(mutant.id in reasons)) : open;
      for (const mutant of open) if (!left.includes(mutant)) add(mutant, null, caught.get(mutant)?.seconds ?? 0);
      const unchanged = await firstFailure(vitest, copy, [...new Set(left.flatMap(({ tests }) => tests))]);
      if (unchanged) throw new Error(`Without any change this fails already: ${unchanged}`);
      for (const mutant of left) {
        const began = performance.now();
        const caughtBy = await tryMutant(vitest, copy, root, mutant);
        add(mutant, caughtBy, Math.round((performance.now() - began) / 100) / 10);
      }
    } finally {
      await vitest.close();
    }
  } finally {
    copy.remove();
  }
  return results;
}

function verdictOf(caughtBy: string | null, reason: string | null): Verdict {
  if (caughtBy) return reason === null ? "caught" : "listed";
  return reason === null ? "survived" : "equivalent";
}

/** Ids in the file of equivalents that no mutant has any more. */
export function staleEquivalents(kind: MutantKind, root: string): string[] {
  const reasons = JSON.parse(readFileSync(join(root, kind.equivalents), "utf8")) as Record<string, string>;
  const ids = new Set(kind.find(root).map(({ id }) => id));
  return Object.keys(reasons).filter((id) => !ids.has(id));
}

const openVitest = (kind: MutantKind, copy: ScratchCopy): Promise<Vitest> =>
  createVitest("test", {
    root: copy.root,
    config: join(copy.root, "vitest.config.ts"),
    project: [kind.project],
    watch: false,
    bail: 1,
    reporters: [{}],
    silent: true,
  });

interface Trial {
  caughtBy: string | null;
  seconds: number;
}

/** The first round: every mutant stands in the copy behind a switch, and one program turns them on in turn. */
async function tryAll(
  vitest: Vitest,
  copy: ScratchCopy,
  trials: NonNullable<MutantKind["trials"]>,
  root: string,
  mutants: readonly Mutant[],
): Promise<Map<Mutant, Trial>> {
  trials.prepare(copy, root, mutants);
  const file = join(copy.root, "mutant-trials.jsonl");
  writeFileSync(file, "");
  process.env["ACCORD_MUTANT_TRIALS"] = JSON.stringify({ file, count: mutants.length });
  const specification = vitest.projects[0]!.createSpecification(join(copy.root, trials.program));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification]);
  const problem = testModules.map(failedTest).find(Boolean) ?? unhandledErrors[0];
  if (problem)
    throw new Error(`The trials failed: ${String(problem)} ${testModules.flatMap((one) => errorsOf(one)).join("\n")}`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const results = lines.map((line) => JSON.parse(line) as Trial & { number: number });
  trials.prepare({ write: copy.write }, root, []);
  for (const name of new Set(mutants.map((mutant) => mutant.file))) {
    copy.write(name, readFileSync(join(root, name), "utf8"));
    vitest.invalidateFile(join(copy.root, name));
  }
  return new Map(results.map(({ number, ...trial }) => [mutants[number]!, trial]));
}

const errorsOf = (module: TestModule): string[] =>
  [...module.children.allTests("failed")].flatMap((one) => one.result().errors?.map(({ message }) => message) ?? []);

async function tryMutant(vitest: Vitest, copy: ScratchCopy, root: string, mutant: Mutant): Promise<string | null> {
  const text = readFileSync(join(root, mutant.file), "utf8");
  const changed = text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end);
  // What can't be parsed would be noticed by any test and prove nothing.
  walk(mutant.file, changed, () => () => {});
  const path = join(copy.root, mutant.file);
  copy.write(mutant.file, changed);
  vitest.invalidateFile(path);
  try {
    return await firstFailure(vitest, copy, mutant.tests);
  } finally {
    copy.write(mutant.file, text);
    vitest.invalidateFile(path);
  }
}

/** Runs test files up to the first failure and answers its name; null when all passed. */
async function firstFailure(vitest: Vitest, copy: ScratchCopy, tests: readonly string[]): Promise<string | null> {
  if (tests.length === 0) return null;
  const specifications = await vitest.globTestSpecifications(tests.map((file) => join(copy.root, file)));
  if (specifications.length < tests.length) throw new Error(`Not all of these tests exist: ${tests.join(", ")}`);
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  for (const module of testModules) {
    const failed = failedTest(module);
    if (failed) return failed;
  }
  return unhandledErrors.length > 0 ? `unhandled: ${String(unhandledErrors[0])}` : null;
}

function failedTest(module: TestModule): string | null {
  const name = module.moduleId.split("/").at(-1) ?? "";
  const [failed] = [...module.children.allTests("failed")] as TestCase[];
  if (failed) return `${name} > ${failed.fullName}`;
  const isBroken =
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0);
  return isBroken ? `${name} (before its tests)` : null;
}
