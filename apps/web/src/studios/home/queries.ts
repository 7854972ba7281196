/** What home reads, each only for people who may see it; live by the events of each part. */
import { connectorChanged, listConnectors } from "@accord/contracts/connections/connectors";
import { listEntities } from "@accord/contracts/data/core-schema";
import { getRecordCounts, recordsChanged } from "@accord/contracts/data/records";
import { insightsChanged, listDashboards } from "@accord/contracts/insights/dashboards";
import { listPipelines, pipelineChanged } from "@accord/contracts/sync/pipelines";
import { pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { listTransactions } from "@accord/contracts/sync/monitoring/transactions";
import { polling, refreshOn, useEndpoint } from "../../app/queries.ts";
import { useCan } from "../../app/session.ts";

/** Enough to see past a cycle that touched many records. */
export const LATEST = 300;

refreshOn(pipelineStatusChanged, [listPipelines]);
refreshOn(pipelineChanged, [listPipelines]);
refreshOn(recordsChanged, [listTransactions, getRecordCounts]);
refreshOn(connectorChanged, [listConnectors]);
refreshOn(insightsChanged, [listDashboards]);

export const useConnectors = () => useEndpoint(listConnectors, undefined, { enabled: useCan("READ_CONNECTOR") });

export const useDashboards = () => useEndpoint(listDashboards, { query: {} }, { enabled: useCan("READ_DASHBOARD") });

export const useCounts = () =>
  useEndpoint(getRecordCounts, { query: {} }, { enabled: useCan("READ_DATA_STUDIO"), ...polling() });

export const useEntityNames = () => {
  const entities = useEndpoint(listEntities, { query: {} }, { enabled: useCan("READ_STUDIO") });
  return new Map(entities.data?.entities.map((entity) => [entity.id as string, entity.displayName]));
};

export const useLatestChanges = () =>
  useEndpoint(listTransactions, { query: { count: LATEST } }, { enabled: useCan("VIEW_TRANSACTIONS"), ...polling() });
