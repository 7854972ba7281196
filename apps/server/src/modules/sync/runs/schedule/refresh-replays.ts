/**
 * Records that a person asked to try again, as they stand now. What was quarantined is how they came when they failed:
 * somebody, or we ourselves, may have changed them there since, and one that is gone must not come back.
 */
import { ConnectorError, type SourceRecord } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { AppError } from "../../../../platform/http/app-error.ts";
import { singleReadsOf } from "../../../connections/connectors/index.ts";
import type { StoredReplay } from "./cycle-starts.store.ts";
import type { CompiledPipeline, RunsDependencies } from "../worker/plans.ts";

/** Ids that connectors are asked for at once: few at first, then twice as many each time, up to these. */
const FIRST_AT_ONCE = 4;
const AT_ONCE = 100;
/** For so long a place is asked before a cycle begins, well within its lease; the rest waits for the next cycle. */
const ASKING_MS = 8_000;

/** By place. */
export type Replays = ReadonlyMap<number, SourceRecord[]>;
type StoredReplays = ReadonlyMap<number, StoredReplay[]>;

/** By place. A place that can't be reached keeps its records for a later cycle; one that can't be asked gives what was kept. */
export async function refreshReplays(
  needs: Pick<RunsDependencies, "connectors">,
  at: Id<"instance">,
  pipeline: CompiledPipeline,
  replays: StoredReplays,
): Promise<Replays> {
  const fresh = new Map<number, SourceRecord[]>();
  for (const [placeId, stored] of replays) {
    const { seals } = pipeline.seals.at(placeId);
    const kept = stored.map((record): StoredReplay => ({ ...record, values: seals.openAll(record.values) }));
    fresh.set(placeId, [...(await askFor(needs, at, pipeline, placeId, kept))]);
  }
  return fresh;
}

/** Ids that were to be taken as gone, and are there: by place. */
export function backAgain(asked: Replays, fresh: Replays): Map<number, string[]> {
  const back = new Map<number, string[]>();
  for (const [placeId, records] of asked) {
    const gone = new Set(records.filter(({ deleted }) => deleted === true).map(({ id }) => id));
    const there = (fresh.get(placeId) ?? []).filter(({ id, deleted }) => deleted !== true && gone.has(id));
    if (there.length > 0)
      back.set(
        placeId,
        there.map(({ id }) => id),
      );
  }
  return back;
}

async function askFor(
  needs: Pick<RunsDependencies, "connectors">,
  at: Id<"instance">,
  { plan, entities }: CompiledPipeline,
  placeId: number,
  kept: readonly StoredReplay[],
): Promise<readonly SourceRecord[]> {
  const place = plan.places.get(placeId);
  const facts = entities.get(placeId);
  if (!place || !facts || kept.length === 0) return kept.filter(({ listed }) => !listed);
  try {
    const connection = await needs.connectors.openConnection(at, place.connectorId);
    try {
      const getByIds = singleReadsOf(connection, facts);
      if (!getByIds) return kept.filter(({ listed }) => !listed);
      const now = new Map<string, SourceRecord>();
      const began = performance.now();
      let asked = 0;
      for (let size = FIRST_AT_ONCE; asked < kept.length; size = Math.min(AT_ONCE, size * 2)) {
        const ids = kept.slice(asked, asked + size).map(({ id }) => id);
        const found = await getByIds({ entity: facts.schema, fields: [...place.readFields], ids });
        for (const record of found) now.set(record.id, record);
        asked += ids.length;
        // The next ones, twice as many, take about twice as long as all before them.
        if ((performance.now() - began) * 3 > ASKING_MS) break;
      }
      return kept.slice(0, asked).map((record) => asFound(record, now.get(record.id)));
    } finally {
      await connection.close();
    }
  } catch (error) {
    // A connector that is switched off or bound to another system can't be asked either.
    if (error instanceof ConnectorError || error instanceof AppError) return [];
    throw error;
  }
}

/** A change that was noticed otherwise than by its time is no older than what was known before it. */
function asFound({ listed, ...stored }: StoredReplay, found: SourceRecord | undefined): SourceRecord {
  if (!found) return { ...stored, deleted: true };
  const knownAt = listed?.knownAt ?? null;
  return knownAt !== null && found.modifiedAt && found.modifiedAt < knownAt ? { ...found, modifiedAt: knownAt } : found;
}
