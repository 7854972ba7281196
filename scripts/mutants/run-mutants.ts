/** Tries mutants one at a time and says what noticed each, or why nothing can. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestModule } from "vitest/node";
import { z } from "zod";
import type { Effort, Mutant, MutantKind, MutantResult, Verdict } from "./mutant.ts";
import { failedTest, TestRunner } from "./test-runner.ts";

const Reasons = z.record(z.string(), z.string());
const NumberedTrial = z.object({ number: z.number(), caughtBy: z.string().nullable(), seconds: z.number() });

export interface MutantOptions {
  root: string;
  mutants: readonly Mutant[];
  /** Runs the test files for those listed as equivalent too. */
  isThorough: boolean;
  effort: Effort;
  onResult: (result: MutantResult, done: number) => void;
}

/** @throws Error when the tests fail without any change, or when a change can't be parsed. */
export async function runMutants(
  kind: MutantKind,
  { root, mutants, isThorough, effort, onResult }: MutantOptions,
): Promise<MutantResult[]> {
  const reasons = reasonsOf(kind, root);
  const results: MutantResult[] = [];
  const add = (mutant: Mutant, caughtBy: string | null, seconds: number): void => {
    const reason = reasons[mutant.id] ?? null;
    const result = { mutant, verdict: verdictOf(caughtBy, reason), caughtBy, reason, seconds };
    results.push(result);
    onResult(result, results.length);
  };
  const isListed = ({ id }: Mutant): boolean => id in reasons;
  if (kind.openJudge) {
    const judge = kind.openJudge(root, effort);
    // That a listed one still survives is for a whole run to see.
    const judged = (mutant: Mutant): Promise<string | null> =>
      effort !== "whole" && isListed(mutant) ? Promise.resolve(null) : judge.judge(mutant);
    await each(mutants, judged, add).finally(() => judge.close());
    return results;
  }
  const runner = await TestRunner.open(kind.project, root);
  try {
    const caught = kind.trials ? await tryAll(runner, kind.trials, root, mutants) : new Map<Mutant, Trial>();
    for (const [mutant, { caughtBy, seconds }] of caught) if (caughtBy) add(mutant, caughtBy, seconds);
    const open = mutants.filter((mutant) => !caught.get(mutant)?.caughtBy);
    // What is listed and was not caught in the first round is taken at its word, unless it was asked for by name.
    const isTakenAtItsWord = (mutant: Mutant) => Boolean(kind.trials) && !isThorough && isListed(mutant);
    const left = effort === "quick" && kind.trials ? [] : open.filter((mutant) => !isTakenAtItsWord(mutant));
    for (const mutant of open) if (!left.includes(mutant)) add(mutant, null, caught.get(mutant)?.seconds ?? 0);
    const unchanged = await runner.firstFailure([...new Set(left.flatMap(({ tests }) => tests))]);
    if (unchanged) throw new Error(`Without any change this fails already: ${unchanged}`);
    await each(left, (mutant) => runner.tryMutant(mutant, mutant.tests), add);
  } finally {
    await runner.close();
  }
  return results;
}

async function each(
  mutants: readonly Mutant[],
  judge: (mutant: Mutant) => Promise<string | null>,
  add: (mutant: Mutant, caughtBy: string | null, seconds: number) => void,
): Promise<void> {
  for (const mutant of mutants) {
    const began = performance.now();
    const caughtBy = await judge(mutant);
    add(mutant, caughtBy, Math.round((performance.now() - began) / 100) / 10);
  }
}

const reasonsOf = (kind: MutantKind, root: string): Record<string, string> =>
  Reasons.parse(JSON.parse(readFileSync(join(root, kind.equivalents), "utf8")));

function verdictOf(caughtBy: string | null, reason: string | null): Verdict {
  if (caughtBy) return reason === null ? "caught" : "listed";
  return reason === null ? "survived" : "equivalent";
}

/** Ids in the file of equivalents that no mutant has any more. */
export function staleEquivalents(kind: MutantKind, root: string): string[] {
  const ids = new Set(kind.find(root).map(({ id }) => id));
  return Object.keys(reasonsOf(kind, root)).filter((id) => !ids.has(id));
}

type Trial = Pick<z.infer<typeof NumberedTrial>, "caughtBy" | "seconds">;

/** The first round: every mutant stands in the copy behind a switch, and one program turns them on in turn. */
async function tryAll(
  { vitest, copy }: TestRunner,
  trials: NonNullable<MutantKind["trials"]>,
  root: string,
  mutants: readonly Mutant[],
): Promise<Map<Mutant, Trial>> {
  trials.prepare(copy, root, mutants);
  const file = join(copy.root, "mutant-trials.jsonl");
  writeFileSync(file, "");
  process.env["ACCORD_MUTANT_TRIALS"] = JSON.stringify({ file, count: mutants.length });
  const program = join(copy.root, trials.program);
  const specifications = vitest.projects.slice(0, 1).map((project) => project.createSpecification(program));
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
  const problem = testModules.map(failedTest).find(Boolean) ?? unhandledErrors[0];
  if (problem)
    throw new Error(`The trials failed: ${String(problem)} ${testModules.flatMap((one) => errorsOf(one)).join("\n")}`);
  const lines = readFileSync(file, "utf8").trim().split("\n");
  const results = lines.map((line) => NumberedTrial.parse(JSON.parse(line)));
  trials.prepare({ write: copy.write }, root, []);
  for (const name of new Set(mutants.map((mutant) => mutant.file))) {
    copy.write(name, readFileSync(join(root, name), "utf8"));
    vitest.invalidateFile(join(copy.root, name));
  }
  return new Map(
    results.flatMap(({ number, ...trial }): [Mutant, Trial][] => {
      const mutant = mutants[number];
      return mutant ? [[mutant, trial]] : [];
    }),
  );
}

const errorsOf = (module: TestModule): string[] =>
  [...module.children.allTests("failed")].flatMap((one) => one.result().errors?.map(({ message }) => message) ?? []);
