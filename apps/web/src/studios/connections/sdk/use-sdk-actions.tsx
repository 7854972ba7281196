/** What is done with an uploaded synapse as a whole, in its page and in the list; what needs a question asks it. */
import {
  createSdkSynapseDraft,
  deleteSdkSynapse,
  discardSdkSynapseDraft,
  withdrawSdkSynapse,
} from "@accord/contracts/connections/sdk-synapses";
import { listConnectorTypes } from "@accord/contracts/connections/connectors";
import type { SdkSynapse } from "@accord/contracts/connections/sdk-synapse-shapes";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactNode } from "react";
import { explanationOf } from "../../../app/api-error.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { toast } from "../../../shared/toast.tsx";
import { DeleteSynapseDialog } from "../custom/delete-dialog.tsx";
import { refreshAfterRefusal, SDK_READS } from "./sdk-queries.ts";
import type { SdkAction } from "./sdk-synapse.model.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";

export interface SdkActions {
  run: (action: SdkAction, synapse: SdkSynapse) => void;
  isBusy: boolean;
  /** Shown beside whatever offers the actions. */
  dialogs: ReactNode;
}

/** `onDeleted`: where the page of a deleted one leads. */
export function useSdkActions(onDeleted?: () => void): SdkActions {
  const { t } = useWords("sdkSynapses", "customSynapses");
  const leave = useNavigate();
  const [asked, setAsked] = useState<{ action: "discard" | "delete"; synapse: SdkSynapse } | null>(null);
  const options = { refreshes: [...SDK_READS], onError: refreshAfterRefusal };
  const makeDraft = useCall(createSdkSynapseDraft, {
    ...options,
    onError: (error) => {
      toast.failed(error);
      void refreshAfterRefusal(error);
    },
  });
  const withdraw = useCall(withdrawSdkSynapse, options);
  const discard = useCall(discardSdkSynapseDraft, options);
  const remove = useCall(deleteSdkSynapse, options);
  const close = (): void => setAsked(null);
  const discarding = asked?.action === "discard" ? asked.synapse : null;
  const deleting = asked?.action === "delete" ? asked.synapse : null;

  const takeBack = (synapse: SdkSynapse): void => {
    const name = synapse.connectorMetaDisplayName;
    withdraw.mutate(paramsOf(synapse), {
      onSuccess: () => toast.success(t("withdraw_success", { name })),
      onError: (error) => {
        toast.error(t("withdraw_error", { name, message: explanationOf(error) }));
        void refresh(...SDK_READS);
      },
    });
  };
  const begin = (synapse: SdkSynapse): void =>
    makeDraft.mutate(paramsOf(synapse), {
      onSuccess: ({ draft }) => {
        toast.success(t("action.newVersionMade", { number: draft?.number ?? 0 }));
        void leave({
          to: "/synapses/custom-synapses/$synapseType/$synapseId",
          params: { synapseType: "sdk", synapseId: synapse.connectorMetaDefinitionId },
          search: { step: "configure" },
        });
      },
    });
  const connect = async (synapse: SdkSynapse): Promise<void> => {
    // It may have been deployed a moment ago.
    await refresh(listConnectorTypes);
    void leave({ to: "/synapses/connections/new", search: { type: `sdk:${synapse.connectorMetaDefinitionId}` } });
  };
  return {
    isBusy: makeDraft.isPending || withdraw.isPending,
    run(action, synapse) {
      if (action === "connect") void connect(synapse);
      else if (action === "newVersion") begin(synapse);
      else if (action === "withdraw") takeBack(synapse);
      else setAsked({ action, synapse });
    },
    dialogs: (
      <>
        <ConfirmDialog
          opened={discarding !== null}
          title={t("action.discardTitle")}
          action={t("action.discard")}
          onClose={close}
          onConfirm={async () => {
            if (discarding) await discard.mutateAsync(paramsOf(discarding));
            toast.success(t("action.discarded"));
            close();
          }}
        >
          {t("action.discardBody", { number: discarding?.published?.number ?? 0 })}
        </ConfirmDialog>
        <DeleteSynapseDialog
          name={deleting?.connectorMetaDisplayName ?? null}
          onClose={close}
          onDelete={async () => {
            if (!deleting) return;
            await remove.mutateAsync(paramsOf(deleting));
            onDeleted?.();
          }}
        />
      </>
    ),
  };
}

const paramsOf = ({ connectorMetaDefinitionId }: SdkSynapse) => ({ params: { connectorMetaDefinitionId } });
