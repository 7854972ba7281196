/** Uploaded synapses that were approved, as connector types of an instance. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { DESCRIPTION_MEMBER, UPLOADED_TYPE, uploadedType } from "@accord/connectors";
import type { Id } from "@accord/contracts";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import type { Db } from "../../../platform/db/db.ts";
import type { OpenProgram } from "./open-connection.ts";

type InstanceId = Id<"instance">;

/** Approved synapses that an instance may use. */
export interface UploadedSynapses {
  list(at: InstanceId): Promise<{ id: string; description: SynapseDescription; icon: string }[]>;
  /** null: there is none, it is not approved, or not shared with the instance. */
  find(at: InstanceId, id: string): Promise<SynapseDescription | null>;
  /** Keeps it from being deleted or taken away until the transaction ends. False where `find` gives null by then. */
  hold(tx: Db, at: InstanceId, id: string): Promise<boolean>;
  /** Its approved code in a sandbox. Throws `ConnectorError`. */
  open: OpenProgram;
}

export async function uploadedTypes(uploaded: UploadedSynapses | null, at: InstanceId): Promise<ConnectorDefinition[]> {
  const approved = (await uploaded?.list(at)) ?? [];
  return approved.map(({ id, description, icon }) => uploadedType(id, description, icon));
}

/** As it is published now; its connections keep what it says of itself. */
export async function findUploadedType(
  uploaded: UploadedSynapses | null,
  at: InstanceId,
  typeId: string,
): Promise<ConnectorDefinition | null> {
  const description = (await uploaded?.find(at, typeId.slice(UPLOADED_TYPE.length))) ?? null;
  if (!description) return null;
  const type = uploadedType(typeId.slice(UPLOADED_TYPE.length), description);
  return { ...type, complete: (config) => ({ ...config, [DESCRIPTION_MEMBER]: { ...description } }) };
}
