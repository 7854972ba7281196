/** Use case: which records a pipeline still has to send, where, since when, and what each waits for. */
import { syncRefusals } from "@accord/contracts/messages/en/sync/run/refusals";
import type { WaitingDelivery, WaitingDestination } from "@accord/contracts/sync/monitoring/waiting-deliveries";
import { nodeTitle } from "@accord/sync-engine/graph";
import type { Caller } from "../../../platform/ctx.ts";
import { readRecordNames } from "../../data/schema/index.ts";
import { cursors, invalid, type PageQuery } from "./keyset-paging.ts";
import { nextTryAt } from "./monitoring/pipeline-health.ts";
import { nodeAt, type NumberedPlace } from "./monitoring/standing-problems.ts";
import type { DeliveryKeyset, WaitingRow } from "./monitoring/waiting-deliveries.store.ts";
import { demandPipeline, type EntityId, type InstanceId, type ServiceContext } from "./published-pipelines.ts";
import type { PipelineRow } from "./schedule/pipeline-rows.store.ts";

type ListQuery = PageQuery & { nodeId?: string | undefined };
type Parts = Pick<ServiceContext, "deps" | "needs" | "schedule" | "store" | "standing">;

interface Destination extends NumberedPlace {
  node: { nodeId: string | null; name: string | null };
}

export function waitingDeliveries(parts: Parts) {
  const { deps, needs, schedule, standing } = parts;
  return {
    async waitingDeliveries(ctx: Caller, entityId: EntityId, query: ListQuery) {
      const at = ctx.instanceId;
      const from = fromCursor(query.cursor);
      await demandPipeline(parts, at, entityId);
      const row = await schedule.find(at, entityId);
      if (!row) return { deliveries: [], destinations: [], page: { nextCursor: null, previousCursor: null } };
      const places = await destinationsOf(parts, at, entityId);
      const chosen = places.filter(({ node }) => !query.nodeId || node.nodeId === query.nodeId);
      const page = await standing.waitingDeliveries(
        at,
        chosen.map(({ id }) => id),
        { from, direction: query.direction, count: query.count },
      );
      const entity = await needs.schema.getEntity(at, entityId);
      const ids = page.rows.map(({ recordId }) => recordId);
      const names = entity ? await readRecordNames(deps.dataPool, at, entity, ids) : new Map<string, string>();
      const now = deps.clock.now().getTime();
      const deliveries = page.rows.flatMap((waiting): WaitingDelivery[] => {
        const place = chosen.find(({ id }) => id === waiting.placeId);
        return place ? [toWaiting(waiting, { row, place, name: names.get(waiting.recordId) ?? null, now })] : [];
      });
      return {
        deliveries,
        destinations: await countsOf(parts, at, entityId, { places, chosen: query.nodeId }),
        page: cursors(page, query, toCursor),
      };
    },
  };
}

/** Every place of the pipeline: what waits at one that the published graph has not any more is counted too. */
async function destinationsOf({ needs, store }: Parts, at: InstanceId, entityId: EntityId): Promise<Destination[]> {
  const nodes = (await needs.pipelines.publishedVersion(at, entityId))?.graph.nodes ?? [];
  const places = (await store.places(at)).filter(({ pipelineId }) => pipelineId === entityId);
  return places.map((place) => {
    const node = nodeAt(nodes, places, place.id, "ENTITY_SINK");
    return { ...place, node: { nodeId: node?.id ?? null, name: node ? nodeTitle(node) : null } };
  });
}

async function countsOf(
  { standing }: Parts,
  at: InstanceId,
  entityId: EntityId,
  { places, chosen }: { places: readonly Destination[]; chosen: string | undefined },
): Promise<WaitingDestination[]> {
  const counts = await standing.deliveryCounts(at, entityId);
  return places.flatMap(({ id, node, connectorId, entity }) => {
    const { waiting: count = 0, isLowerBound = false } = counts.get(id) ?? {};
    if (count === 0 && !isLowerBound && (chosen === undefined || node.nodeId !== chosen)) return [];
    const lowerBound = isLowerBound ? { isLowerBound } : {};
    return [{ ...node, connectorId, connectorEntity: entity, count, ...lowerBound }];
  });
}

interface Surroundings {
  row: PipelineRow;
  place: Destination;
  name: string | null;
  now: number;
}

function toWaiting(waiting: WaitingRow, { row, place, name, now }: Surroundings): WaitingDelivery {
  const failure = row.failures[place.id];
  const nextAt = nextTryAt(row, Math.max(Date.parse(waiting.nextAt), failure?.nextAt ?? 0), now);
  return {
    recordId: waiting.recordId,
    recordName: name,
    externalId: waiting.externalId,
    nodeId: place.node.nodeId,
    connectorId: place.connectorId,
    connectorEntity: place.entity,
    since: waiting.enqueuedAt,
    attempts: waiting.attempts,
    nextTryAt: nextAt === undefined ? null : new Date(nextAt).toISOString(),
    waitsFor: reasonOf(waiting, { row, isSystemDown: failure !== undefined, now }),
    lacksReference: waiting.lacksReference,
    lastError: failure?.problem.message ?? waiting.lastError,
  };
}

function reasonOf(
  { isHeld, isAnswerMissing, nextAt }: WaitingRow,
  { row, isSystemDown, now }: { row: PipelineRow; isSystemDown: boolean; now: number },
): WaitingDelivery["waitsFor"] {
  if (row.isPaused && !row.isProbing) return "pause";
  if (isSystemDown) return "system";
  if (isHeld) return "quarantine";
  if (isAnswerMissing) return "answer";
  return Date.parse(nextAt) > now ? "retry" : "cycle";
}

const CURSOR = /^(\d{1,16})\.(\d{1,5})\.([\w-]{1,64})$/;

function fromCursor(cursor: string | undefined): DeliveryKeyset | null {
  if (cursor === undefined) return null;
  const [, dueAt, placeId, recordId] = CURSOR.exec(cursor) ?? [];
  if (!dueAt || !recordId) throw invalid("cursor", syncRefusals.noCursor);
  return { dueAt, placeId: Number(placeId), recordId };
}

const toCursor = ({ dueAt, placeId, recordId }: DeliveryKeyset): string => `${dueAt}.${placeId}.${recordId}`;
