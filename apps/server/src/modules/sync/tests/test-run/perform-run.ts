/** Performs one run: its tests on their records, or a few real records of each source. */
import type { Id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import { fill } from "@accord/contracts/messages/fill";
import type { Graph } from "@accord/contracts/sync/graph";
import type { ActualResult, TestResult } from "@accord/contracts/sync/tests/pipeline-tests";
import type { TestedVersion } from "../../pipelines/index.ts";
import {
  compileTest,
  dryResults,
  type RunsDependencies,
  systemFailure,
  type TestGraphs,
  type TestNeeds,
} from "../../runs/index.ts";
import { type Budget, keptValue, newBudget } from "./budget.ts";
import { compareExpected } from "./expectations.ts";
import { maskExpected } from "./mask-secrets.ts";
import { NodeResults, sourceAt } from "./node-results.ts";
import type { StoredTest } from "../pipeline-tests.store.ts";
import { readSource } from "./read-source.ts";
import { Ended, resultTrace } from "./result-trace.ts";
import { emptyRecord, hasFailed, seeded, type SimulatedRecord, simulate, type SimulationParts } from "./simulate.ts";
import type { Owner } from "../tested-pipelines.ts";

export type RunNeeds = TestNeeds & Pick<RunsDependencies, "connectors" | "answers">;

export interface Job {
  runId: Id<"pipelineTestRun">;
  owner: Owner;
  tested: TestedVersion;
  /** Of the pipeline's versions: what any of them moves to or from a password is secret. */
  graphs: readonly TestGraphs[];
  /** Whose nodes are shown. */
  graph: Graph;
  name: string;
  tests: readonly StoredTest[];
  /** Of a live run: records read from each source. */
  live: number | null;
  /** Time that several runs share: it passes while one of them runs, not while it waits. */
  time?: { leftMs: number };
  /** Aborts when it has waited for its turn long enough. */
  waitLimit?: AbortSignal;
}

interface PerformParts {
  deps: SimulationParts["deps"];
  needs: RunNeeds;
}

const NOTHING: ActualResult = { failed: false, values: [] };

/** Results one by one: of each test, or the one of a live run. Throws where the run can't go on. */
export async function* performRun(
  { deps, needs }: PerformParts,
  job: Job,
  signal: AbortSignal,
): AsyncGenerator<TestResult> {
  const { instanceId } = job.owner;
  const trace = resultTrace(signal);
  const pipeline = await compileTest(needs, instanceId, { ...job.tested, graphs: job.graphs }, trace.observe);
  const answer = dryResults(needs, instanceId, pipeline);
  const parts: SimulationParts = { deps, pipeline, trace, answer, signal, random: seeded };
  const budget = newBudget();
  if (job.live !== null) {
    const { recordsProcessed, nodes } = await performLive(needs, job, parts, job.live, budget);
    const head = { id: job.runId, name: job.name, status: "completed" as const, message: null };
    yield { ...head, expectedResult: [], actualResult: NOTHING, nodes, recordsProcessed };
  }
  for (const test of job.tests) yield await performTest(job, parts, test, budget);
}

async function performTest(
  { graph }: Job,
  parts: SimulationParts,
  test: StoredTest,
  budget: Budget,
): Promise<TestResult> {
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

async function performLive(
  needs: RunNeeds,
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
    const read = await readSource(needs, job.owner.instanceId, pipeline, {
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

/** What is not needed any more is dropped at once: a run may take many records with many steps each. */
async function take(results: NodeResults, record: SimulatedRecord, signal: AbortSignal): Promise<void> {
  results.add(record, signal);
  record.trace.steps = [];
  await letOthersWork();
  signal.throwIfAborted();
}

/** Requests are answered between two records. */
const letOthersWork = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
