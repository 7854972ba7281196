/** Which places are looked at for deleted records: sources of running pipelines whose system lists its ids. */
import type { EntitySchema } from "@accord/contracts/data/schema";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import { isCheckedByList, readerName } from "../../../connections/connectors/index.ts";
import type { ScanKey } from "./deletion-detection.store.ts";
import type { RunsDependencies } from "../worker/plans.ts";
import type { RunsStore } from "../monitoring/runs.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";

/** A place that is to be looked at, and how. */
export interface LookedAt extends ScanKey {
  connectorId: string;
  schema: EntitySchema;
  isAskedById: boolean;
  /** Fields by which a changed record is known, in their order; null where reading does not rely on times of change. */
  comparedFields: readonly string[] | null;
  /** Name of the reader for whom the system may retain changes, deletions among them; null where it never does. */
  reader: string | null;
  pageSize: number;
  delayMs: number;
  /** Minutes between two looks; null: as the load allows. */
  everyMinutes: number | null;
  mostPercent: number;
  /** Everything its system has was read once: what is listed and not linked was passed over. */
  isReadWhole: boolean;
}

interface WantedParts {
  needs: Pick<RunsDependencies, "connectors" | "pipelines">;
  schedule: Pick<ScheduleStore, "listAll">;
  store: Pick<RunsStore, "places">;
}

/** Sources of running pipelines whose system lists its ids but tells no deletions. */
export async function dueScans({ needs, schedule, store }: WantedParts): Promise<LookedAt[]> {
  const wanted: LookedAt[] = [];
  for (const { instanceId, pipelineId, isPaused, resync, wholeSources } of await schedule.listAll()) {
    if (isPaused) continue;
    const version = await needs.pipelines.publishedVersion(instanceId, pipelineId);
    for (const node of version?.graph.nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE") ?? []) {
      const { connectorId, entityDefinition, acceptDeletes, ...config } = SourceConfiguration.parse(node.configuration);
      if (!acceptDeletes || config.findDeletesMinutes === 0) continue;
      const connector = await needs.connectors.getConnector(instanceId, connectorId);
      const entity = await needs.connectors.entitySchema(instanceId, connectorId, entityDefinition);
      if (connector?.status !== "ACTIVE" || !entity?.capabilities.includes("listIds")) continue;
      if (entity.capabilities.includes("readDeletes")) continue;
      const place = (await store.places(instanceId)).find(
        (one) => one.pipelineId === pipelineId && one.connectorId === connectorId && one.entity === entityDefinition,
      );
      if (!place || wanted.some(({ instanceId: at, placeId }) => at === instanceId && placeId === place.id)) continue;
      wanted.push({
        instanceId,
        pipelineId,
        placeId: place.id,
        connectorId,
        schema: entity.schema,
        isAskedById: entity.capabilities.includes("getById"),
        comparedFields: isCheckedByList(entity.capabilities) ? place.readFields : null,
        reader: entity.capabilities.includes("retainsChanges") ? readerName(connectorId, pipelineId, node.id) : null,
        pageSize: connector.readPageSize,
        delayMs: connector.readDelaySeconds * 1000,
        everyMinutes: config.findDeletesMinutes ?? null,
        mostPercent: config.mostMissingPercent,
        isReadWhole: resync === null && wholeSources.includes(node.id),
      });
    }
  }
  return wanted;
}
