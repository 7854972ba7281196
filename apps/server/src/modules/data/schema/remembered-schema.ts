/** What is kept in memory for as long as the schema version that the session brings stays the same. */
import type { Id } from "@accord/contracts";
import { keepRecent } from "../../../platform/keep-recent.ts";

/** Instances of which something is kept; the one not asked for longest goes first. */
const INSTANCES_KEPT = 50;

interface Remembered<Kept> {
  version: number;
  kept: Map<string, Readonly<Kept>>;
}

/** Of which instance, as of which version of its schema; null: not known, so nothing is remembered. */
export interface SchemaMoment {
  instanceId: Id<"instance">;
  schemaVersion: number | null;
}

/**
 * A memory that asks `read` once per key and schema version. The version was read before the rest is, so what is kept under it is
 * never older than it says. What comes out is shared: it is frozen. What isn't there is looked for again each time.
 */
export function cacheBySchema<Kept>() {
  const byInstance = new Map<Id<"instance">, Remembered<Kept>>();

  function keptAt(instanceId: Id<"instance">, version: number): Remembered<Kept>["kept"] {
    const known = byInstance.get(instanceId);
    const current = known?.version === version ? known : { version, kept: new Map<string, Readonly<Kept>>() };
    keepRecent(byInstance, instanceId, current, INSTANCES_KEPT);
    return current.kept;
  }

  return async (
    { instanceId, schemaVersion }: SchemaMoment,
    key: string,
    read: () => Promise<Kept | null>,
  ): Promise<Readonly<Kept> | null> => {
    if (schemaVersion === null) return read();
    const kept = keptAt(instanceId, schemaVersion);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = frozen(await read());
    // Ids that nobody has could fill the memory.
    if (found !== null) kept.set(key, found);
    return found;
  };
}

function frozen<Data>(data: Data): Data {
  if (typeof data === "object" && data !== null && !Object.isFrozen(data)) {
    Object.freeze(data);
    for (const part of Object.values(data)) frozen(part);
  }
  return data;
}
