/** Tests and runs as they are answered, without what is secret today. Pure. */
import { id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/pipeline-tests";
import type { PipelineTest, PipelineTestRun, TestResult } from "@accord/contracts/sync/pipeline-tests";
import { maskActual, maskExpected, maskRecords, maskResult, testHoldsSecrets } from "./mask-secrets.ts";
import type { StoredTest, TestOutcome } from "./pipeline-tests.store.ts";
import type { RunRow } from "./test-runs.store.ts";

/** `names`: fields whose values are not shown. */
export function toTest(
  names: ReadonlySet<string>,
  { test, outcome }: { test: StoredTest; outcome: TestOutcome | null },
): PipelineTest {
  const isOlder = testHoldsSecrets(names, test);
  const testId = id("pipelineTest").parse(test.id);
  return {
    id: testId,
    testIds: [testId],
    name: test.name,
    records: maskRecords(names, test.records),
    expectedResult: maskExpected(names, test.expected, () => isOlder),
    revision: test.revision,
    updatedAt: test.updatedAt,
    status: outcome?.status ?? null,
    actualResult: outcome && maskActual(names, outcome.actual),
    recordsProcessed: outcome?.recordsProcessed ?? 0,
    resultDetails: outcome?.details ? maskResult(names, outcome.details) : null,
  };
}

export const toRun = (row: RunRow, resultDetails: TestResult[] | null): PipelineTestRun => ({
  id: id("pipelineTestRun").parse(row.id),
  kind: row.kind,
  testIds: row.testIds,
  name: row.name,
  status: row.status,
  message: row.status === "aborted" ? (row.message ?? words.aborted) : row.message,
  graphVersion: row.graphVersion,
  requestedBy: row.requestedBy,
  requestedAt: row.requestedAt,
  startedAt: row.beganAt,
  endedAt: row.endedAt,
  recordsProcessed: row.records,
  resultDetails,
});
