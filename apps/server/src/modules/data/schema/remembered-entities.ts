/** Published entities kept in memory for as long as the schema version that the session brings stays the same. */
import type { Id } from "@accord/contracts";
import type { CoreEntity } from "@accord/contracts/data/entities";

/** Instances of which entities are kept; the one not asked for longest goes first. */
const INSTANCES_KEPT = 50;

interface Remembered {
  version: number;
  entities: Map<Id<"entity">, Readonly<CoreEntity> | null>;
}

/** Whose entity, as of which version of the instance's schema; null: not known, so nothing is remembered. */
export interface SchemaMoment {
  instanceId: Id<"instance">;
  schemaVersion: number | null;
}

type Read = (at: Id<"instance">, entityId: Id<"entity">) => Promise<CoreEntity | null>;

/**
 * `read`, asked once per entity and schema version. The version was read before the entity is, so what is kept under
 * it is never older than it says. What comes out is shared: it is frozen.
 */
export function rememberEntities(read: Read) {
  const byInstance = new Map<Id<"instance">, Remembered>();

  function entitiesAt({ instanceId }: SchemaMoment, version: number): Remembered["entities"] {
    const known = byInstance.get(instanceId);
    const kept = known?.version === version ? known : { version, entities: new Map() };
    byInstance.delete(instanceId);
    byInstance.set(instanceId, kept);
    for (const oldest of byInstance.keys()) {
      if (byInstance.size <= INSTANCES_KEPT) break;
      byInstance.delete(oldest);
    }
    return kept.entities;
  }

  return async (moment: SchemaMoment, entityId: Id<"entity">): Promise<Readonly<CoreEntity> | null> => {
    if (moment.schemaVersion === null) return read(moment.instanceId, entityId);
    const entities = entitiesAt(moment, moment.schemaVersion);
    const known = entities.get(entityId);
    if (known !== undefined) return known;
    const entity = frozen(await read(moment.instanceId, entityId));
    // Ids that nobody has could fill the memory.
    if (entity) entities.set(entityId, entity);
    return entity;
  };
}

function frozen<Data>(data: Data): Data {
  if (typeof data === "object" && data !== null && !Object.isFrozen(data)) {
    Object.freeze(data);
    for (const part of Object.values(data)) frozen(part);
  }
  return data;
}
