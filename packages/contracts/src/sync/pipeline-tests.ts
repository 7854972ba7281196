/** Tests of pipelines: saved records with the values expected of them, simulated runs of them, and live runs that write nothing. */
import { z } from "zod";
import { Value, Values } from "../data/values.ts";
import { endpoint } from "../endpoint.ts";
import { event } from "../event.ts";
import { type Id, id } from "../ids.ts";

/** What one test, one run and all that is kept of them may hold at most. */
export const PIPELINE_TEST_LIMITS = {
  /** Tests of one entity or field pipeline. */
  tests: 50,
  recordsOfTest: 20,
  expectedValues: 200,
  /** Bytes of one test as JSON. */
  testBytes: 256 * 1024,
  /** Records that a live run reads from each source. */
  liveRecords: 50,
  runSeconds: 60,
  /** Bytes of node data that one run keeps; further data is left out and marked. */
  runBytes: 2 * 1024 * 1024,
  /** Finished runs of one pipeline. */
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
  records: z.array(TestRecord),
  expectedResult: z.array(ExpectedValue),
  revision: z.int().positive(),
  updatedAt: z.iso.datetime(),
  /** Of its newest run; null before, and while its run is not finished. */
  status: TestRunStatus.nullable(),
  actualResult: ActualResult.nullable(),
  recordsProcessed: z.int().nonnegative(),
  /** Null in lists. */
  resultDetails: TestResult.nullable(),
});
export type PipelineTest = z.output<typeof PipelineTest>;

const TestBody = z.strictObject({
  name: z.string().trim().min(1).max(100),
  records: z.array(TestRecord).min(1).max(PIPELINE_TEST_LIMITS.recordsOfTest),
  expectedResult: z.array(ExpectedValue).max(PIPELINE_TEST_LIMITS.expectedValues),
});
export type TestBody = z.output<typeof TestBody>;

const RunBody = z.strictObject({
  testIds: z.array(id("pipelineTest")).min(1).max(PIPELINE_TEST_LIMITS.tests),
  name: z.string().trim().min(1).max(100),
  /** Without it the draft where there is one, else what is published. */
  graphVersion: z.enum(["draft", "published"]).optional(),
});
export type RunBody = z.output<typeof RunBody>;

const testId = { testId: id("pipelineTest") };
const runId = { runId: id("pipelineTestRun") };
const READ = { access: "READ_STUDIO", scope: "instance" } as const;
const WRITE = { access: "WRITE_STUDIO", scope: "instance" } as const;
const CANNOT_RUN = ["test_failed", "test_running", "pipeline_invalid"] as const;

/** The same calls for tests of entity pipelines (by the entity's id) and of field pipelines (by the field's id). */
function testCalls<Kind extends "entity" | "field">(context: Kind) {
  const owner = { id: id(context) as z.ZodType<Id<Kind>, string> };
  const noun = context === "entity" ? "Entity" : "Field";
  const path = `/test/${context}Pipeline/:id` as const;
  const params = z.strictObject(owner);
  const ofTest = z.strictObject({ ...owner, ...testId });
  const ofRun = z.strictObject({ ...owner, ...runId });
  return {
    list: endpoint({
      ...READ,
      name: `list${noun}PipelineTests`,
      method: "GET",
      path,
      summary: `Tests of a${noun === "Entity" ? "n" : ""} ${context} pipeline, each with the outcome of its newest run.`,
      params,
      reply: z.strictObject({ tests: z.array(PipelineTest) }),
    }),
    get: endpoint({
      ...READ,
      name: `get${noun}PipelineTest`,
      method: "GET",
      path: `${path}/testId/:testId`,
      summary: "One test with its records, expected values and the result of its newest run, node by node.",
      params: ofTest,
      reply: PipelineTest,
    }),
    create: endpoint({
      ...WRITE,
      name: `create${noun}PipelineTest`,
      method: "POST",
      path,
      summary: "Saves a test: records as sources would read them, and the values expected of them.",
      params,
      body: TestBody,
      reply: PipelineTest,
      errors: ["name_taken", "test_failed"],
      creates: true,
    }),
    update: endpoint({
      ...WRITE,
      name: `update${noun}PipelineTest`,
      method: "PUT",
      path: `${path}/testId/:testId`,
      summary: "Replaces what a test consists of.",
      params: ofTest,
      body: TestBody.extend({ revision: z.int().positive() }),
      reply: PipelineTest,
      errors: ["name_taken", "stale_version"],
    }),
    remove: endpoint({
      ...WRITE,
      name: `delete${noun}PipelineTest`,
      method: "DELETE",
      path: `${path}/testId/:testId`,
      summary: "Deletes a test. Runs that it was part of keep its results.",
      params: ofTest,
      reply: z.strictObject({}),
    }),
    run: endpoint({
      ...WRITE,
      name: `run${noun}PipelineTests`,
      method: "POST",
      path: `${path}/run`,
      summary:
        "Starts a simulated run of tests. Nothing outside of Accord is asked, and nothing but the results is written.",
      params,
      body: RunBody,
      reply: PipelineTestRun,
      errors: CANNOT_RUN,
    }),
    listRuns: endpoint({
      ...READ,
      name: `list${noun}PipelineTestRuns`,
      method: "GET",
      path: `${path}/run`,
      summary: "Simulated runs, the newest first.",
      params,
      reply: z.strictObject({ runs: z.array(PipelineTestRun) }),
    }),
    getRun: endpoint({
      ...READ,
      name: `get${noun}PipelineTestRun`,
      method: "GET",
      path: `${path}/run/:runId`,
      summary: "One simulated run with the results of its tests.",
      params: ofRun,
      reply: PipelineTestRun,
    }),
  };
}

export const entityPipelineTests = testCalls("entity");
export const fieldPipelineTests = testCalls("field");

const LIVE_PATH = "/test/entityPipeline/:graphId/test";
const ofGraph = { graphId: id("entity") };

export const startLiveTest = endpoint({
  ...WRITE,
  name: "startLiveTest",
  method: "POST",
  path: LIVE_PATH,
  summary:
    "Starts a live run: reads a few records from each source and runs them. Nothing is sent, and nothing but the results is written.",
  params: z.strictObject(ofGraph),
  body: z.strictObject({
    name: z.string().trim().min(1).max(100),
    /** Records read from each source at most. */
    records: z.int().min(1).max(PIPELINE_TEST_LIMITS.liveRecords).default(10),
    graphVersion: z.enum(["draft", "published"]).optional(),
  }),
  reply: PipelineTestRun,
  errors: CANNOT_RUN,
});

export const listLiveTests = endpoint({
  ...READ,
  name: "listLiveTests",
  method: "GET",
  path: LIVE_PATH,
  summary: "Live runs of a pipeline, the newest first.",
  params: z.strictObject(ofGraph),
  reply: z.strictObject({ runs: z.array(PipelineTestRun) }),
});

export const getLiveTest = endpoint({
  ...READ,
  name: "getLiveTest",
  method: "GET",
  path: `${LIVE_PATH}/:runId`,
  summary: "One live run with what each node did with the records.",
  params: z.strictObject({ ...ofGraph, ...runId }),
  reply: PipelineTestRun,
});

/** Pushed when a test run begins or ends. */
export const pipelineTestRunChanged = event({
  name: "pipelineTestRunChanged",
  channel: "instance",
  access: "READ_STUDIO",
  payload: z.strictObject({ entityId: id("entity"), runId: id("pipelineTestRun"), status: TestRunStatus }),
});
