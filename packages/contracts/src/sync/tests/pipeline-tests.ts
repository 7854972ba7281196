/** Tests of pipelines: saved records with the values expected of them, simulated runs of them, and live runs that write nothing. */
import { z } from "zod";
import { Value, Values } from "../../data/values.ts";
import { event } from "../../event.ts";
import { id } from "../../ids.ts";

/** What one test, one run and all that is kept of them may hold at most. */
export const PIPELINE_TEST_LIMITS = {
  /** Tests of one entity or field pipeline. */
  tests: 50,
  recordsOfTest: 20,
  expectedValues: 200,
  /** Bytes of one test as JSON. */
  testBytes: 256 * 1024,
  /** Records that a live run reads from each source. */
  liveRecords: 100,
  runSeconds: 60,
  /** Bytes of node data that one run keeps; further data is left out and marked. */
  runBytes: 2 * 1024 * 1024,
  /** Finished runs of one kind, of an entity pipeline or the pipeline of one field. */
  keptRuns: 30,
  keptRunBytes: 20 * 1024 * 1024,
  keptDays: 30,
} as const;

/** All that the specification names; a server answers NEW, PROCESSING, completed, success, failed, error and aborted. */
export const TEST_RUN_STATUSES = [
  "completed",
  "queued",
  "pending",
  "running",
  "failed",
  "success",
  "error",
  "aborted",
  "NEW",
  "PROCESSING",
] as const;
export const TestRunStatus = z.enum(TEST_RUN_STATUSES);
export type TestRunStatus = z.output<typeof TestRunStatus>;

const PROCESSING: ReadonlySet<TestRunStatus> = new Set(["NEW", "PROCESSING", "queued", "pending", "running"]);

export const isProcessing = (status: TestRunStatus): boolean => PROCESSING.has(status);
export const isFinished = (status: TestRunStatus): boolean => !isProcessing(status);

/** One record as a source would read it. */
export const TestRecord = z.strictObject({
  /** The source: a source node of the entity pipeline, or of the field pipeline. */
  nodeId: z.string().min(1).max(64),
  /** Its id in the source's system; unique within the test. */
  id: z.string().min(1).max(200),
  values: Values,
});
export type TestRecord = z.output<typeof TestRecord>;

export const ExpectedValue = z.strictObject({
  /** Of the core field, the destination's field, or the value at a node. */
  apiName: z.string().min(1).max(200),
  value: Value,
  /** Where the value is expected; without it in the core record. */
  nodeId: z.string().min(1).max(64).optional(),
  /** Of which record of the test; without it of its first one. */
  recordId: z.string().min(1).max(200).optional(),
});
export type ExpectedValue = z.output<typeof ExpectedValue>;

const ActualValue = z.strictObject({
  apiName: z.string(),
  nodeId: z.string().nullable(),
  recordId: z.string(),
  expected: Value,
  value: Value,
  failed: z.boolean(),
  /** Why there is no value to compare; null where there is one. */
  message: z.string().nullable(),
});

export const ActualResult = z.strictObject({ failed: z.boolean(), values: z.array(ActualValue) });
export type ActualResult = z.output<typeof ActualResult>;

/** What a node would have done outside of Accord. */
const SkippedCall = z.strictObject({ kind: z.string(), message: z.string() });

/** One record at one node. */
export const NodeTestData = z.strictObject({
  recordId: z.string(),
  input: Values,
  output: Values,
  /** Type of the edge it left by; null where it goes no further. */
  route: z.string().nullable(),
  /** Why it failed there. */
  message: z.string().nullable(),
  warnings: z.array(z.string()),
  /** Calls that a test leaves out. */
  skipped: z.array(SkippedCall),
});
export type NodeTestData = z.output<typeof NodeTestData>;

export const NODE_TEST_STATUSES = ["success", "failed", "skipped", "not_reached"] as const;

export const NodeResult = z.strictObject({
  nodeId: z.string(),
  label: z.string(),
  nodeType: z.string(),
  /** `skipped`: it is an action or asks another system, which a test does not do. */
  status: z.enum(NODE_TEST_STATUSES),
  testData: z.array(NodeTestData),
  /** Not all of its data was kept. */
  isTruncated: z.boolean(),
});
export type NodeResult = z.output<typeof NodeResult>;

/** How one test of a run, or a live run, went node by node. */
export const TestResult = z.strictObject({
  /** Of the test; of the run itself where it is a live one. */
  id: z.string(),
  name: z.string(),
  status: TestRunStatus,
  /** Why it could not be run. */
  message: z.string().nullable(),
  expectedResult: z.array(ExpectedValue),
  actualResult: ActualResult,
  nodes: z.array(NodeResult),
  recordsProcessed: z.int().nonnegative(),
});
export type TestResult = z.output<typeof TestResult>;

export const PipelineTestRun = z.strictObject({
  id: id("pipelineTestRun"),
  kind: z.enum(["simulated", "live"]),
  testIds: z.array(z.string()),
  name: z.string(),
  status: TestRunStatus,
  /** Why it ended as it did, in words; null where its results say that. */
  message: z.string().nullable(),
  graphVersion: z.enum(["draft", "published"]),
  requestedBy: z.string(),
  requestedAt: z.iso.datetime(),
  startedAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  recordsProcessed: z.int().nonnegative(),
  /** One of each test, in their order; null in lists. */
  resultDetails: z.array(TestResult).nullable(),
});
export type PipelineTestRun = z.output<typeof PipelineTestRun>;

export const PipelineTest = z.strictObject({
  id: id("pipelineTest"),
  /** Its own id, as a run wants it. */
  testIds: z.array(id("pipelineTest")),
  name: z.string(),
  /** Empty in lists. */
  records: z.array(TestRecord),
  /** Empty in lists. */
  expectedResult: z.array(ExpectedValue),
  revision: z.int().positive(),
  updatedAt: z.iso.datetime(),
  /** Of its newest run; null before, and while its run is not finished. */
  status: TestRunStatus.nullable(),
  /** The test, or the version it would run on now, was changed after that run. */
  changedSince: z.boolean(),
  /** When that run was started, and on which version; null before. */
  testedAt: z.iso.datetime().nullable(),
  testedVersion: z.enum(["draft", "published"]).nullable(),
  actualResult: ActualResult.nullable(),
  recordsProcessed: z.int().nonnegative(),
  /** Null in lists. */
  resultDetails: TestResult.nullable(),
});
export type PipelineTest = z.output<typeof PipelineTest>;

export const TestBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  records: z.array(TestRecord).min(1).max(PIPELINE_TEST_LIMITS.recordsOfTest),
  expectedResult: z.array(ExpectedValue).max(PIPELINE_TEST_LIMITS.expectedValues),
});
export type TestBody = z.output<typeof TestBody>;

export const RunBody = z.strictObject({
  testIds: z.array(id("pipelineTest")).min(1).max(PIPELINE_TEST_LIMITS.tests),
  name: z.string().trim().min(1).max(100),
  /** Without it the draft where there is one, else what is published. */
  graphVersion: z.enum(["draft", "published"]).optional(),
});
export type RunBody = z.output<typeof RunBody>;

/** Pushed when a test run begins or ends. */
export const pipelineTestRunChanged = event({
  name: "pipelineTestRunChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), runId: id("pipelineTestRun"), status: TestRunStatus }),
});
