/** What pipelines are doing, as people see it: state, activity, places, and how far behind each is. */
import { MAX_RECENT_CYCLES, type RecentCycle } from "@accord/contracts/sync/pipelines";
import type { SyncState } from "@accord/contracts/sync/monitoring/runs";
import type { RunsDependencies } from "../worker/plans.ts";
import {
  type EntityId,
  type InstanceId,
  requirePublishedPipeline,
  type ServiceContext,
} from "../published-pipelines.ts";
import type { PipelineRow } from "../schedule/pipeline-rows.store.ts";
import { healthOf } from "./pipeline-health.ts";
import type { DeliveryCounts } from "./waiting-deliveries.store.ts";
import { loadProblemFacts, type ProblemFacts, problemsOf, warningsOf } from "./standing-problems.ts";
import { lastCompletedAt } from "./sync-state.ts";

export type PipelineStates = ReturnType<typeof pipelineStates>;

export function pipelineStates(parts: ServiceContext) {
  const { deps, needs, schedule, store, standing } = parts;

  async function statesOf(at: InstanceId, rows: readonly PipelineRow[]): Promise<SyncState[]> {
    if (rows.length === 0) return [];
    const now = deps.clock.now().getTime();
    const facts: StateFacts = {
      ...(await loadProblemFacts(parts, at, rows)),
      deliveries: await standing.deliveryCounts(at),
      readTimes: await store.readTimes(at),
      recentCycles: await store.recentCycles(
        at,
        rows.map(({ pipelineId }) => pipelineId),
        MAX_RECENT_CYCLES,
      ),
    };
    return Promise.all(rows.map((row) => toState(needs, at, row, facts, now)));
  }

  return {
    /** Of every published pipeline. */
    all: async (at: InstanceId): Promise<SyncState[]> => statesOf(at, await schedule.list(at)),

    async one(at: InstanceId, entityId: EntityId): Promise<SyncState> {
      const [state] = await statesOf(at, [await requirePublishedPipeline(parts, at, entityId)]);
      if (!state) throw new Error("a published pipeline has a state");
      return state;
    },
  };
}

interface StateFacts extends ProblemFacts {
  /** By place number. */
  deliveries: ReadonlyMap<number, DeliveryCounts>;
  readTimes: ReadonlyMap<string, string>;
  recentCycles: ReadonlyMap<string, RecentCycle[]>;
}

async function toState(
  needs: RunsDependencies,
  at: InstanceId,
  row: PipelineRow,
  facts: StateFacts,
  now: number,
): Promise<SyncState> {
  const version = await needs.pipelines.publishedVersion(at, row.pipelineId);
  const graphNodes = version?.graph.nodes ?? [];
  const nodes = graphNodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE" || nodeType === "ENTITY_SINK");
  const systems = new Map<string, string>();
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
      if (connector) systems.set(connectorId, connector.name);
      const isSafe = entity?.capabilities.some((capability) => SAFE.has(capability)) ?? true;
      return {
        isSink,
        status: {
          nodeId: node.id,
          connectorId,
          connectorType: connector?.type ?? "",
          entityName,
          lastReadAt: isSink ? null : (facts.readTimes.get(node.id) ?? null),
          outstanding: isSink && place ? (facts.deliveries.get(place.id)?.outstanding ?? 0) : 0,
          atLeastOnce: isSink && !isSafe,
        },
      };
    }),
  );
  const counts = row.lastCycle?.counts;
  const completedAt = lastCompletedAt(row);
  const problems = problemsOf(row, graphNodes, facts, now);
  const { status, currentActivity, errors, resync } = problems.state;
  const health = healthOf(row, problems, { nodes: graphNodes, systems, now, ...facts });
  return {
    entityId: row.pipelineId,
    status,
    health,
    currentActivity,
    errorCount: errors.length,
    warningCount: warningsOf(problems).length,
    errorDetails: errors,
    lagTimeInSeconds: completedAt === null ? null : Math.max(0, (now - Date.parse(completedAt)) / 1000),
    lastSyncTime: completedAt,
    lastCycleMs: row.lastCycleMs,
    transactionsInLastCycle: counts ? counts.created + counts.updated + counts.deleted : 0,
    recentCycles: facts.recentCycles.get(row.pipelineId) ?? [],
    nextAt: row.isPaused ? null : row.dueAt,
    pausedBy: row.pausedBy,
    quarantined: health?.counts.quarantined ?? 0,
    resync,
    sources: places.filter(({ isSink }) => !isSink).map((place) => place.status),
    destinations: places.filter(({ isSink }) => isSink).map((place) => place.status),
  };
}

/** Either makes a repeated creation harmless. */
const SAFE: ReadonlySet<string> = new Set(["idempotentCreate", "lookup"]);
