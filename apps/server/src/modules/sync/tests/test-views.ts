/** Tests and runs as they are answered, without what is secret today. Pure. */
import { id } from "@accord/contracts";
import { pipelineTests as words } from "@accord/contracts/messages/en/sync/pipeline-tests";
import type { PipelineTest, PipelineTestRun, TestResult } from "@accord/contracts/sync/tests/pipeline-tests";
import { maskActual, maskExpected, maskRecords, maskResult, testHoldsSecrets } from "./test-run/mask-secrets.ts";
import type { StoredTest, TestOutcome } from "./pipeline-tests.store.ts";
import type { RunRow } from "./test-runs.store.ts";

export interface Today {
  /** Fields whose values are not shown. */
  names: ReadonlySet<string>;
  /** Of the graphs of each version. */
  hashes: ReadonlyMap<"draft" | "published", string>;
}

/** The test, or what it would run on now, is another than the result is about. */
function isOutdated({ hashes }: Today, test: StoredTest, outcome: TestOutcome): boolean {
  const draft = outcome.graphVersion === "draft" ? hashes.get("draft") : undefined;
  const current = draft ?? hashes.get("published") ?? hashes.get("draft");
  return outcome.testRevision !== test.revision || outcome.graphsHash !== current;
}

export function toTest(
  today: Today,
  { test, outcome }: { test: StoredTest; outcome: TestOutcome | null },
): PipelineTest {
  const { names } = today;
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
    changedSince: outcome !== null && isOutdated(today, test, outcome),
    testedAt: outcome?.testedAt ?? null,
    testedVersion: outcome?.graphVersion ?? null,
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
