/** A process that runs tests on mutants again and again, so that it can be ended with a mutant that never ends. */
import type { Mutant } from "./mutant.ts";
import { TestRunner } from "./test-runner.ts";

export interface TestRequest {
  mutant: Mutant;
  /** Test files, relative to the project. */
  tests: readonly string[];
}

/** The test that failed first; null when all passed. `problem`: why they could not be run. */
export interface TestAnswer {
  failed: string | null;
  problem?: string;
}

const [, , project, root = ""] = process.argv;
const say = (answer: TestAnswer): void => void process.send?.(answer);
const runner = await TestRunner.open(project === "unit" ? "unit" : "integration", root);

process.on("message", ({ mutant, tests }: TestRequest) => {
  void runner.tryMutant(mutant, tests).then(
    (failed) => say({ failed }),
    (error: unknown) => say({ failed: null, problem: String(error) }),
  );
});
process.on("disconnect", () => void runner.close().finally(() => process.exit(0)));
say({ failed: null });
