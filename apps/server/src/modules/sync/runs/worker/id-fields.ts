/** External records are tied by the values of one field: of another one, the same values would be other records'. */
import type { Id } from "@accord/contracts";
import { fill } from "@accord/contracts/messages/fill";
import { pipelines as words } from "@accord/contracts/messages/en/sync/pipelines";
import type { EndpointFields } from "@accord/sync-engine/run";
import type { World } from "./pipeline-endpoints.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";

/** What to do where records are tied to a system's by another field than the one that identifies them now; null: nothing. */
export async function idFieldChanged(
  schedule: Pick<ScheduleStore, "keepIdFields">,
  instanceId: Id<"instance">,
  {
    places,
    connectors,
    entities,
  }: Pick<World, "connectors" | "entities"> & { places: readonly (EndpointFields & { id: number })[] },
): Promise<string | null> {
  const idFields = new Map<number, string>();
  for (const { id, connectorId, entity } of places) {
    const found = entities.get(`${connectorId}/${entity}`)?.schema.fields.find(({ isIdField }) => isIdField);
    if (found) idFields.set(id, found.apiName);
  }
  const [other] = await schedule.keepIdFields(instanceId, idFields);
  if (!other) return null;
  const [placeId, known] = other;
  const { connectorId = "", entity = "" } = places.find(({ id }) => id === placeId) ?? {};
  const connector = connectors.get(connectorId)?.name ?? "";
  return fill(words.idFieldChanged, { entity, connector, known, now: idFields.get(placeId) ?? "" });
}
