/**
 * Watches over what systems retain for sources of pipelines: what is measured is kept for people, what nobody reads any
 * more or what retains too much is dropped. A source whose slot was dropped is compared completely by its next cycle.
 */
import type { Id } from "@accord/contracts";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import type { Deps } from "../../../../platform/deps.ts";
import { takeTurns } from "../../../../platform/turns.ts";
import { readerName, readerPrefix } from "../../../connections/connectors/index.ts";
import type { RunsDependencies } from "../worker/plans.ts";
import type { ReplicationSlotsStore, SlotOwner } from "./replication-slots.store.ts";
import type { ScheduleStore } from "../schedule/schedule.store.ts";

/** A system that does not answer keeps the others waiting no longer. */
const TIMEOUT_MS = 20_000;

interface SlotParts {
  deps: Pick<Deps, "log">;
  needs: Pick<RunsDependencies, "connectors" | "pipelines">;
  schedule: Pick<ScheduleStore, "listAll">;
  slots: ReplicationSlotsStore;
}

export function watchSlots(parts: SlotParts, everyMs: number): () => Promise<void> {
  const failed = (error: unknown): void =>
    parts.deps.log.warn({ err: error }, "watching over replication slots failed");
  return takeTurns(everyMs, (stopping) => superviseSlots(parts, stopping), failed);
}

/** Looks at the slots of every connector that has some, or whose sources may get some. */
export async function superviseSlots(parts: SlotParts, signal: AbortSignal): Promise<void> {
  const readers = await wantedReaders(parts);
  const known = await parts.slots.connectors();
  const connectors = new Map(
    [...readers.values(), ...known].map(({ instanceId, connectorId }) => [connectorId, { instanceId, connectorId }]),
  );
  for (const connector of connectors.values()) {
    if (signal.aborted) return;
    try {
      await superviseConnector(parts, connector, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    } catch (error) {
      // Reading the source tells people of a system that fails.
      parts.deps.log.warn({ err: error, connectorId: connector.connectorId }, "replication slots were not looked at");
    }
  }
}

/**
 * Sources of published pipelines, paused ones too, whose system can retain changes; by the name of the reader. `only`:
 * those of this connector.
 */
async function wantedReaders({ needs, schedule }: SlotParts, only?: string): Promise<Map<string, SlotOwner>> {
  const readers = new Map<string, SlotOwner>();
  for (const { instanceId, pipelineId } of await schedule.listAll()) {
    const version = await needs.pipelines.publishedVersion(instanceId, pipelineId);
    for (const { id: nodeId, nodeType, configuration } of version?.graph.nodes ?? []) {
      if (nodeType !== "ENTITY_SOURCE") continue;
      const { connectorId, entityDefinition } = SourceConfiguration.parse(configuration);
      if (only !== undefined && connectorId !== only) continue;
      const entity = await needs.connectors.entitySchema(instanceId, connectorId, entityDefinition);
      if (!entity?.capabilities.includes("retainsChanges")) continue;
      readers.set(readerName(connectorId, pipelineId, nodeId), { instanceId, connectorId, pipelineId, nodeId });
    }
  }
  return readers;
}

async function superviseConnector(
  parts: SlotParts,
  { instanceId, connectorId }: { instanceId: Id<"instance">; connectorId: string },
  signal: AbortSignal,
): Promise<void> {
  const { needs, slots, deps } = parts;
  if (!(await needs.connectors.getConnector(instanceId, connectorId))) {
    await slots.keepOnly(connectorId, []);
    return;
  }
  const connection = await needs.connectors.openConnection(instanceId, connectorId, { signal, anyStatus: true });
  try {
    const found = (await connection.listReaders?.(readerPrefix(connectorId))) ?? [];
    // Asked for after the list: whoever has a slot by then was published before.
    const readers = await wantedReaders(parts, connectorId);
    const left: string[] = [];
    for (const state of found) {
      const owner = readers.get(state.name);
      if (owner && state.level !== "tooMuch") {
        await slots.measured(owner, state);
        continue;
      }
      // Somebody reads just now: the next turn is early enough.
      if (state.isActive) {
        left.push(state.name);
        continue;
      }
      await connection.dropReader?.(state.name);
      deps.log.warn(
        { connectorId, slot: state.name, retainedBytes: state.retainedBytes },
        "a replication slot was dropped",
      );
      if (owner) await slots.dropped(owner, state);
    }
    await slots.keepOnly(connectorId, [...readers.keys(), ...left]);
  } finally {
    await connection.close();
  }
}
