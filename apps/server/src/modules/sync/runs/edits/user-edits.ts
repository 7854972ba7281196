/** Changes people make in the data studio, as the records module calls for them: done, told to screens, sent on. */
import { recordsChanged } from "@accord/contracts/data/records";
import type { Values } from "@accord/contracts/data/values";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import { isActionsEndpoint } from "@accord/sync-engine/run";
import { AppError, invalidField } from "../../../../platform/http/app-error.ts";
import type { RecordWriter } from "../../../data/records/index.ts";
import { recordTable } from "../../../data/schema/index.ts";
import { applyUserEdits } from "./user-edits.store.ts";
import { entitySeals } from "../secrets/pipeline-secrets.ts";
import type { EntityId, InstanceId, ServiceContext } from "../published-pipelines.ts";
import { isTooLargeToIndex, longestIndexed } from "../storage/unstorable-values.store.ts";

export function userEdits(parts: ServiceContext): RecordWriter {
  const { deps, needs, schedule } = parts;
  return {
    async applyManualChange({ instanceId, entityId, actor, changes }) {
      const entity = await needs.schema.getEntity(instanceId, entityId);
      if (!entity) throw new AppError("not_found", { what: "Entity" });
      const sinkPlaces = await placesOfSinks(parts, instanceId, entityId);
      const fields = entity.fields.filter(({ status }) => status === "ACTIVE");
      const seals = entitySeals(deps.secrets, instanceId, entity);
      const outcomes = await applyUserEdits(
        deps.dataPool,
        {
          instanceId,
          pipelineId: entityId,
          entity: { apiName: entity.apiName, fields },
          actor,
          sinkPlaces,
          now: deps.clock.now().toISOString(),
        },
        changes.map((change) => ("values" in change ? { ...change, values: seals.sealAll(change.values) } : change)),
      ).catch(async (error: unknown) => {
        const entered = changes.map((change): Values => ("values" in change ? change.values : {}));
        const records = recordTable(instanceId, entity.apiName);
        throw (await tooLongEntered({ pool: deps.dataPool, records }, entered, error)) ?? error;
      });
      const count = outcomes.filter(({ status }) => status === "done").length;
      if (count > 0) {
        await schedule.requestCycle(instanceId, entityId);
        await deps.realtime.publish(instanceId, recordsChanged, { entityId, count });
      }
      return outcomes;
    },
  };
}

/** What a person is told who entered a text that is compared and is too long for it; null when that is not it. */
async function tooLongEntered(
  stored: Parameters<typeof longestIndexed>[0],
  entered: readonly Values[],
  error: unknown,
): Promise<AppError | null> {
  if (!isTooLargeToIndex(error)) return null;
  for (const values of entered) {
    const found = await longestIndexed(stored, values);
    if (found) return invalidField(found.field, found.message);
  }
  return null;
}

async function placesOfSinks({ needs, store }: ServiceContext, at: InstanceId, entityId: EntityId): Promise<number[]> {
  const version = await needs.pipelines.publishedVersion(at, entityId);
  if (!version) return [];
  const sinks = version.graph.nodes
    .filter(({ nodeType }) => nodeType === "ENTITY_SINK")
    .map(({ configuration }) => SourceConfiguration.parse(configuration));
  const places = await store.places(at);
  return places
    .filter(
      (place) =>
        place.pipelineId === entityId &&
        (isActionsEndpoint(place) ||
          sinks.some(
            ({ connectorId, entityDefinition }) =>
              connectorId === place.connectorId && entityDefinition === place.entity,
          )),
    )
    .map(({ id }) => id);
}
