/** Systems that say when something changed: their hints wake pipelines at once. Work is polled for as well. */
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { SourceConfiguration } from "@accord/contracts/sync/graph";
import type { EntitySchema } from "@accord/contracts/data/schema";
import type { Deps } from "../../../../../platform/deps.ts";
import type { RunsDependencies } from "../../worker/plans.ts";
import type { ScheduleStore } from "../schedule.store.ts";

const LOOK_MS = 30_000;

interface HintParts {
  deps: Pick<Deps, "log">;
  needs: Pick<RunsDependencies, "connectors" | "pipelines">;
  schedule: Pick<ScheduleStore, "listAll" | "requestCycle">;
}

/** What is listened to at one connector, and whom its entities wake. */
interface Wanted {
  instanceId: Id<"instance">;
  connectorId: string;
  entities: Map<string, { schema: EntitySchema; pipelines: Set<Id<"entity">> }>;
}

/** Listens wherever a published source can tell; looks twice a minute for what was published or broke off since. */
export async function subscribeToChanges(parts: HintParts): Promise<() => Promise<void>> {
  const open = new Map<string, { key: string; stop: () => Promise<void> }>();
  let looking: Promise<void> | null = null;
  let isStopped = false;

  async function drop(name: string): Promise<void> {
    const held = open.get(name);
    open.delete(name);
    await held?.stop().catch(() => {});
  }

  async function look(): Promise<void> {
    try {
      const wanted = await wantedHints(parts);
      for (const name of open.keys()) if (!wanted.has(name)) await drop(name);
      for (const [name, want] of wanted) {
        if (isStopped) return;
        const key = JSON.stringify([...want.entities].map(([entity, { pipelines }]) => [entity, [...pipelines]]));
        if (open.get(name)?.key === key) continue;
        await drop(name);
        const stop = await subscribe(parts, want, () => void drop(name)).catch((error: unknown) => {
          parts.deps.log.warn({ err: error, connectorId: want.connectorId }, "a system can't tell its changes");
          return null;
        });
        if (stop) open.set(name, { key, stop });
      }
    } catch (error) {
      parts.deps.log.warn({ err: error }, "looking for systems that tell their changes failed");
    }
  }

  /** One look at a time. */
  const lookOnce = (): void => {
    looking ??= look().finally(() => (looking = null));
  };
  const timer = setInterval(lookOnce, LOOK_MS);
  lookOnce();
  return async () => {
    isStopped = true;
    clearInterval(timer);
    await looking;
    for (const name of open.keys()) await drop(name);
  };
}

async function wantedHints({ needs, schedule }: HintParts): Promise<Map<string, Wanted>> {
  const wanted = new Map<string, Wanted>();
  for (const row of await schedule.listAll()) {
    if (row.isPaused) continue;
    const { instanceId, pipelineId } = row;
    const version = await needs.pipelines.publishedVersion(instanceId, pipelineId);
    for (const node of version?.graph.nodes.filter(({ nodeType }) => nodeType === "ENTITY_SOURCE") ?? []) {
      const { connectorId, entityDefinition } = SourceConfiguration.parse(node.configuration);
      const connector = await needs.connectors.getConnector(instanceId, connectorId);
      if (connector?.status !== "ACTIVE" || !connector.capabilities.includes("notifies")) continue;
      const facts = await needs.connectors.entitySchema(instanceId, connectorId, entityDefinition);
      if (!facts) continue;
      const name = `${instanceId}/${connectorId}`;
      const want = wanted.get(name) ?? { instanceId, connectorId, entities: new Map() };
      const entity = want.entities.get(entityDefinition) ?? { schema: facts.schema, pipelines: new Set() };
      entity.pipelines.add(pipelineId);
      want.entities.set(entityDefinition, entity);
      wanted.set(name, want);
    }
  }
  return wanted;
}

/** Answers how to stop; null when this connection can't tell after all. */
async function subscribe(
  { deps, needs, schedule }: HintParts,
  { instanceId, connectorId, entities }: Wanted,
  broken: () => void,
): Promise<(() => Promise<void>) | null> {
  const connection: Connection = await needs.connectors.openConnection(instanceId, connectorId);
  if (!connection.subscribe) {
    await connection.close();
    return null;
  }
  const wake = async (entity: string): Promise<void> => {
    for (const pipelineId of entities.get(entity)?.pipelines ?? []) await schedule.requestCycle(instanceId, pipelineId);
  };
  const failed = (error: unknown): void => deps.log.warn({ err: error, connectorId }, "change notification failed");
  try {
    const unsubscribe = await connection.subscribe({
      entities: [...entities.values()].map(({ schema }) => schema),
      onChange: (entity) => void wake(entity).catch(failed),
      onBroken: broken,
    });
    return async () => {
      await unsubscribe();
      await connection.close();
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}
