/** Published HTTP synapses as connector types, made once for each version. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { lostSynapseType, synapseConnectorType } from "@accord/connectors";
import { isId } from "@accord/contracts";
import { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";

/** What a connector of a synapse is stored with: the version that is published now. */
export interface StoredSynapse {
  id: string;
  version: number;
  icon: string | null;
  definition: unknown;
}

/** Connectors of a synapse have its id as type. */
export const isSynapseType = (type: string): boolean => isId(type);

const KEPT = 200;
const made = new Map<string, ConnectorDefinition>();

/** `synapse` null: it is gone, or not shared with the instance any more. */
export function synapseTypeOf(type: string, synapse: StoredSynapse | null): ConnectorDefinition {
  if (!synapse) return lostSynapseType(type);
  const { id, version, icon } = synapse;
  const key = `${id} ${version} ${icon ?? ""}`;
  const known = made.get(key);
  if (known) return known;
  const definition = HttpSynapseDefinition.parse(synapse.definition);
  const connectorType = synapseConnectorType({ id, icon: icon ?? "api", definition });
  made.set(key, connectorType);
  const [oldest] = made.keys();
  if (made.size > KEPT && oldest !== undefined) made.delete(oldest);
  return connectorType;
}
