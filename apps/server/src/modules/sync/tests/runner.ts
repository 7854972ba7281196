/** Performs test runs in this process, a few at a time: keeps each alive while it runs and writes down how it ended. */
import type { Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph } from "@accord/contracts/sync/graph";
import {
  type ActualResult,
  PIPELINE_TEST_LIMITS as LIMITS,
  pipelineTestRunChanged,
  type TestResult,
  type TestRunStatus,
} from "@accord/contracts/sync/pipeline-tests";
import { CompileError } from "@accord/sync-engine/functions";
import type { Deps } from "../../../platform/deps.ts";
import { AppError } from "../../../platform/http/app-error.ts";
import type { TestedVersion } from "../pipelines/index.ts";
import {
  compileTest,
  dryResults,
  PipelineNotRunnable,
  type RunsDependencies,
  systemFailure,
  type TestGraphs,
  type TestNeeds,
} from "../runs/index.ts";
import { compareExpected } from "./expectations.ts";
import { maskExpected } from "./mask-secrets.ts";
import { type Budget, keptValue, newBudget } from "./budget.ts";
import { NodeResults, sourceAt } from "./node-results.ts";
import type { StoredTest, TestOwner } from "./pipeline-tests.store.ts";
import { graphsHash } from "./graphs-hash.ts";
import { readSource } from "./read-source.ts";
import { Ended, resultTrace } from "./result-trace.ts";
import { emptyRecord, hasFailed, seeded, type SimulatedRecord, simulate, type SimulationParts } from "./simulate.ts";
import type { TestRunsStore } from "./test-runs.store.ts";

export type RunNeeds = TestNeeds & Pick<RunsDependencies, "connectors" | "answers">;

export interface RunnerParts {
  deps: Pick<Deps, "clock" | "log" | "newId" | "realtime">;
  needs: RunNeeds;
  runs: TestRunsStore;
}

export interface Job {
  runId: Id<"pipelineTestRun">;
  owner: TestOwner & { instanceId: Id<"instance">; pipelineId: Id<"entity"> };
  tested: TestedVersion;
  /** Of the pipeline's versions: what any of them moves to or from a password is secret. */
  graphs: readonly TestGraphs[];
  /** Whose nodes are shown. */
  graph: Graph;
  name: string;
  tests: readonly StoredTest[];
  /** Of a live run: records read from each source. */
  live: number | null;
  /** Ends it, be it running or waiting: where several runs have one deadline. */
  deadline?: AbortSignal;
}

/** How a run ended. `message`: why it ended early. */
export interface RunEnd {
  status: TestRunStatus;
  message: string | null;
  results: readonly TestResult[];
}

const TOO_LONG = fill(words.tooLong, { seconds: LIMITS.runSeconds });

/** A run with what waits for its end. */
interface QueuedJob {
  job: Job;
  resolve: (end: RunEnd) => void;
}

const RENEW_MS = 5_000;
const MAX_AT_ONCE = 2;
/** Runs of one instance that wait for their turn. */
const MAX_WAITING = 10;
const NOTHING: ActualResult = { failed: false, values: [] };

export class TestRunner {
  readonly #parts: RunnerParts;
  readonly #stopping = new AbortController();
  readonly #waiting: QueuedJob[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Resolves once the run has ended, however it did. Throws `test_failed` where too many wait already. */
  start(job: Job): Promise<RunEnd> {
    const waiting = this.#waiting.filter((one) => one.job.owner.instanceId === job.owner.instanceId);
    if (waiting.length >= MAX_WAITING) throw new AppError("test_failed", { reason: words.tooManyWaiting });
    const { promise, resolve } = Promise.withResolvers<RunEnd>();
    const { runs } = this.#parts;
    const renew = (): void => void runs.renew(job.owner.instanceId, job.runId).catch(() => {});
    this.#timers.set(job.runId, setInterval(renew, RENEW_MS));
    const queued = { job, resolve };
    this.#waiting.push(queued);
    job.deadline?.addEventListener("abort", () => this.#withdraw(queued), { once: true });
    this.#next();
    return promise;
  }

  /** What waits or runs is aborted. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Ended(words.aborted));
    const end: RunEnd = { status: "aborted", message: words.aborted, results: [] };
    await Promise.all(this.#waiting.splice(0).map((queued) => this.#endUnrun(queued, end)));
    await Promise.all(this.#running);
  }

  /** One that still waits when its time is over. */
  #withdraw(queued: QueuedJob): void {
    const index = this.#waiting.indexOf(queued);
    if (index === -1) return;
    this.#waiting.splice(index, 1);
    void this.#endUnrun(queued, { status: "error", message: TOO_LONG, results: [] });
  }

