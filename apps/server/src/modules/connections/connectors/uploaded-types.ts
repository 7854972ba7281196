/** Connector types of an instance: those that come with the product, and uploaded ones that were approved. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { CONNECTORS, DESCRIPTION_MEMBER, findConnectorType, UPLOADED_TYPE, uploadedType } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { OpenProgram } from "./open-connection.ts";

type InstanceId = Id<"instance">;

/** Approved synapses that an instance may use. */
export interface UploadedSynapses {
  list(at: InstanceId): Promise<{ id: string; description: SynapseDescription }[]>;
  /** null: there is none, it is not approved, or not shared with the instance. */
  find(at: InstanceId, id: string): Promise<SynapseDescription | null>;
  /** Its approved code in a sandbox. Throws `ConnectorError`. */
  open: OpenProgram;
}

export async function allTypes(uploaded: UploadedSynapses | null, at: InstanceId): Promise<ConnectorDefinition[]> {
  const approved = (await uploaded?.list(at)) ?? [];
  return [...CONNECTORS, ...approved.map(({ id, description }) => uploadedType(id, description))];
}

/** Uploaded ones as they are published now; their connections keep what they say of themselves. */
export async function typeFor(
  uploaded: UploadedSynapses | null,
  at: InstanceId,
  typeId: string,
): Promise<ConnectorDefinition | undefined> {
  if (!typeId.startsWith(UPLOADED_TYPE)) return findConnectorType(typeId);
  const id = typeId.slice(UPLOADED_TYPE.length);
  const description = (await uploaded?.find(at, id)) ?? null;
  if (!description) return undefined;
  const type = uploadedType(id, description);
  return { ...type, complete: (config) => ({ ...config, [DESCRIPTION_MEMBER]: { ...description } }) };
}
