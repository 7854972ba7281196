/** What the editor reads: the opened graph, the core entity, connected systems and the palette. */
import {
  getConnectorEntity,
  getSampleRecords,
  listConnectorEntities,
  listConnectors,
} from "@accord/contracts/connections/connectors";
import { getEntity } from "@accord/contracts/data/core-schema";
import { getPipelinePalette } from "@accord/contracts/sync/palette";
import { entityPipelineTests, getLiveTest, listLiveTests } from "@accord/contracts/sync/pipeline-test-calls";
import { isFinished, type PipelineTestRun, pipelineTestRunChanged } from "@accord/contracts/sync/pipeline-tests";
import { getPipelineVersion, listPipelineVersions } from "@accord/contracts/sync/pipeline-versions";
import { getPipeline, getPipelineGraph, pipelineChanged } from "@accord/contracts/sync/pipelines";
import { id, type Id } from "@accord/contracts";
import { refreshOn, useEndpoint } from "../../../app/queries.ts";

refreshOn(pipelineChanged, [getPipeline, listPipelineVersions]);

/** What a test run changes. */
export const OF_TESTS = [
  entityPipelineTests.list,
  entityPipelineTests.get,
  entityPipelineTests.listRuns,
  entityPipelineTests.getRun,
  listLiveTests,
  getLiveTest,
];
refreshOn(pipelineTestRunChanged, OF_TESTS);

type EntityId = Id<"entity">;

/** Stands where nothing is asked for. */
const NO_VERSION = id("pipelineVersion").parse("0".repeat(24));

export const useOpenedGraph = (entityId: EntityId, graphVersion: "draft" | "published", enabled = true) =>
  useEndpoint(
    getPipelineGraph,
    { params: { entityId, graphVersion } },
    // The editor holds its own copy: a silent refetch must not replace work under the person's hands.
    { enabled, staleTime: Number.POSITIVE_INFINITY, gcTime: 0, refetchOnMount: "always", refetchOnWindowFocus: false },
  );
export const useVersions = (entityId: EntityId) => useEndpoint(listPipelineVersions, { params: { entityId } });
/** A published version never changes, so it is read once. */
export const useVersion = (entityId: EntityId, versionId: Id<"pipelineVersion"> | undefined) =>
  useEndpoint(
    getPipelineVersion,
    { params: { entityId, versionId: versionId ?? NO_VERSION } },
    { enabled: versionId !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
export const usePipelineRow = (entityId: EntityId) => useEndpoint(getPipeline, { params: { entityId } });
export const useCoreEntity = (entityId: EntityId) => useEndpoint(getEntity, { params: { entityId } });
export const useConnectors = () => useEndpoint(listConnectors);
export const useConnectorEntities = (connectorId: string | undefined) =>
  useEndpoint(listConnectorEntities, { params: { connectorId: connectorId ?? "" } }, { enabled: Boolean(connectorId) });
export const useConnectorEntity = (connectorId: string | undefined, entityApiName: string | undefined) =>
  useEndpoint(
    getConnectorEntity,
    { params: { connectorId: connectorId ?? "", entityApiName: entityApiName ?? "" } },
    { enabled: Boolean(connectorId && entityApiName) },
  );
export const usePalette = (entityId: EntityId) =>
  useEndpoint(getPipelinePalette, { params: { entityId }, query: { level: "entity" } }, { staleTime: 300_000 });

export const useTests = (entityId: EntityId) => useEndpoint(entityPipelineTests.list, { params: { id: entityId } });
export const useTest = (entityId: EntityId, testId: Id<"pipelineTest">) =>
  useEndpoint(entityPipelineTests.get, { params: { id: entityId, testId } });

const NO_RUN = id("pipelineTestRun").parse("0".repeat(24));
const RUN_POLL_MS = 1_000;
/** Asked again until the run has ended. */
const untilEnded = (runId: Id<"pipelineTestRun"> | undefined) => ({
  enabled: runId !== undefined,
  refetchInterval: ({ state }: { state: { data?: PipelineTestRun | undefined } }) =>
    state.data && isFinished(state.data.status) ? (false as const) : RUN_POLL_MS,
});
export const useSimulatedRun = (entityId: EntityId, runId: Id<"pipelineTestRun"> | undefined) =>
  useEndpoint(entityPipelineTests.getRun, { params: { id: entityId, runId: runId ?? NO_RUN } }, untilEnded(runId));
export const useLiveRuns = (graphId: EntityId) => useEndpoint(listLiveTests, { params: { graphId } });
export const useLiveRun = (graphId: EntityId, runId: Id<"pipelineTestRun"> | undefined) =>
  useEndpoint(getLiveTest, { params: { graphId, runId: runId ?? NO_RUN } }, untilEnded(runId));

/** Records of a source as they stand there now. */
export const useSamples = (source: { connectorId: string; entityApiName: string } | undefined) =>
  useEndpoint(
    getSampleRecords,
    { params: source ?? { connectorId: "", entityApiName: "" }, query: { count: 50 } },
    { enabled: source !== undefined, staleTime: 60_000 },
  );
