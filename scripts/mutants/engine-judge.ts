/**
 * Judges mutants of the engine: few histories first, the fast tests next, then many histories, in memory and with
 * PostgreSQL, and tests on real systems. Ends with the first that notices.
 */
import { type Attempt, confirmedFailure } from "./confirmed-failure.ts";
import { FIRST_SEEDS, HistoryJudge, REPLAYS } from "./engine-simulation.ts";
import { filesOf, isPlayed, isReplayed, UNIT_TESTS } from "./engine-test-files.ts";
import type { Effort, Mutant, MutantJudge } from "./mutant.ts";
import { mutatedText } from "./mutated-text.ts";
import { PatientTestRunner } from "./patient-test-runner.ts";

/** Histories that are played before any test. */
const FEW = 300;
const MANY = 1_500;
/** Histories that are replayed where not all of them are. */
const MAX_INLINE_REPLAYS = 12;
/** Tests of stores alone need seconds, those of whole pipelines minutes. */
const OWN_TEST = /(\.store|\/storage|\/staged-pages|\/unstorable-values|\/entity-number)\.int\.test\.ts$/;

export class EngineJudge implements MutantJudge {
  readonly #root: string;
  readonly #effort: Effort;
  readonly #histories = new HistoryJudge();
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
    const runSimulation = (from: number, to: number, first: readonly number[] = []): Promise<string | null> =>
      this.#histories.judge({ file, text, seeds: [...first, ...range(from, to)], storage: "memory" });
    const steps: (() => Promise<string | null>)[] = [];
    if (isPlayed(file)) steps.push(() => runSimulation(1, FEW, FIRST_SEEDS));
    steps.push(() => this.#test(this.#unit, mutant, UNIT_TESTS(file)));
    const systems = (tests: readonly string[]) => steps.push(() => this.#test(this.#integration, mutant, tests));
    const own = mutant.tests.filter((name) => OWN_TEST.test(name));
    if (this.#effort !== "quick") {
      const seeds = this.#effort === "whole" ? REPLAYS : REPLAYS.slice(0, MAX_INLINE_REPLAYS);
      if (isReplayed(file)) steps.push(() => this.#histories.judge({ file, text, seeds, storage: "postgres" }));
      systems(own);
    }
    if (this.#effort === "whole") {
      if (isPlayed(file)) steps.push(() => runSimulation(FEW + 1, MANY));
      systems(mutant.tests.filter((name) => !own.includes(name)));
    }
    for (const step of steps) {
      const noticed = await step();
      if (noticed !== null) return noticed;
    }
    return null;
  }

  async #test(runner: PatientTestRunner, mutant: Mutant, patterns: readonly string[]): Promise<string | null> {
    const unchanged = { ...mutant, start: 0, end: 0, replacement: "" };
    const attempt: Attempt = (tests, isMutated) => runner.tryMutant(isMutated ? mutant : unchanged, tests);
    return confirmedFailure(attempt, filesOf(this.#root, patterns), this.#sound);
  }

  async close(): Promise<void> {
    await this.#histories.close();
    await this.#unit.close();
    await this.#integration.close();
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
