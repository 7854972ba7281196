/** Kinds of systems that an instance can connect: those that come with the product, and custom synapses. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { CONNECTORS, findConnectorType } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Db } from "../../../platform/db/db.ts";
import { findSynapseType, readSynapseTypes } from "./synapse-types.store.ts";
import { isSynapseType, synapseTypeOf } from "./synapse-types.ts";

export async function typesFor(db: Db, at: Id<"instance">): Promise<ConnectorDefinition[]> {
  const synapses = await readSynapseTypes(db, at);
  return [...CONNECTORS, ...synapses.map((synapse) => synapseTypeOf(synapse.id, synapse))];
}

export async function findTypeFor(db: Db, at: Id<"instance">, typeId: string): Promise<ConnectorDefinition | null> {
  if (!isSynapseType(typeId)) return findConnectorType(typeId) ?? null;
  const synapse = await findSynapseType(db, at, typeId);
  return synapse && synapseTypeOf(typeId, synapse);
}
