/**
 * People's own code, run in processes of its own: a bounded number of them, in which instances and their pipelines take
 * turns, so that code which never ends delays nobody else.
 */
import { availableParallelism } from "node:os";
import { fairQueue } from "../access/fair-queue.ts";
import type { Log } from "../log/log.ts";
import { CODE_LIMITS } from "./limits.ts";
import { type CodeFailure, type CodeResult, type Entry, outputOf, type SliceOfRuns } from "./protocol.ts";
import { type SandboxProcess, SandboxProcessEnded, startSandboxProcess } from "./sandbox-process.ts";

export type { CodeFailure, CodeResult } from "./protocol.ts";

export interface CodeRuns {
  program: string;
  /** The function that is called. */
  entry: Entry;
  /** Of each run. */
  timeoutMs: number;
  /** What `Date` gives, in UTC milliseconds. */
  now: number;
  /** JSON of the list of arguments, for each run. */
  inputs: readonly string[];
}

/** Who takes turns: instances with one another, and within an instance its pipelines. */
export interface CodePlace {
  instanceId: string;
  pipelineId: string;
}

export interface CodeSandbox {
  /** In the order of the inputs. @throws CodeSandboxUnavailable */
  run(place: CodePlace, runs: CodeRuns): Promise<CodeResult[]>;
  /** What keeps a program from being run at all; null: nothing. @throws CodeSandboxUnavailable */
  check(place: CodePlace, program: { program: string; entry: Entry }): Promise<CodeFailure | null>;
  /** Processes that are there; for tests and operators. */
  readonly pids: readonly number[];
  close(): Promise<void>;
}

/** Nothing was decided about the code: it can be tried again. */
export class CodeSandboxUnavailable extends Error {
  override readonly name = "CodeSandboxUnavailable";
}

/** Slices of one instance that may wait. */
const MAX_WAITING = 200;
/** A process that nobody needed for so long is ended. */
const IDLE_MS = 60_000;
const MAX_PROCESSES = 4;

interface Idle {
  process: SandboxProcess;
  timer: NodeJS.Timeout;
}

interface SliceDone {
  /** Of the first runs of the slice. */
  results: CodeResult[];
  /** The process ended in the run after these. */
  isBroken: boolean;
  ms: number;
}

const failure = (code: CodeFailure["code"], message: string): CodeFailure => ({ ok: false, code, message });
const TOO_LARGE = failure(
  "code_input_too_large",
  `The record has more than ${CODE_LIMITS.input} characters, which is too much for code.`,
);
const NOT_RUN = failure(
  "code_not_run",
  `The code was not run for this record: it took too long for records before it. Make it faster, then try again.`,
);
const TOO_MUCH = failure(
  "code_not_run",
  "The code was not run for this record: what it returned for records before it is too much for one page. Return less for each.",
);
const CRASHED = failure("code_failed", "The code ended the sandbox that it ran in, twice.");

