/** The decision on a submitted synapse: approved as it was seen, or refused with a reason, by somebody who had no hand in it. */
import { approveSdkSynapse, refuseSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import { Card, ErrorBox, FormActions, FormIntro, FormStack } from "@accord/ui";
import { Button, Checkbox, Modal, Textarea } from "@mantine/core";
import { useState } from "react";
import { isStale } from "../../../../../app/api-error.ts";
import { refresh, useCall } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { toast } from "../../../../../shared/toast.tsx";
import { RefusalBox } from "../../parts/refusal-box.tsx";
import { SDK_READS } from "../sdk-queries.ts";
import type { SdkWork } from "../use-sdk-work.ts";

interface DecisionProps {
  work: SdkWork;
  draft: SdkSynapseVersion;
}

export function Decision({ work: { synapse, isAuthor }, draft }: DecisionProps) {
  const { t } = useWords("sdkSynapses");
  const mayApprove = useCan("APPROVE_CUSTOM_SYNAPSE");
  if (!mayApprove || !synapse) return null;
  return (
    <Card title={t("review.decide")} className="ac-trial">
      {isAuthor ? (
        <FormIntro>{t("review.isAuthor")}</FormIntro>
      ) : (
        <Deciding key={draft.contentHash} synapse={synapse} draft={draft} />
      )}
    </Card>
  );
}

interface DecidingProps {
  synapse: SdkSynapse;
  draft: SdkSynapseVersion;
}

function useDecision(synapse: SdkSynapse) {
  const { t } = useWords("sdkSynapses");
  const options = {
    refreshes: [...SDK_READS],
    onError: async (error: Error) => {
      if (!isStale(error)) return;
      toast.warning(t("review.stale"));
      await refresh(...SDK_READS);
    },
  };
  const name = synapse.connectorMetaDisplayName;
  return {
    approve: useCall(approveSdkSynapse, {
      ...options,
      onSuccess: () => toast.success(t("review.approved_success", { name })),
    }),
    refuse: useCall(refuseSdkSynapse, {
      ...options,
      onSuccess: () => toast.success(t("review.refused_success", { name })),
    }),
  };
}

function Deciding({ synapse, draft }: DecidingProps) {
  const { t } = useWords("sdkSynapses");
  const [hasRead, setRead] = useState(false);
  const [isRefusing, setRefusing] = useState(false);
  const { approve, refuse } = useDecision(synapse);
  const params = { connectorMetaDefinitionId: synapse.connectorMetaDefinitionId };
  const { contentHash } = draft;
  const { publishToGlobal } = synapse;
  const error = approve.error ?? refuse.error;
  return (
    <>
      <FormIntro>{t("review.decideLead")}</FormIntro>
      {publishToGlobal && !synapse.isGlobal ? <ErrorBox tone="warn" message={t("review.askedGlobal")} /> : null}
      <Checkbox
        label={t("review.readCode")}
        checked={hasRead}
        onChange={(event) => setRead(event.currentTarget.checked)}
      />
      {error && !isStale(error) ? <RefusalBox error={error} /> : null}
      <div className="ac-sdk__row">
        <Button
          disabled={!hasRead}
          loading={approve.isPending}
          onClick={() => approve.mutate({ params, body: { contentHash, publishToGlobal } })}
        >
          {t("review.approve")}
        </Button>
        <Button variant="default" onClick={() => setRefusing(true)}>
          {t("review.refuse")}
        </Button>
      </div>
      <Modal
        opened={isRefusing}
        onClose={() => setRefusing(false)}
        title={t("review.refuseTitle", { name: synapse.connectorMetaDisplayName })}
        size={460}
      >
        <RefuseForm
          isBusy={refuse.isPending}
          onRefuse={(reason) =>
            refuse.mutate({ params, body: { contentHash, reason } }, { onSettled: () => setRefusing(false) })
          }
        />
      </Modal>
    </>
  );
}

function RefuseForm({ isBusy, onRefuse }: { isBusy: boolean; onRefuse: (reason: string) => void }) {
  const { t } = useWords("sdkSynapses");
  const [reason, setReason] = useState("");
  return (
    <FormStack onSubmit={() => onRefuse(reason.trim())}>
      <Textarea
        data-autofocus
        label={t("review.reason")}
        description={t("review.reasonHint")}
        required
        autosize
        minRows={3}
        maxLength={1_000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <FormActions>
        <Button type="submit" color="error" disabled={reason.trim() === ""} loading={isBusy}>
          {t("review.refuse")}
        </Button>
      </FormActions>
    </FormStack>
  );
}
