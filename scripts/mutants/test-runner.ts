/** Runs test files on a scratch copy of the project with a mutant in it, in one vitest that stays alive. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createVitest, type TestModule, type Vitest } from "vitest/node";
import type { Mutant } from "./mutant.ts";
import { mutatedText } from "./mutated-text.ts";
import { makeScratchCopy, type ScratchCopy } from "./scratch-copy.ts";

export type TestProject = "unit" | "integration";

export class TestRunner {
  readonly #root: string;
  readonly copy: ScratchCopy;
  readonly vitest: Vitest;

  private constructor(root: string, copy: ScratchCopy, vitest: Vitest) {
    this.#root = root;
    this.copy = copy;
    this.vitest = vitest;
  }

  static async open(project: TestProject, root: string): Promise<TestRunner> {
    const copy = makeScratchCopy(root);
    try {
      return new TestRunner(root, copy, await openVitest(project, copy));
    } catch (error) {
      copy.remove();
      throw error;
    }
  }

  /** The first test that fails with the mutant in place; null when none does. */
  async tryMutant(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
    const path = join(this.copy.root, mutant.file);
    this.copy.write(mutant.file, mutatedText(this.#root, mutant));
    this.vitest.invalidateFile(path);
    try {
      return await this.firstFailure(tests);
    } finally {
      this.copy.write(mutant.file, readFileSync(join(this.#root, mutant.file), "utf8"));
      this.vitest.invalidateFile(path);
    }
  }

  /** Runs test files up to the first failure and answers its name; null when all passed. */
  async firstFailure(tests: readonly string[]): Promise<string | null> {
    if (tests.length === 0) return null;
    const paths = tests.map((file) => join(this.copy.root, file));
    const specifications = await this.vitest.globTestSpecifications(paths);
    if (specifications.length < tests.length) throw new Error(`Not all of these tests exist: ${tests.join(", ")}`);
    const { testModules, unhandledErrors } = await this.vitest.runTestSpecifications(specifications);
    // Those of earlier runs are still among them.
    const asked = new Set(specifications.map(({ moduleId }) => moduleId));
    for (const module of testModules.filter(({ moduleId }) => asked.has(moduleId))) {
      const failed = failedTest(module);
      if (failed) return failed;
    }
    return unhandledErrors.length > 0 ? `unhandled: ${String(unhandledErrors[0])}` : null;
  }

  async close(): Promise<void> {
    try {
      await this.vitest.close();
    } finally {
      this.copy.remove();
    }
  }
}

const openVitest = (project: TestProject, copy: ScratchCopy): Promise<Vitest> =>
  createVitest("test", {
    root: copy.root,
    config: join(copy.root, "vitest.config.ts"),
    project: [project],
    watch: false,
    bail: 1,
    reporters: [{}],
    silent: true,
    // Tests of pure code share their modules: loading them is most of their time.
    ...(project === "unit" ? { isolate: false, pool: "threads", maxWorkers: 1 } : {}),
  });

export function failedTest(module: TestModule): string | null {
  const name = module.moduleId.split("/").at(-1) ?? "";
  const [failed] = [...module.children.allTests("failed")];
  if (failed) return `${name} > ${failed.fullName}`;
  const isBroken =
    module.errors().length > 0 || [...module.children.allSuites()].some((suite) => suite.errors().length > 0);
  return isBroken ? `${name} (before its tests)` : null;
}
