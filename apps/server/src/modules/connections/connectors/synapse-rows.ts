/** Connector types of the synapses that rows name: definitions are read for those only that are not kept. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import type { Db } from "../../../platform/db/db.ts";
import { readDefinitions } from "./synapse-types.store.ts";
import { keepSynapseType, keptSynapseType, type StoredSynapse } from "./synapse-types.ts";

/** By id. One that is deleted meanwhile is missing. */
export async function synapseTypesOf(
  db: Db,
  at: Id<"instance">,
  synapses: readonly StoredSynapse[],
): Promise<Map<string, ConnectorDefinition>> {
  const types = new Map<string, ConnectorDefinition>();
  const missing = new Map<string, StoredSynapse>();
  for (const synapse of synapses) {
    const type = keptSynapseType(synapse);
    if (type) types.set(synapse.id, type);
    else missing.set(synapse.id, synapse);
  }
  if (missing.size === 0) return types;
  for (const { id, definition, bytes } of await readDefinitions(db, at, [...missing.values()])) {
    const synapse = missing.get(id);
    if (synapse) types.set(id, keepSynapseType(synapse, definition, bytes));
  }
  return types;
}

/** The rows with the types of their synapses; null where it is none of a synapse, or none that is there. */
export async function withSynapseTypes<Row extends { synapse: StoredSynapse | null }>(
  db: Db,
  at: Id<"instance">,
  rows: readonly Row[],
): Promise<(Omit<Row, "synapse"> & { synapse: ConnectorDefinition | null })[]> {
  const types = await synapseTypesOf(
    db,
    at,
    rows.flatMap(({ synapse }) => synapse ?? []),
  );
  return rows.map(({ synapse, ...row }) => ({ ...row, synapse: (synapse && types.get(synapse.id)) ?? null }));
}
