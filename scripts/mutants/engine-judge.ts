/** Judges mutants of the engine: few histories first, the fast tests next, then many histories and tests on PostgreSQL. */
import { globSync } from "node:fs";
import { FIRST_SEEDS, playMutant } from "./engine-simulation.ts";
import { isPlayed, UNIT_TESTS } from "./engine-test-files.ts";
import type { Effort, Mutant, MutantJudge } from "./mutant.ts";
import { mutatedText } from "./mutated-text.ts";
import { PatientTestRunner } from "./patient-test-runner.ts";

/** Histories that are played before any test. */
const FEW = 300;
const MANY = 1_500;

export class EngineJudge implements MutantJudge {
  readonly #root: string;
  readonly #effort: Effort;
  readonly #unit: PatientTestRunner;
  readonly #integration: PatientTestRunner;
  /** Test files that are known to pass without a mutant. */
  readonly #sound = new Set<string>();

  constructor(root: string, effort: Effort) {
    this.#root = root;
    this.#effort = effort;
    this.#unit = new PatientTestRunner("unit", root);
    this.#integration = new PatientTestRunner("integration", root);
  }

  async judge(mutant: Mutant): Promise<string | null> {
    const { file } = mutant;
    const text = mutatedText(this.#root, mutant);
    const hasHistories = isPlayed(file);
    const play = (from: number, to: number, first: readonly number[] = []): Promise<string | null> =>
      hasHistories ? playMutant({ file, text, seeds: [...first, ...range(from, to)] }) : Promise.resolve(null);
    const fast = (await play(1, FEW, FIRST_SEEDS)) ?? (await this.#test(this.#unit, mutant, UNIT_TESTS(file)));
    if (fast !== null || this.#effort === "quick") return fast;
    return (await play(FEW + 1, MANY)) ?? (await this.#test(this.#integration, mutant, mutant.tests));
  }

  /** @throws Error when the tests fail without any change as well. */
  async #test(runner: PatientTestRunner, mutant: Mutant, patterns: readonly string[]): Promise<string | null> {
    const tests = patterns.flatMap((pattern) => globSync(pattern, { cwd: this.#root }));
    const failed = await runner.tryMutant(mutant, tests);
    const key = tests.join(" ");
    if (failed === null || this.#sound.has(key)) return failed;
    const unchanged = await runner.tryMutant({ ...mutant, start: 0, end: 0, replacement: "" }, tests);
    if (unchanged !== null) throw new Error(`Without any change this fails already: ${unchanged}`);
    this.#sound.add(key);
    return failed;
  }

  async close(): Promise<void> {
    await this.#unit.close();
    await this.#integration.close();
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
