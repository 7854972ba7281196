/** For vitest: prints where a run stands each half minute, and ends one that hangs, naming the files that never ended. */
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { Progress } from "./progress.ts";
import { ROOT } from "./root.mjs";

/** A hook may take ten minutes (vitest.config.ts). The whole: what `.ci/run` has, less its other steps. */
const LIMITS = { stalled: 12 * 60_000, whole: 70 * 60_000 };
const EVERY = 30_000;
/** After the last test: databases and browsers are ended within seconds. */
const CLOSING = 3 * 60_000;
/** The files that had not ended when a run was given up. */
export const UNFINISHED = join(ROOT, "test-results", "unfinished.txt");

export class ProgressReporter implements Reporter {
  #progress: Progress | undefined;
  #timer: NodeJS.Timeout | undefined;

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#progress = new Progress(performance.now(), specifications.length, LIMITS);
    this.#timer = setInterval(() => this.#report(), EVERY);
  }

  onTestModuleQueued(module: TestModule): void {
    this.#progress?.fileBegan(relative(ROOT, module.moduleId), performance.now());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#progress?.fileEnded(relative(ROOT, module.moduleId), performance.now());
  }

  onTestCaseResult(test: TestCase): void {
    this.#progress?.testEnded(test.result().state === "failed", performance.now());
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
    setTimeout(() => {
      console.log("All tests have ended, and what they used has not: see the teardown in vitest.config.ts.");
      process.exit(1);
    }, CLOSING).unref();
  }

  #report(): void {
    const now = performance.now();
    console.log(this.#progress?.line(now));
    const reason = this.#progress?.overdue(now);
    if (reason === undefined) return;
    console.log(`${reason} Ended here, with the files named above unfinished.`);
    writeFileSync(
      UNFINISHED,
      this.#progress
        ?.running()
        .map((file) => `${file}, which did not end\n`)
        .join("") ?? "",
    );
    process.exit(1);
  }
}
