/** What the screens of custom synapses ask the server. */
import { id, type Id } from "@accord/contracts";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import { getSynapseEntity, listSynapseEntities } from "@accord/contracts/connections/http-synapse-entities";
import { listSynapseAuthTypes } from "@accord/contracts/connections/http-synapse-options";
import { getSynapseShare, getSynapseShareScope } from "@accord/contracts/connections/http-synapse-sharing";
import { getHttpSynapse, getSynapseChanges, listCustomSynapses } from "@accord/contracts/connections/http-synapses";
import { useEndpoint } from "../../../app/queries.ts";
import { CONNECTOR_READS } from "../queries.ts";

export type SynapseId = Id<"customSynapse">;
export type SynapseEntityId = Id<"synapseEntity">;
/** An id in an address; what can't be one names nothing, which the server says. */
const NO_ID = "0".repeat(24);
const synapseIds = id("customSynapse").catch(id("customSynapse").parse(NO_ID));
const entityIds = id("synapseEntity").catch(id("synapseEntity").parse(NO_ID));
export const asSynapseId = (text: string): SynapseId => synapseIds.parse(text);
export const asEntityId = (text: string): SynapseEntityId => entityIds.parse(text);

/** Everything that a change of a synapse makes old. */
export const SYNAPSE_READS = [
  listCustomSynapses,
  getHttpSynapse,
  getSynapseChanges,
  listSynapseEntities,
  getSynapseEntity,
  listConnectorTypes,
  getSynapseShare,
  ...CONNECTOR_READS,
] as const;

export const useCustomSynapses = () => useEndpoint(listCustomSynapses);
export const useHttpSynapse = (metadataId: SynapseId) => useEndpoint(getHttpSynapse, { params: { metadataId } });
export const useSynapseAuthTypes = () => useEndpoint(listSynapseAuthTypes, {}, { staleTime: 300_000 });
export const useSynapseChanges = (metadataId: SynapseId) =>
  useEndpoint(getSynapseChanges, { params: { metadataId } }, { staleTime: 0 });
export const useSynapseEntities = (metadataId: SynapseId, version: number) =>
  useEndpoint(listSynapseEntities, { params: { metadataId }, query: { version } });
export const useSynapseEntity = (metadataId: SynapseId, entityId: SynapseEntityId, version: number) =>
  useEndpoint(getSynapseEntity, { params: { metadataId, entityId }, query: { version } });
export const useShareScope = () => useEndpoint(getSynapseShareScope);
export const useSynapseShare = (connectorMetaDefinitionId: SynapseId) =>
  useEndpoint(getSynapseShare, { params: { connectorMetaDefinitionId } });
