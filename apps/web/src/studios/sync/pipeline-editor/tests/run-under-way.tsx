/** Says that a test run is under way, whoever started it, and lets it be cancelled. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import type { Id } from "@accord/contracts";
import { cancelLiveTest, entityPipelineTests } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing, type PipelineTestRun } from "@accord/contracts/sync/tests/pipeline-tests";
import { useState } from "react";
import { call } from "../../../../app/api.ts";
import { refresh } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { OF_TESTS, useFieldRuns, useLiveRuns, useSimulatedRuns } from "../queries.ts";
import { useTestCalls } from "./test-calls.ts";
import { RunError } from "./test-results.tsx";

export function RunUnderWay({ entityId, mayWrite }: { entityId: Id<"entity">; mayWrite: boolean }) {
  const { t } = useWords("sync");
  const simulated = useSimulatedRuns(entityId);
  const live = useLiveRuns(entityId);
  const [isCancelling, setCancelling] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const ofField = useFieldRuns();
  const calls = useTestCalls(entityId);
  const underWay = (runs: readonly PipelineTestRun[] = []) => runs.find(({ status }) => isProcessing(status));
  const [ownRun, entityRun, liveRun] = [ofField, simulated, live].map(({ data }) => underWay(data?.runs));
  const run = ownRun ?? entityRun ?? liveRun;
  const cancel = ({ id: runId }: PipelineTestRun): Promise<PipelineTestRun> => {
    if (ownRun) return calls.cancelRun(runId);
    if (entityRun) return call(entityPipelineTests.cancelRun, { params: { id: entityId, runId } });
    return call(cancelLiveTest, { params: { graphId: entityId, runId } });
  };
  const cancelRun = async (under: PipelineTestRun): Promise<void> => {
    setError(null);
    setCancelling(true);
    try {
      await cancel(under);
      await refresh(...OF_TESTS);
    } catch (refusal) {
      setError(refusal);
    } finally {
      setCancelling(false);
    }
  };
  return (
    <>
      {error ? <RunError error={error} /> : null}
      <ErrorBox
        tone="info"
        message={run ? t("tests.runningBy", { name: run.name, by: run.requestedBy }) : t("tests.running")}
        actions={
          run && mayWrite ? (
            <Button variant="default" size="xs" loading={isCancelling} onClick={() => void cancelRun(run)}>
              {t("tests.cancelRun")}
            </Button>
          ) : null
        }
      />
    </>
  );
}
