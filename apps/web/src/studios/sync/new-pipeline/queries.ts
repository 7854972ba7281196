/** What the page of a new pipeline reads: systems with their entities, entities of the core, ten records. */
import {
  getSampleRecords,
  listConnectorEntities,
  listConnectors,
  type Connector,
  type ConnectorEntitySummary,
} from "@accord/contracts/connections/connectors";
import { listEntities } from "@accord/contracts/data/core-schema";
import { listPipelines } from "@accord/contracts/sync/pipelines";
import { useQueries, useQuery } from "@tanstack/react-query";
import { endpointQuery, useEndpoint } from "../../../app/queries.ts";
import { everyPipeline } from "../../../shared/every-pipeline.ts";

export const PREVIEW_COUNT = 10;

export const useSystems = () => useEndpoint(listConnectors);

export interface SystemEntities {
  connector: Connector;
  entities: readonly ConnectorEntitySummary[];
  isPending: boolean;
  error: Error | null;
}

export const useSystemEntities = (connectors: readonly Connector[]): SystemEntities[] =>
  useQueries({
    queries: connectors.map(({ id }) => endpointQuery(listConnectorEntities, { params: { connectorId: id } })),
    combine: (results) =>
      connectors.map((connector, index) => ({
        connector,
        entities: results[index]?.data?.entities ?? [],
        isPending: results[index]?.isPending ?? false,
        error: results[index]?.error ?? null,
      })),
  });

/** All of them, drafts among them: names and origins that are taken. */
export const useCoreEntities = () => useEndpoint(listEntities, { query: { version: "draft" } });
export const usePublishedEntities = () => useEndpoint(listEntities, { query: { version: "published" } });

/** Entities that have neither a draft nor a published pipeline, however many there are. */
export const useUnmapped = () =>
  useQuery({
    queryKey: [listPipelines.name, "every page", "Unmapped"],
    queryFn: ({ signal }) => everyPipeline({ pipelineStatus: "Unmapped" }, signal),
  });

/** Read from the system once: whoever wants newer ones asks for them. */
export const usePreview = (connectorId: string, entityApiName: string) =>
  useEndpoint(
    getSampleRecords,
    { params: { connectorId, entityApiName }, query: { count: PREVIEW_COUNT } },
    { retry: false, staleTime: Number.POSITIVE_INFINITY, refetchOnWindowFocus: false },
  );
