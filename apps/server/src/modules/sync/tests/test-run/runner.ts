/** Performs test runs in this process, a few at a time: keeps each alive while it runs and writes down how it ended. */
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import {
  PIPELINE_TEST_LIMITS as LIMITS,
  pipelineTestRunChanged,
  type TestResult,
  type TestRunStatus,
} from "@accord/contracts/sync/tests/pipeline-tests";
import { CompileError } from "@accord/sync-engine/functions";
import type { Deps } from "../../../../platform/deps.ts";
import { fairQueue } from "../../../../platform/access/fair-queue.ts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { PipelineNotRunnable } from "../../runs/index.ts";
import { graphsHash } from "../graphs-hash.ts";
import { type Job, performRun, type RunNeeds } from "./perform-run.ts";
import { Ended } from "./result-trace.ts";
import type { TestRunsStore } from "../test-runs.store.ts";

export interface RunnerParts {
  deps: Pick<Deps, "clock" | "log" | "newId" | "realtime">;
  needs: RunNeeds;
  runs: TestRunsStore;
}

/** How a run ended. `message`: why it ended early. */
export interface RunEnd {
  status: TestRunStatus;
  message: string | null;
  results: readonly TestResult[];
}

const TOO_LONG = fill(words.tooLong, { seconds: LIMITS.runSeconds });
const ABORTED: RunEnd = { status: "aborted", message: words.aborted, results: [] };
const CANCELLED: RunEnd = { status: "aborted", message: words.cancelled, results: [] };
const WAITED_TOO_LONG: RunEnd = { status: "error", message: words.tooManyWaiting, results: [] };
const tooManyWaiting = (): AppError => new AppError("test_failed", { reason: words.tooManyWaiting });

/** The time that a run has, or several share. */
export const runTime = (): { leftMs: number } => ({ leftMs: LIMITS.runSeconds * 1000 });

const RENEW_MS = 5_000;
const MAX_AT_ONCE = 2;
/** Runs of one instance that wait for their turn. */
const MAX_WAITING = 10;

