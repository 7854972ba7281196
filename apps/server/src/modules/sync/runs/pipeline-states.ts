/** What pipelines are doing, as people see it: state, activity, places, and how far behind each is. */
import type { RunProblem, SyncState } from "@accord/contracts/sync/runs";
import { readActionProblems } from "../actions/index.ts";
import type { RunsNeeds } from "./plans.ts";
import { type EntityId, type InstanceId, publishedRow, type ServiceParts } from "./published-pipelines.ts";
import type { PipelineRow } from "./pipeline-rows.store.ts";
import { missingWarnings } from "./missing-warnings.ts";
import type { LookProblem } from "./missing-records.store.ts";
import type { SlotState } from "./replication-slots.store.ts";
import { slotWarnings } from "./slot-warnings.ts";
import { lastCompletedAt, syncState, withActions } from "./sync-state.ts";

export type PipelineStates = ReturnType<typeof pipelineStates>;

export function pipelineStates(parts: ServiceParts) {
  const { deps, needs, schedule, store, missing, slots } = parts;

  async function statesOf(at: InstanceId, rows: readonly PipelineRow[]): Promise<SyncState[]> {
    if (rows.length === 0) return [];
    const now = deps.clock.now().getTime();
    const facts: StateFacts = {
      quarantined: await store.countOpenQuarantine(at),
      outstanding: await store.countOutstanding(at),
      readTimes: await store.readTimes(at),
      places: await store.places(at),
      missing: await missing.problems(at),
      slots: await slots.list(at),
      actions: await readActionProblems(deps.dataPool, at),
    };
    return Promise.all(rows.map((row) => toState(needs, at, row, facts, now)));
  }

  return {
    /** Of every published pipeline. */
    all: async (at: InstanceId): Promise<SyncState[]> => statesOf(at, await schedule.list(at)),

    async one(at: InstanceId, entityId: EntityId): Promise<SyncState> {
      const [state] = await statesOf(at, [await publishedRow(parts, at, entityId)]);
      if (!state) throw new Error("a published pipeline has a state");
      return state;
    },
  };
}

interface StateFacts {
  quarantined: ReadonlyMap<string, number>;
  outstanding: ReadonlyMap<number, number>;
  readTimes: ReadonlyMap<string, string>;
  places: readonly { id: number; pipelineId: string; connectorId: string; entity: string }[];
  /** By pipeline. */
  actions: ReadonlyMap<string, readonly RunProblem[]>;
  /** By place number. */
  missing: ReadonlyMap<number, LookProblem>;
  slots: readonly SlotState[];
}

async function toState(
  needs: RunsNeeds,
  at: InstanceId,
  row: PipelineRow,
  facts: StateFacts,
  now: number,
): Promise<SyncState> {
  const { status, currentActivity, errors, warnings, resync } = syncState(row);
  const version = await needs.pipelines.publishedVersion(at, row.pipelineId);
  const nodes = (version?.graph.nodes ?? []).filter(
    ({ nodeType }) => nodeType === "ENTITY_SOURCE" || nodeType === "ENTITY_SINK",
  );
  const places = await Promise.all(
    nodes.map(async (node) => {
      const connectorId = node.configuration.connectorId ?? "";
      const entityName = node.configuration.entityDefinition ?? "";
      const place = facts.places.find(
        (known) =>
          known.pipelineId === row.pipelineId && known.connectorId === connectorId && known.entity === entityName,
      );
      const isSink = node.nodeType === "ENTITY_SINK";
      const entity = isSink ? await needs.connectors.entitySchema(at, connectorId, entityName) : null;
      const connector = await needs.connectors.getConnector(at, connectorId);
      const isSafe = entity?.capabilities.some((capability) => SAFE.has(capability)) ?? true;
      return {
        isSink,
        status: {
          nodeId: node.id,
          connectorId,
          connectorType: connector?.type ?? "",
          entityName,
          lastReadAt: isSink ? null : (facts.readTimes.get(node.id) ?? null),
          outstanding: isSink && place ? (facts.outstanding.get(place.id) ?? 0) : 0,
          atLeastOnce: isSink && !isSafe,
        },
      };
    }),
  );
  const counts = row.lastCycle?.counts;
  const completedAt = lastCompletedAt(row);
  const own = facts.places.filter(({ pipelineId }) => pipelineId === row.pipelineId);
  const sourceWarnings = [
    ...missingWarnings(version?.graph.nodes ?? [], own, facts.missing),
    ...slotWarnings(version?.graph.nodes ?? [], row.pipelineId, facts.slots, now),
  ];
  return {
    entityId: row.pipelineId,
    status,
    currentActivity,
    errorCount: errors.length,
    warningCount: withActions(warnings, facts.actions.get(row.pipelineId)).length + sourceWarnings.length,
    errorDetails: errors,
    lagTimeInSeconds: completedAt === null ? null : Math.max(0, (now - Date.parse(completedAt)) / 1000),
    lastSyncTime: completedAt,
    lastCycleMs: row.lastCycleMs,
    transactionsInLastCycle: counts ? counts.created + counts.updated + counts.deleted : 0,
    nextAt: row.isPaused ? null : row.dueAt,
    pausedBy: row.pausedBy,
    quarantined: facts.quarantined.get(row.pipelineId) ?? 0,
    resync,
    sources: places.filter(({ isSink }) => !isSink).map((place) => place.status),
    destinations: places.filter(({ isSink }) => isSink).map((place) => place.status),
  };
}

/** Either makes a repeated creation harmless. */
const SAFE: ReadonlySet<string> = new Set(["idempotentCreate", "lookup"]);
