/** With whom an uploaded synapse is to be shared, as it is chosen and saved. */
import { id } from "@accord/contracts";
import { saveSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import { shareSdkSynapse } from "@accord/contracts/connections/sdk-synapse-sharing";
import type { SdkSynapse, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useState } from "react";
import { isStale } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { refreshAfterRefusal, SDK_READS } from "./sdk-queries.ts";

export interface TypedSharing {
  /** Of the synapse that was shown when it was chosen: what others change meanwhile is not overwritten. */
  version?: number;
  scope?: Exclude<ShareScope, "GLOBAL">;
  instanceIds?: string[];
  publishToGlobal?: boolean;
}

export type SharingForm = ReturnType<typeof useSharing>;

export function useSharing(synapse: SdkSynapse | undefined) {
  const { t } = useWords("sdkSynapses");
  const [typed, setTyped] = useState<TypedSharing>({});
  const [isIncomplete, setIncomplete] = useState(false);
  const share = useCall(shareSdkSynapse, { refreshes: [...SDK_READS] });
  const save = useCall(saveSdkSynapse, { refreshes: [...SDK_READS] });
  const isChanged = typed.scope !== undefined || typed.publishToGlobal !== undefined;
  useUnsavedChanges(isChanged);
  const forgetRefusals = (): void => {
    setIncomplete(false);
    for (const call of [share, save]) if (call.error) call.reset();
  };
  const store = async ({
    connectorMetaDefinitionId,
    connectorMetaDisplayName,
    ...synapse
  }: SdkSynapse): Promise<void> => {
    const params = { connectorMetaDefinitionId };
    const { scope, instanceIds = [], publishToGlobal } = typed;
    let { version = synapse.version } = typed;
    if (publishToGlobal !== undefined) {
      const body = { version, connectorMetaDisplayName, publishToGlobal };
      version = (await save.mutateAsync({ params, body })).version;
      // That is stored, whatever becomes of the rest.
      setTyped(({ publishToGlobal: _, ...rest }) => ({ ...rest, version }));
    }
    if (scope) {
      const chosen = scope === "SELECTED" ? instanceIds.map((one) => id("instance").parse(one)) : [];
      await share.mutateAsync({ params, body: { version, scope, instanceIds: chosen } });
    }
  };
  return {
    typed,
    isChanged,
    isIncomplete,
    refused: share.error ?? save.error,
    isBusy: share.isPending || save.isPending,
    /** `version`: of what is shown. */
    change(part: Omit<TypedSharing, "version">, version: number) {
      forgetRefusals();
      setTyped((old) => ({ version, ...old, ...part }));
    },
    /** Takes back what is not stored. */
    reset() {
      forgetRefusals();
      setTyped({});
    },
    /** The same person renamed the synapse meanwhile: that is no change by others. */
    onRenamed(from: number, to: number) {
      setTyped((old) => (old.version === from ? { ...old, version: to } : old));
    },
    /** Whether what is chosen is stored now. */
    async save(): Promise<boolean> {
      if (!isChanged || !synapse) return true;
      if (typed.scope === "SELECTED" && typed.instanceIds?.length === 0) {
        setIncomplete(true);
        return false;
      }
      try {
        await store(synapse);
      } catch (error) {
        if (isStale(error)) {
          setTyped({});
          toast.warning(t("sharing.stale"));
        }
        await refreshAfterRefusal(error);
        throw error;
      }
      setTyped({});
      toast.success(t("sharing.saved"));
      return true;
    },
  };
}
