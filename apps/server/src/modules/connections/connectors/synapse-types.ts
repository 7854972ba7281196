/** Published HTTP synapses as connector types, made once for each version. */
import type { ConnectorDefinition } from "@accord/connector-sdk";
import { synapseConnectorType, UPLOADED_TYPE } from "@accord/connectors";
import { isId } from "@accord/contracts";
import { HttpSynapseDefinition } from "@accord/contracts/connections/http-synapse-definition";

/** What a connector of a synapse is stored with: the version that is published now. */
export interface StoredSynapse {
  id: string;
  version: number;
  icon: string | null;
}

/** Connectors of a synapse have its id as type. */
export const isSynapseType = (type: string): boolean => isId(type);

/** A type of somebody's own, whose versions may differ in all. */
export const isCustomType = (type: string): boolean => isSynapseType(type) || type.startsWith(UPLOADED_TYPE);

const KEPT = 200;
/** Of the definitions as they are stored; what is made of them is a few times as large. */
const KEPT_BYTES = 20_000_000;

const kept = new Map<string, { type: ConnectorDefinition; bytes: number }>();
let keptBytes = 0;

const keyOf = ({ id, version }: StoredSynapse): string => `${id} ${version}`;
const withIcon = (type: ConnectorDefinition, { icon }: StoredSynapse): ConnectorDefinition => ({
  ...type,
  icon: icon ?? "api",
});

/** null: its definition is needed to make it. */
export function keptSynapseType(synapse: StoredSynapse): ConnectorDefinition | null {
  const known = kept.get(keyOf(synapse));
  return known ? withIcon(known.type, synapse) : null;
}

/** `bytes`: of the definition as it is stored. */
export function keepSynapseType(synapse: StoredSynapse, definition: unknown, bytes: number): ConnectorDefinition {
  const key = keyOf(synapse);
  forget(key);
  const parsed = HttpSynapseDefinition.parse(definition);
  const type = synapseConnectorType({ id: synapse.id, icon: "api", definition: parsed });
  kept.set(key, { type, bytes });
  keptBytes += bytes;
  for (const oldest of kept.keys()) {
    if (kept.size === 1 || (kept.size <= KEPT && keptBytes <= KEPT_BYTES)) break;
    forget(oldest);
  }
  return withIcon(type, synapse);
}

function forget(key: string): void {
  keptBytes -= kept.get(key)?.bytes ?? 0;
  kept.delete(key);
}