/** `requestOutput`: in tests, a lower bound of the results of a request. */
export function codeSandbox({
  log,
  requestOutput = CODE_LIMITS.requestOutput,
}: {
  log: Log;
  requestOutput?: number;
}): CodeSandbox {
  const size = Math.min(MAX_PROCESSES, Math.max(2, availableParallelism()));
  const queue = fairQueue({
    maxParallel: size,
    // One instance never has all of them.
    maxParallelPerLane: size - 1,
    maxWaiting: MAX_WAITING,
    tooMany: () => new CodeSandboxUnavailable("too many programs wait for the sandbox"),
  });
  const all = new Set<SandboxProcess>();
  const idle: Idle[] = [];
  let isClosed = false;

  /** `isNew`: after a process that ended, whatever ended it may have ended those that idle. */
  async function take(isNew: boolean): Promise<SandboxProcess> {
    if (isClosed) throw new CodeSandboxUnavailable("the sandbox is closed");
    for (let next = idle.pop(); next; next = idle.pop()) {
      clearTimeout(next.timer);
      if (next.process.isAlive && !isNew) return next.process;
      void end(next.process);
    }
    try {
      const started = await startSandboxProcess();
      all.add(started);
      if (!isClosed) return started;
      await end(started);
    } catch (problem) {
      if (!(problem instanceof SandboxProcessEnded)) throw problem;
      log.error({ err: problem }, "a sandbox process does not start");
    }
    throw new CodeSandboxUnavailable("no sandbox process could be started");
  }

  async function end(process: SandboxProcess): Promise<void> {
    all.delete(process);
    await process.end();
  }

  function giveBack(process: SandboxProcess): void {
    if (isClosed || !process.isAlive) return void end(process);
    const timer = setTimeout(() => {
      idle.splice(idle.indexOf(entry), 1);
      void end(process);
    }, IDLE_MS).unref();
    const entry = { process, timer };
    idle.push(entry);
  }

  async function withProcess<Result>(
    { instanceId, pipelineId }: CodePlace,
    use: (process: SandboxProcess) => Promise<Result>,
    isNew = false,
  ): Promise<Result> {
    return queue.run({ lane: instanceId, client: pipelineId }, async () => {
      const process = await take(isNew);
      try {
        return await use(process);
      } finally {
        giveBack(process);
      }
    });
  }

  /** What one slice did; a process that ended in a run says nothing about the run. */
  async function runSlice(place: CodePlace, slice: SliceOfRuns, isNew: boolean): Promise<SliceDone> {
    const use = async (process: SandboxProcess): Promise<SliceDone> => {
      const results: CodeResult[] = [];
      const begun = performance.now();
      const done = (isBroken: boolean): SliceDone => ({ results, isBroken, ms: performance.now() - begun });
      try {
        await process.request(slice, (result) => results.push(result));
        return done(false);
      } catch (problem) {
        if (!(problem instanceof SandboxProcessEnded)) throw problem;
        if (isClosed) throw new CodeSandboxUnavailable("the sandbox is closed");
        const { instanceId, pipelineId } = place;
        if (!problem.wasLate)
          log.warn({ err: problem, instanceId, pipelineId }, "a sandbox process ended while it ran code");
        if (problem.wasLate && results.length < slice.inputs.length) results.push(timedOut(slice.timeoutMs));
        return done(!problem.wasLate);
      }
    };
    return withProcess(place, use, isNew);
  }

  return {
    async run(place, { inputs, ...program }) {
      const results = new Map<number, CodeResult>();
      for (const [index, input] of inputs.entries())
        if (input.length > CODE_LIMITS.input) results.set(index, TOO_LARGE);
      let waiting = [...inputs.keys()].filter((index) => !results.has(index));
      let brokenAt = -1;
      let timeouts = 0;
      let usedMs = 0;
      let output = 0;
      const hasTime = (): boolean => timeouts < CODE_LIMITS.timeouts && usedMs < CODE_LIMITS.requestMs;
      while (waiting.length > 0 && hasTime() && output < requestOutput) {
        const taken = sliceOf(waiting, inputs);
        const slice = { kind: "run" as const, ...program, inputs: taken.map((index) => inputs[index] ?? "") };
        const { results: found, isBroken, ms } = await runSlice(place, slice, waiting[0] === brokenAt);
        usedMs += ms;
        output += found.reduce((sum, result) => sum + outputOf(result), 0);
        timeouts += found.filter((result) => !result.ok && result.code === "code_timed_out").length;
        for (const [at, result] of found.entries()) results.set(taken[at] ?? -1, result);
        waiting = waiting.slice(found.length);
        const [next = -1] = waiting;
        if (!isBroken) continue;
        // The first time it may have been somebody else's doing.
        if (next === brokenAt) {
          results.set(next, CRASHED);
          waiting = waiting.slice(1);
        }
        brokenAt = next;
      }
      const notRun = output < requestOutput ? NOT_RUN : TOO_MUCH;
      return inputs.map((_, index) => results.get(index) ?? notRun);
    },
    async check(place, program) {
      if (program.program.length > CODE_LIMITS.program)
        return failure("code_syntax", `The code has more than ${CODE_LIMITS.program} characters.`);
      const timeoutMs = CODE_LIMITS.checkMs;
      return withProcess(place, async (process) => {
        let found: CodeResult | undefined;
        try {
          await process.request({ kind: "check", timeoutMs, ...program }, (result) => (found = result));
        } catch (problem) {
          if (!(problem instanceof SandboxProcessEnded)) throw problem;
          if (isClosed) throw new CodeSandboxUnavailable("the sandbox is closed");
          return problem.wasLate ? timedOut(timeoutMs) : CRASHED;
        }
        return !found || found.ok ? null : found;
      });
    },
    get pids() {
      return [...all].flatMap(({ pid }) => pid ?? []);
    },
    async close() {
      isClosed = true;
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...all].map(end));
    },
  };
}

const timedOut = (timeoutMs: number): CodeFailure =>
  failure("code_timed_out", `The code did not end within ${timeoutMs / 1000} s.`);

/** As many as go to a process at once, by count and by size; one at least. */
function sliceOf(waiting: readonly number[], inputs: readonly string[]): number[] {
  const taken: number[] = [];
  let length = 0;
  for (const index of waiting) {
    length += inputs[index]?.length ?? 0;
    if (taken.length > 0 && (length > CODE_LIMITS.sliceInput || taken.length >= CODE_LIMITS.sliceRuns)) break;
    taken.push(index);
  }
  return taken;
}
