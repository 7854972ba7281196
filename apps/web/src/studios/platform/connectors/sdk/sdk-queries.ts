/** What the screens of uploaded synapses ask the server. */
import { id, type Id } from "@accord/contracts";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import {
  downloadSdkSynapseTemplate,
  getSdkPackageIndex,
  getSdkSynapseTemplate,
} from "@accord/contracts/connections/sdk-synapse-template";
import {
  describeSdkSynapse,
  getSdkSynapse,
  getSdkSynapseDraft,
  getSdkSynapseDraftFile,
  getSdkSynapseShare,
  listSdkSynapses,
} from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseFile } from "@accord/contracts/connections/sdk-synapse-shapes";
import { addressOf } from "../../../../app/api.ts";
import { useEndpoint } from "../../../../app/queries.ts";
import { CONNECTOR_READS } from "../queries.ts";

export type SdkSynapseId = Id<"sdkSynapse">;
/** An id in an address; what can't be one names nothing, which the server says. */
const ids = id("sdkSynapse").catch(id("sdkSynapse").parse("0".repeat(24)));
export const asSdkSynapseId = (text: string): SdkSynapseId => ids.parse(text);

/** Everything that a change of an uploaded synapse makes old. */
export const SDK_READS = [
  listSdkSynapses,
  getSdkSynapse,
  getSdkSynapseDraft,
  getSdkSynapseShare,
  describeSdkSynapse,
  listConnectorTypes,
  ...CONNECTOR_READS,
] as const;

const paramsOf = (connectorMetaDefinitionId: SdkSynapseId) => ({ params: { connectorMetaDefinitionId } });

/** No event says that a deployment ends. */
const WAIT_MS = 1_000;
const isDeploying = (synapse: Pick<SdkSynapse, "approvalStatus"> | undefined): boolean =>
  synapse?.approvalStatus === "APPROVAL_IN_PROGRESS";

export const useSdkSynapses = () => useEndpoint(listSdkSynapses);
export const useSdkSynapse = (synapseId: SdkSynapseId) =>
  useEndpoint(getSdkSynapse, paramsOf(synapseId), {
    refetchInterval: ({ state }) => (isDeploying(state.data) ? WAIT_MS : false),
  });
export const useSdkDraft = (synapse: Pick<SdkSynapse, "connectorMetaDefinitionId" | "approvalStatus">) =>
  useEndpoint(getSdkSynapseDraft, paramsOf(synapse.connectorMetaDefinitionId), {
    refetchInterval: ({ state }) =>
      isDeploying(synapse) || state.data?.draft?.approvalStatus === "APPROVAL_IN_PROGRESS" ? WAIT_MS : false,
  });
export const useSdkShare = (synapseId: SdkSynapseId) => useEndpoint(getSdkSynapseShare, paramsOf(synapseId));
/** Runs the code where nobody read yet what it says of itself. */
export const useDescribed = (synapseId: SdkSynapseId, enabled: boolean) =>
  useEndpoint(describeSdkSynapse, paramsOf(synapseId), { enabled, staleTime: Infinity, retry: false });
export const usePackageIndex = () => useEndpoint(getSdkPackageIndex, {}, { staleTime: 60_000 });
export const useTemplate = () => useEndpoint(getSdkSynapseTemplate, {}, { staleTime: 300_000 });

export const templateAddress = (): string => addressOf(downloadSdkSynapseTemplate);
export const draftFileAddress = (synapseId: SdkSynapseId, file: SdkSynapseFile["file"], contentHash: string): string =>
  addressOf(getSdkSynapseDraftFile, { params: { connectorMetaDefinitionId: synapseId, file }, query: { contentHash } });
