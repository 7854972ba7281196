/** Follows test runs of the open pipeline, whoever started them: while one is under way the draft stays as it is. */
import type { Id } from "@accord/contracts";
import { entityPipelineTests, listLiveTests } from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isProcessing, type PipelineTestRun } from "@accord/contracts/sync/tests/pipeline-tests";
import { useEffect, useRef } from "react";
import { POLL_MS, refresh, useEndpoint } from "../../../../app/queries.ts";
import { isStreamLive } from "../../../../app/realtime.ts";
import { useEditorStore } from "../editor-context.tsx";
import { useFieldScope } from "../field-pipeline/field-scope.ts";
import { OF_TESTS, useFieldRuns } from "../queries.ts";

const RUN_POLL_MS = 1_000;

const isAnyUnderWay = (data: { runs: readonly PipelineTestRun[] } | undefined): boolean =>
  data?.runs.some(({ status }) => isProcessing(status)) ?? false;

/** Asked again until the run that is under way has ended; otherwise a message says that one began. */
const whileUnderWay = {
  refetchOnMount: "always" as const,
  refetchInterval: ({ state }: { state: { data?: { runs: PipelineTestRun[] } | undefined } }) =>
    isAnyUnderWay(state.data) ? RUN_POLL_MS : isStreamLive() ? (false as const) : POLL_MS,
};

export function useTestRuns(entityId: Id<"entity">): void {
  const store = useEditorStore();
  const isOfField = useFieldScope() !== null;
  const simulated = useEndpoint(entityPipelineTests.listRuns, { params: { id: entityId } }, whileUnderWay);
  const ofField = useFieldRuns(whileUnderWay);
  const live = useEndpoint(listLiveTests, { params: { graphId: entityId } }, whileUnderWay);
  // What was read before the editor opened may be older than the graph in it.
  const isRead =
    simulated.isFetchedAfterMount && live.isFetchedAfterMount && (!isOfField || ofField.isFetchedAfterMount);
  const isUnderWay = isRead ? [simulated, live, ofField].some(({ data }) => isAnyUnderWay(data)) : undefined;
  const wasUnderWay = useRef(isUnderWay);
  useEffect(() => {
    if (isUnderWay === undefined) return;
    store.getState().setTesting(isUnderWay);
    if (wasUnderWay.current && !isUnderWay) void refresh(...OF_TESTS);
    wasUnderWay.current = isUnderWay;
  }, [isUnderWay, store]);
}
