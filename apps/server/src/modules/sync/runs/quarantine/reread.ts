/** External records that could not be read are asked for once more, now, after somebody fixed them there. */
import type { Connection, Cursor, SourceRecord } from "@accord/connector-sdk";
import type { EntitySchema } from "@accord/contracts/data/schema";
import { singleReadsOf } from "../../../connections/connectors/index.ts";
import { PipelineNotRunnable } from "../worker/pipeline-endpoints.ts";
import type { PipelinePlans, CompiledPipeline, RunsDependencies } from "../worker/plans.ts";
import type { EntityId, InstanceId, ServiceContext } from "../published-pipelines.ts";
import type { QuarantineStore, UnreadableRow } from "./quarantine.store.ts";

interface ReadAgainParts {
  deps: Pick<ServiceContext["deps"], "clock">;
  needs: Pick<RunsDependencies, "connectors">;
  plans: Pick<PipelinePlans, "load">;
  quarantineEntries: Pick<QuarantineStore, "readAgain" | "clear">;
}

/** What a source says of records that could not be read. */
interface CycleNotification {
  /** Readable now, by the id or the place that was asked for. */
  repaired: ReadonlyMap<string, SourceRecord>;
  /** What the source no longer complains of, and has no record of by this name. */
  over: ReadonlySet<string>;
}

/** A person waits for a source to be read through. */
const MAX_WALK_MS = 20_000;
const PAGE_SIZE = 1_000;

const NO_NOTIFICATIONS: CycleNotification = { repaired: new Map(), over: new Set() };

/**
 * What can be read now is kept with its entry, to be tried in the next cycle; entries about what is gone are cleared. What still can't be read is left as it is, and so is what would take too long to find.
 * Answers how many were cleared. Throws `ConnectorError` when a system can't be reached.
 */
export async function readAgain(
  parts: ReadAgainParts,
  at: InstanceId,
  entityId: EntityId,
  entries: readonly UnreadableRow[],
): Promise<number> {
  if (entries.length === 0) return 0;
  const { plans, quarantineEntries } = parts;
  const pipeline = await plans.load(at, entityId).catch((error: unknown) => {
    if (error instanceof PipelineNotRunnable) return null;
    throw error;
  });
  if (!pipeline) return 0;
  let cleared = 0;
  for (const placeId of new Set(entries.map((entry) => entry.placeId))) {
    const own = entries.filter((entry) => entry.placeId === placeId);
    const { seals } = pipeline.seals.at(placeId);
    const sealed = (record: SourceRecord): SourceRecord => ({ ...record, values: seals.sealAll(record.values) });
    const wanted = new Set(own.map(({ externalId }) => externalId));
    const { repaired, over } = await askSource(parts, at, pipeline, placeId, wanted);
    const done: string[] = [];
    for (const { id: entryId, externalId } of own) {
      const record = repaired.get(externalId);
      const isKept = record !== undefined && (await quarantineEntries.readAgain(at, entryId, sealed(record)));
      if (record ? !isKept : over.has(externalId)) done.push(entryId);
    }
    if (done.length > 0) cleared += await quarantineEntries.clear(at, done);
  }
  return cleared;
}

async function askSource(
  { deps, needs: { connectors } }: ReadAgainParts,
  at: InstanceId,
  { plan, entities }: CompiledPipeline,
  placeId: number,
  wanted: ReadonlySet<string>,
): Promise<CycleNotification> {
  const place = plan.places.get(placeId);
  const facts = entities.get(placeId);
  if (!place || !facts) return NO_NOTIFICATIONS;
  const connection = await connectors.openConnection(at, place.connectorId);
  const request = { entity: facts.schema, fields: [...place.readFields] };
  try {
    const getByIds = singleReadsOf(connection, facts);
    if (getByIds) {
      const found = await getByIds({ ...request, ids: [...wanted] });
      const alive = found.filter(({ deleted }) => !deleted);
      return { ...NO_NOTIFICATIONS, repaired: new Map(alive.map((record) => [record.id, record])) };
    }
    const until = deps.clock.monotonicMs() + MAX_WALK_MS;
    return await walk(connection, request, wanted, () => deps.clock.monotonicMs() < until);
  } finally {
    await connection.close();
  }
}

/** Reads a source that can't be asked for single records from its beginning, until all are found or it is through. */
async function walk(
  connection: Pick<Connection, "read">,
  request: { entity: EntitySchema; fields: string[] },
  wanted: ReadonlySet<string>,
  hasTime: () => boolean,
): Promise<CycleNotification> {
  const repaired = new Map<string, SourceRecord>();
  const missed = new Set(wanted);
  for (let cursor: Cursor | null = null; ;) {
    const page = await connection.read({ ...request, cursor, mode: "all", pageSize: PAGE_SIZE, withLocations: true });
    for (const record of page.records) {
      const name = record.place !== undefined && wanted.has(record.place) ? record.place : record.id;
      if (!wanted.has(name)) continue;
      missed.delete(name);
      if (!record.deleted) repaired.set(name, record);
    }
    for (const bad of page.bad ?? []) {
      missed.delete(bad.id ?? bad.place);
      repaired.delete(bad.id ?? bad.place);
    }
    if (page.drained) return { repaired, over: missed };
    if (!hasTime()) return { ...NO_NOTIFICATIONS, repaired };
    cursor = page.cursor;
  }
}
