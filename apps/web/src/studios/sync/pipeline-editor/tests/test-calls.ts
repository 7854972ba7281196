/** Calls of saved tests: those of the entity pipeline, or of the field pipeline that is open. */
import type { Id } from "@accord/contracts";
import { entityPipelineTests, fieldPipelineTests } from "@accord/contracts/sync/tests/pipeline-test-calls";
import type { PipelineTest, PipelineTestRun, TestBody } from "@accord/contracts/sync/tests/pipeline-tests";
import { useMemo } from "react";
import { call } from "../../../../app/api.ts";
import { useFieldScope } from "../field-pipeline/field-scope.ts";

type TestId = Id<"pipelineTest">;

export interface TestCalls {
  create: (body: TestBody) => Promise<PipelineTest>;
  update: (testId: TestId, body: TestBody & { revision: number }) => Promise<PipelineTest>;
  remove: (testId: TestId) => Promise<unknown>;
  run: (body: { testIds: TestId[]; name: string; graphVersion: "draft" | "published" }) => Promise<PipelineTestRun>;
  cancelRun: (runId: Id<"pipelineTestRun">) => Promise<PipelineTestRun>;
}

function ofEntity(id: Id<"entity">): TestCalls {
  const calls = entityPipelineTests;
  return {
    create: (body) => call(calls.create, { params: { id }, body }),
    update: (testId, body) => call(calls.update, { params: { id, testId }, body }),
    remove: (testId) => call(calls.remove, { params: { id, testId } }),
    run: (body) => call(calls.run, { params: { id }, body }),
    cancelRun: (runId) => call(calls.cancelRun, { params: { id, runId } }),
  };
}

function ofField(id: Id<"field">): TestCalls {
  const calls = fieldPipelineTests;
  return {
    create: (body) => call(calls.create, { params: { id }, body }),
    update: (testId, body) => call(calls.update, { params: { id, testId }, body }),
    remove: (testId) => call(calls.remove, { params: { id, testId } }),
    run: (body) => call(calls.run, { params: { id }, body }),
    cancelRun: (runId) => call(calls.cancelRun, { params: { id, runId } }),
  };
}

export function useTestCalls(entityId: Id<"entity">): TestCalls {
  const fieldId = useFieldScope()?.fieldId;
  return useMemo(() => (fieldId ? ofField(fieldId) : ofEntity(entityId)), [entityId, fieldId]);
}
