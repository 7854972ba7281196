/** With whom an uploaded synapse is to be shared, as it is chosen and saved. */
import { id } from "@accord/contracts";
import { saveSdkSynapse, shareSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, ShareScope } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useState } from "react";
import { isStale } from "../../../../app/api-error.ts";
import { refresh, useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { SDK_READS } from "./sdk-queries.ts";

export interface TypedSharing {
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
  const isChanged = Object.keys(typed).length > 0;
  useUnsavedChanges(isChanged);
  const store = async ({ connectorMetaDefinitionId, connectorMetaDisplayName, version }: SdkSynapse): Promise<void> => {
    const params = { connectorMetaDefinitionId };
    const { scope, instanceIds = [], publishToGlobal } = typed;
    // First: sharing counts the synapse's version up.
    if (publishToGlobal !== undefined)
      await save.mutateAsync({ params, body: { version, connectorMetaDisplayName, publishToGlobal } });
    if (scope) {
      const chosen = scope === "SELECTED" ? instanceIds.map((one) => id("instance").parse(one)) : [];
      await share.mutateAsync({ params, body: { scope, instanceIds: chosen } });
    }
  };
  return {
    typed,
    isChanged,
    isIncomplete,
    refused: share.error ?? save.error,
    isBusy: share.isPending || save.isPending,
    change(part: TypedSharing) {
      setIncomplete(false);
      for (const call of [share, save]) if (call.error) call.reset();
      setTyped((old) => ({ ...old, ...part }));
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
          toast.warning(t("review.stale"));
          await refresh(...SDK_READS);
        }
        throw error;
      }
      setTyped({});
      toast.success(t("sharing.saved"));
      return true;
    },
  };
}
