/** Use case of a pipeline's metrics: what its cycles did, and what went which way at each place of the running version. */
import type { SyncDirection, SyncMetrics } from "@accord/contracts/sync/monitoring/metrics";
import { isSink, isSource } from "@accord/sync-engine/graph";
import type { Caller } from "../../../../../platform/ctx.ts";
import { demandPipeline, type EntityId, type ServiceContext } from "../../published-pipelines.ts";
import { cycleSums } from "./sync-metrics.store.ts";

export function syncMetrics(parts: ServiceContext) {
  const { deps, needs, store } = parts;
  return {
    async metrics({ instanceId }: Caller, entityId: EntityId, { days }: { days: number }): Promise<SyncMetrics> {
      await demandPipeline(parts, instanceId, entityId);
      const { read, delivered, ...sums } = await cycleSums(deps.dataPool, instanceId, entityId, days);
      const version = await needs.pipelines.publishedVersion(instanceId, entityId);
      const numbers = (await store.places(instanceId)).filter(({ pipelineId }) => pipelineId === entityId);
      const places = new Map<string, SyncMetrics["places"][number]>();
      for (const node of version?.graph.nodes ?? []) {
        const { connectorId, entityDefinition: entity } = node.configuration;
        const direction: SyncDirection | null = isSource(node) ? "SYNC_FROM" : isSink(node) ? "SYNC_TO" : null;
        if (!direction || !connectorId || !entity) continue;
        const key = `${connectorId}/${entity}`;
        const known = places.get(key);
        const number = numbers.find((place) => place.connectorId === connectorId && place.entity === entity)?.id;
        places.set(key, {
          connectorId,
          connectorName: (await needs.connectors.getConnector(instanceId, connectorId))?.name ?? "",
          entity,
          direction: known && known.direction !== direction ? "BIDIRECTIONAL" : direction,
          read: (known?.read ?? 0) + (read.get(node.id) ?? 0),
          delivered: delivered.get(number ?? -1) ?? 0,
        });
      }
      return { entityId, ...sums, places: [...places.values()] };
    },
  };
}
