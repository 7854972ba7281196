/** Calls of pipeline tests: saving them, running them, and live runs. */
import { z } from "zod";
import { endpoint } from "../../endpoint.ts";
import { type Id, id } from "../../ids.ts";
import { PIPELINE_TEST_LIMITS, PipelineTest, PipelineTestRun, RunBody, TestBody } from "./pipeline-tests.ts";

const testId = { testId: id("pipelineTest") };
const runId = { runId: id("pipelineTestRun") };
const READ = { access: "READ_STUDIO", scope: "instance" } as const;
const WRITE = { access: "WRITE_STUDIO", scope: "instance" } as const;
const CANNOT_RUN = ["test_failed", "test_running", "pipeline_invalid"] as const;

type Context = "entity" | "field";
type OwnerId<Kind extends Context> = z.ZodType<Id<Kind>, string>;

const NOUNS = { entity: "Entity", field: "Field" } as const;

/** The same calls for tests of entity pipelines (by the entity's id) and of field pipelines (by the field's id). */
function testCalls<Kind extends Context>(context: Kind, ownerId: OwnerId<Kind>) {
  const noun = NOUNS[context];
  const path = `/test/${context}Pipeline/:id` as const;
  const params = z.strictObject({ id: ownerId });
  const ofTest = z.strictObject({ id: ownerId, ...testId });
  return {
    list: endpoint({
      ...READ,
      name: `list${noun}PipelineTests`,
      method: "GET",
      path,
      summary: "Tests of the pipeline of an entity or a field, each with the outcome of its newest run.",
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
      errors: ["name_taken", "stale_version", "test_failed"],
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
  };
}

/** Simulated runs of these tests. */
function runCalls<Kind extends Context>(context: Kind, ownerId: OwnerId<Kind>) {
  const noun = NOUNS[context];
  const path = `/test/${context}Pipeline/:id/run` as const;
  const params = z.strictObject({ id: ownerId });
  return {
    run: endpoint({
      ...WRITE,
      name: `run${noun}PipelineTests`,
      method: "POST",
      path,
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
      path,
      summary: "Simulated runs, the newest first.",
      params,
      reply: z.strictObject({ runs: z.array(PipelineTestRun) }),
    }),
    getRun: endpoint({
      ...READ,
      name: `get${noun}PipelineTestRun`,
      method: "GET",
      path: `${path}/:runId`,
      summary: "One simulated run with the results of its tests.",
      params: z.strictObject({ id: ownerId, ...runId }),
      reply: PipelineTestRun,
    }),
    cancelRun: endpoint({
      ...WRITE,
      name: `cancel${noun}PipelineTestRun`,
      method: "POST",
      path: `${path}/:runId/cancel`,
      summary: "Ends a simulated run that waits or runs. One that has ended stays as it is.",
      params: z.strictObject({ id: ownerId, ...runId }),
      reply: PipelineTestRun,
    }),
  };
}

export const entityPipelineTests = {
  ...testCalls("entity", id("entity")),
  ...runCalls("entity", id("entity")),
};
export const fieldPipelineTests = {
  ...testCalls("field", id("field")),
  ...runCalls("field", id("field")),
};

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

export const cancelLiveTest = endpoint({
  ...WRITE,
  name: "cancelLiveTest",
  method: "POST",
  path: `${LIVE_PATH}/:runId/cancel`,
  summary: "Ends a live run that waits or runs. One that has ended stays as it is.",
  params: z.strictObject({ ...ofGraph, ...runId }),
  reply: PipelineTestRun,
});

export const clearLiveTests = endpoint({
  ...WRITE,
  name: "clearLiveTests",
  method: "DELETE",
  path: LIVE_PATH,
  summary: "Deletes the live runs of a pipeline that have ended, with their results.",
  params: z.strictObject(ofGraph),
  reply: z.strictObject({ deleted: z.int().nonnegative() }),
});
