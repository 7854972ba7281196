/** What people learn of sources whose replication slots retain much, or were dropped because of it. */
import { slotTexts } from "@accord/contracts/messages/en/notices";
import { fill } from "@accord/contracts/messages/fill";
import type { GraphNode } from "@accord/contracts/sync/graph";
import type { RunProblem } from "@accord/contracts/sync/monitoring/runs";
import type { SlotState } from "./replication-slots.store.ts";

/** A slot that was dropped is notified of for so long. */
const TOLD_MS = 24 * 3_600_000;

export function slotWarnings(
  nodes: readonly GraphNode[],
  pipelineId: string,
  slots: readonly SlotState[],
  now: number,
): RunProblem[] {
  return slots
    .filter((slot) => slot.pipelineId === pipelineId)
    .flatMap((slot): RunProblem[] => {
      const node = nodes.find(({ id }) => id === slot.nodeId);
      if (!node) return [];
      const source = node.label || String(node.configuration.entityDefinition);
      const as = (code: keyof typeof slotTexts, bytes: number | null): RunProblem => ({
        nodeId: node.id,
        targetId: null,
        code,
        errorMessage: fill(slotTexts[code].message, { source, gigabytes: ((bytes ?? 0) / 1e9).toFixed(1) }),
        errorDetail: slotTexts[code].detail,
        count: 1,
      });
      const isDropped = slot.droppedAt !== null && now - Date.parse(slot.droppedAt) < TOLD_MS;
      if (isDropped) return [as("slot_dropped", slot.droppedBytes)];
      return slot.level === "ok" ? [] : [as("slot_retains_much", slot.retainedBytes)];
    });
}