export class TestRunner {
  readonly #parts: RunnerParts;
  readonly #stopping = new AbortController();
  /** Its lanes are instances, its clients pipelines. */
  readonly #queue = fairQueue({ maxParallel: MAX_AT_ONCE, maxWaiting: MAX_WAITING, tooMany: tooManyWaiting });
  /** Of runs that wait or run here. */
  readonly #ends = new Set<Promise<RunEnd>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  readonly #cancelling = new Map<string, AbortController>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Resolves once the run has ended, however it did. Throws `test_failed` where too many wait already. */
  start(job: Job): Promise<RunEnd> {
    const { instanceId } = job.owner;
    if (this.#queue.waiting(instanceId) >= MAX_WAITING) throw tooManyWaiting();
    const cancelling = new AbortController();
    this.#cancelling.set(job.runId, cancelling);
    this.#timers.set(
      job.runId,
      setInterval(() => this.#renew(job, cancelling), RENEW_MS),
    );
    const end = this.#performInTurn(job, cancelling).finally(() => this.#ends.delete(end));
    this.#ends.add(end);
    return end;
  }

  /** Ends a run that was cancelled in the database, where it waits or runs in this process. */
  cancel(runId: string): void {
    this.#cancelling.get(runId)?.abort();
  }

  /** A run that is not under way any more in the database was cancelled through another process. */
  #renew({ owner, runId }: Job, cancelling: AbortController): void {
    void this.#parts.runs.renew(owner.instanceId, runId).then(
      (isUnderWay) => isUnderWay || cancelling.abort(),
      () => {},
    );
  }

  /** What waits or runs is aborted. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Ended(words.aborted));
    await Promise.all(this.#ends);
  }

  async #performInTurn(job: Job, cancelling: AbortController): Promise<RunEnd> {
    const signal = AbortSignal.any([
      this.#stopping.signal,
      cancelling.signal,
      ...(job.waitLimit ? [job.waitLimit] : []),
    ]);
    const { instanceId, pipelineId } = job.owner;
    let isBegun = false;
    try {
      return await this.#queue.run({ lane: instanceId, client: pipelineId, signal }, () => {
        isBegun = true;
        return this.#run(job, cancelling);
      });
    } catch (error) {
      if (!isBegun) return this.#endUnrun(job, this.#endOfWaiting(cancelling));
      this.#parts.deps.log.warn({ err: error }, "test run failed to end");
      return { status: "error", message: words.unexpected, results: [] };
    }
  }

  #endOfWaiting(cancelling: AbortController): RunEnd {
    if (this.#stopping.signal.aborted) return ABORTED;
    return cancelling.signal.aborted ? CANCELLED : WAITED_TOO_LONG;
  }

  /** Whoever waits for the run goes on, even where its end can't be written down. */
  async #endUnrun(job: Job, end: RunEnd): Promise<RunEnd> {
    try {
      await this.#end(job, end);
    } catch (error) {
      this.#parts.deps.log.warn({ err: error }, "the end of a test run was not stored");
    }
    return end;
  }

  async #run(job: Job, cancelling: AbortController): Promise<RunEnd> {
    const results: TestResult[] = [];
    const { clock } = this.#parts.deps;
    const { time = runTime() } = job;
    const began = clock.monotonicMs();
    const signal = AbortSignal.any([this.#stopping.signal, cancelling.signal, afterTime(time.leftMs)]);
    try {
      signal.throwIfAborted();
      await this.#parts.runs.start(job.owner.instanceId, job.runId, job.tested.graphVersion);
      await this.#announce(job, "PROCESSING");
      for await (const result of performRun(this.#parts, job, signal)) results.push(result);
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#store(job, { ...ABORTED, results });
      if (cancelling.signal.aborted) return this.#store(job, { ...CANCELLED, results });
      return this.#store(job, { status: "error", message: this.#reason(error, signal), results });
    } finally {
      time.leftMs -= clock.monotonicMs() - began;
    }
    return this.#store(job, { status: statusOf(job, results), message: null, results });
  }

  /** A run whose results can't be stored ends without them, and says so. */
  async #store(job: Job, end: RunEnd): Promise<RunEnd> {
    try {
      return await this.#end(job, end);
    } catch (error) {
      this.#parts.deps.log.warn({ err: error }, "results of a test run were not stored");
      return this.#end(job, { status: "error", message: words.notStored, results: [] });
    }
  }

  #reason(error: unknown, signal: AbortSignal): string {
    if (signal.aborted) return TOO_LONG;
    if (error instanceof Ended || error instanceof PipelineNotRunnable || error instanceof CompileError)
      return error.message;
    this.#parts.deps.log.warn({ err: error }, "test run failed");
    return words.unexpected;
  }

  async #end(job: Job, end: RunEnd): Promise<RunEnd> {
    clearInterval(this.#timers.get(job.runId));
    this.#timers.delete(job.runId);
    this.#cancelling.delete(job.runId);
    const { version } = job.tested;
    const revisions = new Map(job.tests.map(({ id, revision }) => [id, revision]));
    await this.#parts.runs.end(job.owner, job.runId, end, { revisions, graphsHash: graphsHash(version) });
    await this.#parts.runs.deleteOld(job.owner);
    await this.#announce(job, end.status);
    return end;
  }

  async #announce({ owner, runId }: Job, status: TestRunStatus): Promise<void> {
    await this.#parts.deps.realtime
      .publish(owner.instanceId, pipelineTestRunChanged, { entityId: owner.pipelineId, runId, status })
      .catch((error: unknown) => this.#parts.deps.log.warn({ err: error }, "a status message was not sent"));
  }
}

/** Aborts once the time has passed: at once where none is left, since a timer would let the run begin. */
const afterTime = (leftMs: number): AbortSignal =>
  leftMs > 0 ? AbortSignal.timeout(Math.ceil(leftMs)) : AbortSignal.abort(new Ended(TOO_LONG));

function statusOf({ live }: Job, results: readonly TestResult[]): TestRunStatus {
  if (live !== null) return "completed";
  const statuses = new Set(results.map(({ status }) => status));
  if (statuses.has("error")) return "error";
  return statuses.has("failed") ? "failed" : "success";
}
