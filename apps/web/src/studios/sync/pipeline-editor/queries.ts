/** What the editor reads: the opened graph, the core entity, connected systems and the palette. */
import {
  connectorChanged,
  getConnectorEntity,
  getSampleRecords,
  listConnectorEntities,
  listConnectors,
} from "@accord/contracts/connections/connectors";
import { entitySchemaChanged, getEntity, listEntities } from "@accord/contracts/data/core-schema";
import { customActionChanged, listCustomActions } from "@accord/contracts/sync/actions";
import { getFieldGraph, listFieldPipelines } from "@accord/contracts/sync/field-pipelines";
import { listConnectorFields } from "@accord/contracts/sync/node-fields";
import { getPipelinePalette } from "@accord/contracts/sync/palette";
import {
  entityPipelineTests,
  fieldPipelineTests,
  getLiveTest,
  listLiveTests,
} from "@accord/contracts/sync/tests/pipeline-test-calls";
import { isFinished, type PipelineTestRun, pipelineTestRunChanged } from "@accord/contracts/sync/tests/pipeline-tests";
import { getPipelineVersion, listPipelineVersions } from "@accord/contracts/sync/pipeline-versions";
import { getPipeline, getPipelineGraph, pipelineChanged } from "@accord/contracts/sync/pipelines";
import { id, type Id } from "@accord/contracts";
import { refreshOn, useEndpoint } from "../../../app/queries.ts";
import { LOADED_OPTIONS } from "../../../shared/config-form/choice-input.tsx";
import { useFieldScope } from "./field-pipeline/field-scope.ts";

refreshOn(pipelineChanged, [getPipeline, listPipelineVersions, listFieldPipelines, listConnectorFields]);

// What can be placed on the graph, and chosen in its forms, may be made in another window.
refreshOn(entitySchemaChanged, [listEntities, getEntity, LOADED_OPTIONS]);
refreshOn(connectorChanged, [listConnectors, listConnectorEntities, getConnectorEntity, LOADED_OPTIONS]);
refreshOn(customActionChanged, [listCustomActions, LOADED_OPTIONS]);

/** What a test run changes. */
export const OF_TESTS = [
  entityPipelineTests.list,
  entityPipelineTests.get,
  entityPipelineTests.listRuns,
  entityPipelineTests.getRun,
  fieldPipelineTests.list,
  fieldPipelineTests.get,
  fieldPipelineTests.listRuns,
  fieldPipelineTests.getRun,
  listLiveTests,
  getLiveTest,
];
refreshOn(pipelineTestRunChanged, OF_TESTS);

type EntityId = Id<"entity">;

/** Stands where nothing is asked for. */
const NO_VERSION = id("pipelineVersion").parse("0".repeat(24));

/** The editor holds its own copy: a silent refetch must not replace work under the person's hands. */
const READ_ONCE = {
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnMount: "always",
  refetchOnWindowFocus: false,
} as const;
export const useOpenedGraph = (entityId: EntityId, graphVersion: "draft" | "published", enabled = true) =>
  useEndpoint(getPipelineGraph, { params: { entityId, graphVersion } }, { enabled, ...READ_ONCE });
export const useOpenedFieldGraph = (
  entityId: EntityId,
  fieldId: Id<"field">,
  graphVersion: "draft" | "published",
  enabled: boolean,
) => useEndpoint(getFieldGraph, { params: { entityId, fieldId, graphVersion } }, { enabled, ...READ_ONCE });
/** The entity pipeline beside a field pipeline, as it is now. */
export const useEntityGraph = (entityId: EntityId, graphVersion: "draft" | "published", enabled: boolean) =>
  useEndpoint(getPipelineGraph, { params: { entityId, graphVersion } }, { enabled });
export const useFieldPipelines = (entityId: EntityId) => useEndpoint(listFieldPipelines, { params: { entityId } });
/** The same, read anew by whoever shows it. */
export const useFieldPipelinesNow = (entityId: EntityId) =>
  useEndpoint(listFieldPipelines, { params: { entityId } }, { refetchOnMount: "always" });
/** What field pipelines may read from and write to. */
export function useConnectorFields(entityId: EntityId) {
  const scope = useFieldScope();
  const graphVersion = scope?.entityVersion ?? "draft";
  return useEndpoint(listConnectorFields, { params: { entityId, graphVersion } }, { enabled: scope !== null });
}
export const useVersions = (entityId: EntityId) => useEndpoint(listPipelineVersions, { params: { entityId } });
/** A published version never changes, so it is read once. */
export const useVersion = (entityId: EntityId, versionId: Id<"pipelineVersion"> | undefined) =>
  useEndpoint(
    getPipelineVersion,
    { params: { entityId, versionId: versionId ?? NO_VERSION } },
    { enabled: versionId !== undefined, staleTime: Number.POSITIVE_INFINITY },
  );
