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
  listSdkSynapses,
} from "@accord/contracts/connections/sdk-synapses";
import { getSdkSynapseShare } from "@accord/contracts/connections/sdk-synapse-sharing";
import type { SdkSynapse, SdkSynapseFile } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { addressOf, call } from "../../../app/api.ts";
import { isStale, isWrongState } from "../../../app/api-error.ts";
import { keyOf, refresh, useEndpoint } from "../../../app/queries.ts";
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

/** What somebody else did meanwhile is why it was refused: the screen shows what is there now. */
export async function refreshAfterRefusal(error: unknown): Promise<void> {
  if (isStale(error) || isWrongState(error)) await refresh(...SDK_READS);
}

const paramsOf = (connectorMetaDefinitionId: SdkSynapseId) => ({ params: { connectorMetaDefinitionId } });

/** No event says that a deployment ends. */
const WAIT_MS = 1_000;
const isDeploying = (synapse: Pick<SdkSynapse, "approvalStatus"> | undefined): boolean =>
  synapse?.approvalStatus === "APPROVAL_IN_PROGRESS";

/** The end of a deployment changes the list, the draft and what can be connected. */
function useEndOfDeployment(isRunning: boolean): void {
  const wasRunning = useRef(isRunning);
  useEffect(() => {
    if (wasRunning.current && !isRunning) void refresh(...SDK_READS);
    wasRunning.current = isRunning;
  }, [isRunning]);
}

export function useSdkSynapses() {
  const query = useEndpoint(
    listSdkSynapses,
    {},
    { refetchInterval: ({ state }) => (state.data?.synapses.some(isDeploying) ? WAIT_MS : false) },
  );
  useEndOfDeployment(query.data?.synapses.some(isDeploying) ?? false);
  return query;
}

export function useSdkSynapse(synapseId: SdkSynapseId) {
  const query = useEndpoint(getSdkSynapse, paramsOf(synapseId), {
    refetchInterval: ({ state }) => (isDeploying(state.data) ? WAIT_MS : false),
  });
  useEndOfDeployment(isDeploying(query.data));
  return query;
}

export const useSdkDraft = (synapse: Pick<SdkSynapse, "connectorMetaDefinitionId" | "approvalStatus">) =>
  useEndpoint(getSdkSynapseDraft, paramsOf(synapse.connectorMetaDefinitionId), {
    refetchInterval: ({ state }) =>
      isDeploying(synapse) || state.data?.draft?.approvalStatus === "APPROVAL_IN_PROGRESS" ? WAIT_MS : false,
  });
export const useSdkShare = (synapseId: SdkSynapseId) => useEndpoint(getSdkSynapseShare, paramsOf(synapseId));
/**
 * Runs the code where nobody read yet what it says of itself. Each upload is read by itself: `contentHash` is that of the
 * version on the screen, and an answer of another one leads to reading which version there is.
 */
export function useDescribed(synapseId: SdkSynapseId, contentHash: string, enabled: boolean) {
  const input = paramsOf(synapseId);
  return useQuery({
    queryKey: [...keyOf(describeSdkSynapse, input), contentHash],
    queryFn: async ({ signal }) => {
      const described = await call(describeSdkSynapse, input, { signal });
      if (described.contentHash !== contentHash) void refresh(getSdkSynapse, getSdkSynapseDraft);
      return described;
    },
    enabled,
    staleTime: Infinity,
    retry: false,
  });
}

export const usePackageIndex = () => useEndpoint(getSdkPackageIndex, {}, { staleTime: 60_000 });
export const useTemplate = () => useEndpoint(getSdkSynapseTemplate, {}, { staleTime: 300_000 });

export const templateAddress = (): string => addressOf(downloadSdkSynapseTemplate);
export const draftFileAddress = (synapseId: SdkSynapseId, file: SdkSynapseFile["file"], contentHash: string): string =>
  addressOf(getSdkSynapseDraftFile, { params: { connectorMetaDefinitionId: synapseId, file }, query: { contentHash } });
