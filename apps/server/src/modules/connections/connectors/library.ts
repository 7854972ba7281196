/** Kinds of systems that an instance can connect: those that come with the product, and custom synapses of both kinds. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { CONNECTORS, findConnectorType, UPLOADED_TYPE } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { Db } from "../../../platform/db/db.ts";
import { synapseTypesOf } from "./synapse-rows.ts";
import { findSynapseType, holdSynapseType, readSynapseTypes } from "./synapse-types.store.ts";
import { isSynapseType } from "./synapse-types.ts";
import { findUploadedType, uploadedTypes, type UploadedSynapses } from "./uploaded-types.ts";

export interface Library {
  appDb: Db;
  uploaded: UploadedSynapses | null;
}

const byName = new Intl.Collator("en", { sensitivity: "base" }).compare;

export async function typesFor({ appDb, uploaded }: Library, at: Id<"instance">): Promise<ConnectorDefinition[]> {
  const synapses = await synapseTypesOf(appDb, at, await readSynapseTypes(appDb, at));
  const described = [...synapses.values()].sort((one, other) => byName(one.displayName, other.displayName));
  return [...CONNECTORS, ...described, ...(await uploadedTypes(uploaded, at))];
}

/** Keeps a custom synapse from being deleted or taken away while it is connected. False where there is none any more. */
export async function holdType({ uploaded }: Library, tx: Db, at: Id<"instance">, typeId: string): Promise<boolean> {
  if (typeId.startsWith(UPLOADED_TYPE))
    return (await uploaded?.hold(tx, at, typeId.slice(UPLOADED_TYPE.length))) ?? false;
  return !isSynapseType(typeId) || holdSynapseType(tx, at, typeId);
}

export async function findTypeFor(
  { appDb, uploaded }: Library,
  at: Id<"instance">,
  typeId: string,
): Promise<ConnectorDefinition | null> {
  if (typeId.startsWith(UPLOADED_TYPE)) return findUploadedType(uploaded, at, typeId);
  if (!isSynapseType(typeId)) return findConnectorType(typeId) ?? null;
  const synapse = await findSynapseType(appDb, at, typeId);
  return (synapse && (await synapseTypesOf(appDb, at, [synapse])).get(typeId)) ?? null;
}