/** Read anew by whoever opens it: `isFetchedAfterMount` says when it is what stands now. */
export const usePipelineRowNow = (entityId: EntityId) =>
  useEndpoint(getPipeline, { params: { entityId } }, { refetchOnMount: "always" });
export const usePipelineRow = (entityId: EntityId) => useEndpoint(getPipeline, { params: { entityId } });
export const useCoreEntity = (entityId: EntityId) => useEndpoint(getEntity, { params: { entityId } });
export const useConnectors = (enabled = true) => useEndpoint(listConnectors, {}, { enabled });
export const useConnectorEntities = (connectorId: string | undefined) =>
  useEndpoint(listConnectorEntities, { params: { connectorId: connectorId ?? "" } }, { enabled: Boolean(connectorId) });
export const useConnectorEntity = (connectorId: string | undefined, entityApiName: string | undefined) =>
  useEndpoint(
    getConnectorEntity,
    { params: { connectorId: connectorId ?? "", entityApiName: entityApiName ?? "" } },
    { enabled: Boolean(connectorId && entityApiName) },
  );
/** What may be placed in the graph that is open. */
export function usePalette(entityId: EntityId) {
  const level = useFieldScope() ? "field" : "entity";
  return useEndpoint(getPipelinePalette, { params: { entityId }, query: { level } }, { staleTime: 300_000 });
}

/** Stands where no field pipeline is open. */
const NO_FIELD = id("field").parse("0".repeat(24));

/** Saved tests of the pipeline that is open: of the entity, or of the field. */
export function useTests(entityId: EntityId) {
  const fieldId = useFieldScope()?.fieldId;
  const ofEntity = useEndpoint(entityPipelineTests.list, { params: { id: entityId } }, { enabled: !fieldId });
  const ofField = useEndpoint(fieldPipelineTests.list, { params: { id: fieldId ?? NO_FIELD } }, { enabled: !!fieldId });
  return fieldId ? ofField : ofEntity;
}
export function useTest(entityId: EntityId, testId: Id<"pipelineTest">) {
  const fieldId = useFieldScope()?.fieldId;
  const ofEntity = useEndpoint(entityPipelineTests.get, { params: { id: entityId, testId } }, { enabled: !fieldId });
  const params = { id: fieldId ?? NO_FIELD, testId };
  const ofField = useEndpoint(fieldPipelineTests.get, { params }, { enabled: !!fieldId });
  return fieldId ? ofField : ofEntity;
}

const NO_RUN = id("pipelineTestRun").parse("0".repeat(24));
const RUN_POLL_MS = 1_000;
/** Asked again until the run has ended. */
const untilEnded = (runId: Id<"pipelineTestRun"> | undefined, isAsked = true) => ({
  enabled: isAsked && runId !== undefined,
  refetchInterval: ({ state }: { state: { data?: PipelineTestRun | undefined } }) =>
    state.data && isFinished(state.data.status) ? (false as const) : RUN_POLL_MS,
});
export function useSimulatedRun(entityId: EntityId, runId: Id<"pipelineTestRun"> | undefined) {
  const fieldId = useFieldScope()?.fieldId;
  const run = { runId: runId ?? NO_RUN };
  const ofEntity = useEndpoint(
    entityPipelineTests.getRun,
    { params: { id: entityId, ...run } },
    untilEnded(runId, !fieldId),
  );
  const ofField = useEndpoint(
    fieldPipelineTests.getRun,
    { params: { id: fieldId ?? NO_FIELD, ...run } },
    untilEnded(runId, !!fieldId),
  );
  return fieldId ? ofField : ofEntity;
}
/** Of the entity pipeline. */
export const useSimulatedRuns = (entityId: EntityId) =>
  useEndpoint(entityPipelineTests.listRuns, { params: { id: entityId } });
/** Of the field pipeline that is open; none are asked for where none is. */
export function useFieldRuns(options = {}) {
  const fieldId = useFieldScope()?.fieldId;
  const params = { id: fieldId ?? NO_FIELD };
  return useEndpoint(fieldPipelineTests.listRuns, { params }, { ...options, enabled: !!fieldId });
}
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
