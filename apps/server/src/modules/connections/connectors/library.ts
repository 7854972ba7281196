/** Kinds of systems that an instance can connect: those that come with the product, and custom synapses of both kinds. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { CONNECTORS, findConnectorType, UPLOADED_TYPE } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Db } from "../../../platform/db/db.ts";
import { findSynapseType, readSynapseTypes } from "./synapse-types.store.ts";
import { isSynapseType, synapseTypeOf } from "./synapse-types.ts";
import { findUploadedType, uploadedTypes, type UploadedSynapses } from "./uploaded-types.ts";

export interface Library {
  appDb: Db;
  uploaded: UploadedSynapses | null;
}

export async function typesFor({ appDb, uploaded }: Library, at: Id<"instance">): Promise<ConnectorDefinition[]> {
  const synapses = await readSynapseTypes(appDb, at);
  const described = synapses.map((synapse) => synapseTypeOf(synapse.id, synapse));
  return [...CONNECTORS, ...described, ...(await uploadedTypes(uploaded, at))];
}

export async function findTypeFor(
  { appDb, uploaded }: Library,
  at: Id<"instance">,
  typeId: string,
): Promise<ConnectorDefinition | null> {
  if (typeId.startsWith(UPLOADED_TYPE)) return findUploadedType(uploaded, at, typeId);
  if (!isSynapseType(typeId)) return findConnectorType(typeId) ?? null;
  const synapse = await findSynapseType(appDb, at, typeId);
  return synapse && synapseTypeOf(typeId, synapse);
}