  /** Whoever waits for the run goes on, even where its end can't be written down. */
  async #endUnrun({ job, resolve }: QueuedJob, end: RunEnd): Promise<void> {
    try {
      await this.#end(job, end);
    } catch (error) {
      this.#parts.deps.log.warn({ err: error }, "the end of a test run was not stored");
    } finally {
      resolve(end);
    }
  }

  #next(): void {
    if (this.#running.size >= MAX_AT_ONCE) return;
    const next = this.#waiting.shift();
    if (!next) return;
    const work = this.#run(next.job)
      .catch((error: unknown): RunEnd => {
        this.#parts.deps.log.warn({ err: error }, "test run failed to end");
        return { status: "error", message: words.unexpected, results: [] };
      })
      .then(next.resolve)
      .finally(() => {
        this.#running.delete(work);
        this.#next();
      });
    this.#running.add(work);
  }

  async #run(job: Job): Promise<RunEnd> {
    const results: TestResult[] = [];
    const time = job.deadline ?? AbortSignal.timeout(LIMITS.runSeconds * 1000);
    const signal = AbortSignal.any([this.#stopping.signal, time]);
    try {
      await this.#parts.runs.start(job.owner.instanceId, job.runId, job.tested.graphVersion);
      await this.#announce(job, "PROCESSING");
      for await (const result of this.#results(job, signal)) results.push(result);
    } catch (error) {
      const isAborted = this.#stopping.signal.aborted;
      const message = isAborted ? words.aborted : this.#reason(error, signal);
      return this.#store(job, { status: isAborted ? "aborted" : "error", message, results });
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

  async *#results(job: Job, signal: AbortSignal): AsyncGenerator<TestResult> {
    const { deps, needs } = this.#parts;
    const { instanceId } = job.owner;
    const trace = resultTrace(signal);
    const pipeline = await compileTest(needs, instanceId, { ...job.tested, graphs: job.graphs }, trace.observe);
    const answer = dryResults(needs, instanceId, pipeline);
    const parts: SimulationParts = { deps, pipeline, trace, answer, signal, random: seeded };
    const budget = newBudget();
    if (job.live !== null) {
      const { recordsProcessed, nodes } = await this.#live(job, parts, job.live, budget);
      const head = { id: job.runId, name: job.name, status: "completed" as const, message: null };
      yield { ...head, expectedResult: [], actualResult: NOTHING, nodes, recordsProcessed };
    }
    for (const test of job.tests) yield await this.#test(job, parts, test, budget);
  }

  async #test({ graph }: Job, parts: SimulationParts, test: StoredTest, budget: Budget): Promise<TestResult> {
    const { pipeline } = parts;
    const results = new NodeResults(pipeline, graph, budget);
    const { secretNames, secretNodes } = pipeline;
    const isMade = (nodeId = ""): boolean => secretNodes.has(nodeId);
    const expectedResult = maskExpected(secretNames, test.expected, isMade).map((one) => ({
      ...one,
      value: keptValue(budget, one.value),
    }));
    const head = { id: test.id, name: test.name, expectedResult };
    const records: SimulatedRecord[] = [];
    for (const { nodeId, id, values } of test.records) {
      const sourceNodeId = sourceAt(pipeline, graph, nodeId);
      if (sourceNodeId === null) {
        const sources = pipeline.plan.sources.map((source) => source.nodeId).join(", ");
        const message = fill(words.unknownSource, { nodeId, sources });
        return { ...head, status: "error", message, actualResult: NOTHING, nodes: [], recordsProcessed: 0 };
      }
      const whole = { ...emptyRecord(pipeline, sourceNodeId), ...values };
      const record = await simulate(parts, { sourceNodeId, id, values: whole }, budget.left);
      records.push(record);
      await take(results, record, parts.signal);
    }
    const actualResult = compareExpected(pipeline, graph, records, { expected: test.expected, budget });
    const failed = test.expected.length === 0 ? records.find(hasFailed) : undefined;
    const status = actualResult.failed || failed ? "failed" : "success";
    return {
      ...head,
      status,
      message: failed ? fill(words.recordFailed, { id: failed.id }) : null,
      actualResult,
      nodes: results.results(),
      recordsProcessed: records.length,
    };
  }

  async #live(
    job: Job,
    parts: SimulationParts,
    count: number,
    budget: Budget,
  ): Promise<Pick<TestResult, "nodes" | "recordsProcessed">> {
    const { pipeline, signal } = parts;
    if (pipeline.plan.sources.length === 0) throw new Ended(words.noSources);
    const results = new NodeResults(pipeline, job.graph, budget);
    let recordsProcessed = 0;
    for (const { nodeId, label, place } of pipeline.plan.sources) {
      const read = await readSource(this.#parts.needs, job.owner.instanceId, pipeline, {
        place,
        count,
        signal,
      }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw new Ended(fill(words.sourceFailed, { source: label, reason: systemFailure(error).message }));
      });
      results.addUnread(nodeId, read);
      for (const record of read.records) {
        await take(results, await simulate(parts, { sourceNodeId: nodeId, ...record }, budget.left), signal);
        recordsProcessed += 1;
      }
    }
    return { nodes: results.results(), recordsProcessed };
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

function statusOf({ live }: Job, results: readonly TestResult[]): TestRunStatus {
  if (live !== null) return "completed";
  const statuses = new Set(results.map(({ status }) => status));
  if (statuses.has("error")) return "error";
  return statuses.has("failed") ? "failed" : "success";
}

/** What is not needed any more is dropped at once: a run may take many records with many steps each. */
async function take(results: NodeResults, record: SimulatedRecord, signal: AbortSignal): Promise<void> {
  results.add(record, signal);
  record.trace.steps = [];
  await letOthersWork();
  signal.throwIfAborted();
}

/** Requests are answered between two records. */
const letOthersWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
