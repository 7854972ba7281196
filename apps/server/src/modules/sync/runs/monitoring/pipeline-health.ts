/** Gathers what a pipeline's health is judged by, from its row and what stands of its problems. */
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { PipelineHealth } from "@accord/contracts/sync/monitoring/health";
import { type HeldUpFact, pipelineHealth } from "@accord/sync-engine/lifecycle";
import type { FailureRecord } from "@accord/sync-engine/run";
import type { PipelineRow } from "../schedule/pipeline-rows.store.ts";
import type { DeliveryCounts } from "./waiting-deliveries.store.ts";
import { nodeAt, type NumberedPlace, type Problems } from "./standing-problems.ts";

interface Surroundings {
  nodes: readonly GraphNode[];
  places: readonly NumberedPlace[];
  /** By place number. */
  deliveries: ReadonlyMap<number, DeliveryCounts>;
  /** Names of connectors by id. */
  systems: ReadonlyMap<string, string>;
  now: number;
}

export function healthOf(row: PipelineRow, problems: Problems, around: Surroundings): PipelineHealth | null {
  const { nodes, deliveries, systems, now } = around;
  const places = around.places.filter(({ pipelineId }) => pipelineId === row.pipelineId);
  const failing = Object.entries(row.failures).filter(([, failure]) => !isLimit(failure));
  const told = new Set(failing.map(([, { problem }]) => problem.message));
  const other = problems.state.errors.find(
    ({ code, errorMessage }) => code !== "paused_in_error" && !told.has(errorMessage),
  );
  return pipelineHealth({
    status: problems.state.status,
    heldUp: heldUpOf(row, places, around),
    failures: failing.map(([placeId, { since, nextAt, problem }]) => {
      const connectorId = connectorAt(places, placeId) ?? null;
      const both = (["ENTITY_SOURCE", "ENTITY_SINK"] as const).map(
        (type) => nodeAt(nodes, places, Number(placeId), type)?.id,
      );
      const nodeId = problem.nodeId ?? both[1] ?? null;
      return {
        nodeId,
        alsoAtNodeId: both.find((id) => id !== undefined && id !== nodeId),
        connectorId,
        system: systems.get(connectorId ?? "") ?? "",
        since,
        nextTryAt: nextTryAt(row, nextAt, now),
        code: problem.code,
        message: problem.message,
      };
    }),
    stopped: row.error?.message ?? null,
    cannotRun: other?.errorMessage ?? null,
    pausedBy: row.pausedBy,
    quarantined: problems.quarantined,
    refused: problems.refused,
    warnings: problems.others.map(({ nodeId, count, errorMessage }) => ({ nodeId, count, message: errorMessage })),
    waiting: places.flatMap(({ id }) => {
      const counted = deliveries.get(id);
      if (!counted) return [];
      const { waiting: count, isLowerBound } = counted;
      const nodeId = nodeAt(nodes, places, id, "ENTITY_SINK")?.id ?? null;
      return count > 0 || isLowerBound ? [{ nodeId, count, ...(isLowerBound ? { isLowerBound } : {}) }] : [];
    }),
    overdueMs: row.isPaused ? 0 : Math.max(0, now - Date.parse(row.dueAt)),
    usualCycleMs: row.lastCycleMs,
  });
}

/** It has only asked to be called later. */
const isLimit = ({ isPatience }: FailureRecord): boolean => isPatience === true;

const connectorAt = (places: readonly NumberedPlace[], placeId: string): string | undefined =>
  places.find(({ id }) => id === Number(placeId))?.connectorId;

/** Systems whose limit the next cycle waits for, and those that the one under way waits for, which says more. */
function heldUpOf(
  row: PipelineRow,
  places: readonly NumberedPlace[],
  { nodes, systems, now }: Surroundings,
): HeldUpFact[] {
  const limited = Object.entries(row.failures).flatMap(([placeId, failure]) => {
    const connectorId = connectorAt(places, placeId);
    if (!isLimit(failure) || connectorId === undefined) return [];
    const { since, nextAt } = failure;
    return [{ connectorId, since, isLimited: true, nextTryAt: nextTryAt(row, nextAt, now) }];
  });
  const bySystem = new Map([...limited.toReversed(), ...row.heldUp].map((one) => [one.connectorId, one] as const));
  return [...bySystem.values()].map((one) => ({
    ...one,
    system: systems.get(one.connectorId) ?? "",
    nodeId: nodes.find(({ configuration }) => configuration.connectorId === one.connectorId)?.id ?? null,
  }));
}

/** In the first cycle after the wait of a failing system is over; undefined while it is due, and where no cycle begins. */
export function nextTryAt(
  { isPaused, isProbing, dueAt }: Pick<PipelineRow, "isPaused" | "isProbing" | "dueAt">,
  nextAt: number,
  now: number,
): number | undefined {
  if (isPaused && !isProbing) return undefined;
  const at = Math.max(nextAt, Date.parse(dueAt));
  return at > now ? at : undefined;
}
