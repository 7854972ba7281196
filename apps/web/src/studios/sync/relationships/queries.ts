/** What the relationships show: entities as they are published, and how their pipelines are doing. */
import type { CoreEntity } from "@accord/contracts/data/entities";
import { entitySchemaChanged, listEntities } from "@accord/contracts/data/core-schema";
import type { PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import { pipelineChanged } from "@accord/contracts/sync/pipelines";
import { listSyncStatuses, pipelineStatusChanged } from "@accord/contracts/sync/monitoring/runs";
import { useMemo } from "react";
import { polling, refreshOn, useEndpoint } from "../../../app/queries.ts";

refreshOn(pipelineStatusChanged, [listSyncStatuses]);
refreshOn(pipelineChanged, [listSyncStatuses]);
refreshOn(entitySchemaChanged, [listEntities]);

/** Health by entity id; null where nothing is published, undefined while nobody knows. */
export type HealthOf = (entityId: string) => PipelineHealth | null | undefined;

/** Entities that are drafts yet are among them. */
export const useEntities = () => useEndpoint(listEntities, { query: { version: "draft" } });

export function useHealth() {
  const statuses = useEndpoint(listSyncStatuses, {}, polling());
  const { data } = statuses;
  const healthOf = useMemo((): HealthOf => {
    const known = new Map<string, PipelineHealth | null>(
      (data?.statuses ?? []).map(({ entityId, health }) => [entityId, health]),
    );
    return (entityId) => (data ? (known.get(entityId) ?? null) : undefined);
  }, [data]);
  return { healthOf, statuses };
}

export const nameOf = (entities: readonly CoreEntity[], id: string): string =>
  entities.find((entity) => entity.id === id)?.displayName ?? id;
