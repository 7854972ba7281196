/**
 * Records that a person asked to try again, as they stand now. What was put aside is how they came when they failed:
 * somebody, or we ourselves, may have changed them there since, and one that is gone must not come back.
 */
import { ConnectorError, type SourceRecord } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { ReadyPipeline, RunsNeeds } from "./plans.ts";

/** Ids that connectors are asked for at once. */
const AT_ONCE = 100;

/** By place. */
export type Replays = ReadonlyMap<number, SourceRecord[]>;

/** By place. A place that can't be reached keeps its records for a later cycle; one that can't be asked gives what was kept. */
export async function freshReplays(
  needs: Pick<RunsNeeds, "connectors">,
  at: Id<"instance">,
  pipeline: ReadyPipeline,
  replays: Replays,
): Promise<Replays> {
  const fresh = new Map<number, SourceRecord[]>();
  for (const [placeId, stored] of replays) {
    const { seals } = pipeline.seals.at(placeId);
    const kept = stored.map((record) => ({ ...record, values: seals.openAll(record.values) }));
    fresh.set(placeId, [...(await askFor(needs, at, pipeline, placeId, kept))]);
  }
  return fresh;
}

async function askFor(
  needs: Pick<RunsNeeds, "connectors">,
  at: Id<"instance">,
  { plan, entities }: ReadyPipeline,
  placeId: number,
  kept: readonly SourceRecord[],
): Promise<readonly SourceRecord[]> {
  const place = plan.places.get(placeId);
  const entity = entities.get(placeId)?.schema;
  if (!place || !entity || kept.length === 0) return kept;
  try {
    const connection = await needs.connectors.openConnection(at, place.connectorId);
    try {
      if (!connection.getByIds) return kept;
      const now = new Map<string, SourceRecord>();
      for (let start = 0; start < kept.length; start += AT_ONCE) {
        const ids = kept.slice(start, start + AT_ONCE).map(({ id }) => id);
        const found = await connection.getByIds({ entity, fields: [...place.readFields], ids });
        for (const record of found) now.set(record.id, record);
      }
      return kept.map((record) => now.get(record.id) ?? { ...record, deleted: true });
    } finally {
      await connection.close();
    }
  } catch (error) {
    if (error instanceof ConnectorError) return [];
    throw error;
  }
}
