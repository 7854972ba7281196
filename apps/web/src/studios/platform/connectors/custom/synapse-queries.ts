/** What the screens of custom synapses ask the server. */
import type { Id } from "@accord/contracts";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import { getSynapseEntity, listSynapseEntities } from "@accord/contracts/connections/http-synapse-entities";
import {
  getHttpSynapse,
  getSynapseChanges,
  getSynapseShare,
  getSynapseShareScope,
  listCustomSynapses,
  listSynapseAuthTypes,
} from "@accord/contracts/connections/http-synapses";
import { useEndpoint } from "../../../../app/queries.ts";
import { CONNECTOR_READS } from "../queries.ts";

export type SynapseId = Id<"customSynapse">;
export type SynapseEntityId = Id<"synapseEntity">;
/** An id in an address is looked up by the server, which says when it can't be one. */
export const asSynapseId = (text: string): SynapseId => text as SynapseId;
export const asEntityId = (text: string): SynapseEntityId => text as SynapseEntityId;

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
