/** Outside records that could not be read are asked for by their ids once more, after somebody mended them there. */
import type { Connection, SourceRecord } from "@accord/connector-sdk";
import { NotReady, type PipelinePlans, type ReadyPipeline, type RunsNeeds } from "./plans.ts";
import type { EntityId, InstanceId } from "./published-pipelines.ts";
import type { QuarantineStore, UnreadableRow } from "./quarantine.store.ts";

interface ReadAgainParts {
  needs: Pick<RunsNeeds, "connectors">;
  plans: Pick<PipelinePlans, "load">;
  aside: Pick<QuarantineStore, "readAgain">;
}

/**
 * What can be read now is kept with its entry, to be tried in the next cycle. Systems that can't be asked for single
 * records, and records that still can't be read, are left as they are. Throws `ConnectorError` when one can't be reached.
 */
export async function readAgain(
  { needs, plans, aside }: ReadAgainParts,
  at: InstanceId,
  entityId: EntityId,
  entries: readonly UnreadableRow[],
): Promise<void> {
  if (entries.length === 0) return;
  const pipeline = await plans.load(at, entityId).catch((error: unknown) => {
    if (error instanceof NotReady) return null;
    throw error;
  });
  if (!pipeline) return;
  for (const placeId of new Set(entries.map((entry) => entry.placeId))) {
    const own = entries.filter((entry) => entry.placeId === placeId);
    const ids = own.map(({ externalId }) => externalId);
    const records = await readByIds(needs, at, pipeline, placeId, ids);
    for (const { id: entryId, externalId } of own) {
      const record = records.find(({ id, deleted }) => id === externalId && !deleted);
      if (record) await aside.readAgain(at, entryId, record.values);
    }
  }
}

async function readByIds(
  { connectors }: Pick<RunsNeeds, "connectors">,
  at: InstanceId,
  { plan, entities }: ReadyPipeline,
  placeId: number,
  ids: string[],
): Promise<SourceRecord[]> {
  const place = plan.places.get(placeId);
  const facts = entities.get(placeId);
  if (!place || !facts?.capabilities.includes("getById")) return [];
  const connection: Connection = await connectors.openConnection(at, place.connectorId);
  try {
    return (await connection.getByIds?.({ entity: facts.schema, fields: [...place.readFields], ids })) ?? [];
  } finally {
    await connection.close();
  }
}
