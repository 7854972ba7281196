/** What the editor reads: the opened graph, the core entity, connected systems and the palette. */
import { listConnectorEntities, listConnectors, getConnectorEntity } from "@accord/contracts/connections/connectors";
import { getEntity } from "@accord/contracts/data/core-schema";
import { getPipelinePalette } from "@accord/contracts/sync/palette";
import { getPipelineVersion, listPipelineVersions } from "@accord/contracts/sync/pipeline-versions";
import { getPipeline, getPipelineGraph, pipelineChanged } from "@accord/contracts/sync/pipelines";
import { id, type Id } from "@accord/contracts";
import { refreshOn, useEndpoint } from "../../../app/queries.ts";

refreshOn(pipelineChanged, [getPipeline, listPipelineVersions]);

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
