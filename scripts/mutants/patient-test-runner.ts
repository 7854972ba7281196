/** Runs tests on mutants in a process of its own, and ends it where a mutant keeps it busy for ever. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { TestAnswer, TestRequest } from "./engine-test-process.ts";
import type { Mutant } from "./mutant.ts";
import type { TestProject } from "./test-runner.ts";

/** Longest time for the tests of one mutant. */
const LIMIT_MS: Readonly<Record<TestProject, number>> = { unit: 90_000, integration: 400_000 };
const CLOSING_MS = 20_000;

export class PatientTestRunner {
  readonly #project: TestProject;
  readonly #root: string;
  #process: ChildProcess | null = null;

  constructor(project: TestProject, root: string) {
    this.#project = project;
    this.#root = root;
  }

  /**
   * The first test that fails with the mutant in place, or "time-out"; null when all passed.
   * @throws Error where the tests could not be run: nothing would have judged the mutant.
   */
  async tryMutant(mutant: Mutant, tests: readonly string[]): Promise<string | null> {
    if (tests.length === 0) return null;
    const child = (this.#process ??= await this.#start());
    child.send({ mutant, tests } satisfies TestRequest);
    const answer = await Promise.race([answerOf(child), timeOut(LIMIT_MS[this.#project])]);
    if (typeof answer !== "string") {
      if (answer.problem !== undefined) throw new Error(answer.problem);
      return answer.failed;
    }
    this.#kill();
    return answer;
  }

  async close(): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    child.disconnect();
    await Promise.race([once(child, "exit"), timeOut(CLOSING_MS)]);
  }

  async #start(): Promise<ChildProcess> {
    const child = fork(join(this.#root, "scripts/mutants/engine-test-process.ts"), [this.#project, this.#root], {
      cwd: this.#root,
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    if (typeof (await answerOf(child)) === "string") throw new Error("The process that runs tests could not start.");
    return child;
  }

  /** With everything it started: one of them is in an endless loop. */
  #kill(): void {
    const pid = this.#process?.pid;
    this.#process = null;
    if (pid === undefined) return;
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function answerOf(child: ChildProcess): Promise<TestAnswer | "ended"> {
  return new Promise((resolve) => {
    const ended = (): void => resolve("ended");
    child.once("exit", ended);
    child.once("message", (answer: TestAnswer) => {
      child.off("exit", ended);
      resolve(answer);
    });
  });
}

function timeOut(milliseconds: number): Promise<"time-out"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("time-out"), milliseconds).unref();
  });
}
