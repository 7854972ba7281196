/** The decision on a submitted synapse: approved as it was seen, or refused with a reason, by somebody who had no hand in it. */
import { approveSdkSynapse, refuseSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse, SdkSynapseVersion } from "@accord/contracts/connections/sdk-synapse-shapes";
import { Card, ErrorBox, FormActions, FormIntro, FormStack } from "@accord/ui";
import { Button, Checkbox, Modal, Textarea } from "@mantine/core";
import { useState, type KeyboardEvent } from "react";
import { isStale, isWrongState } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { toast } from "../../../../shared/toast.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";
import { refreshAfterRefusal, SDK_READS } from "../sdk-queries.ts";
import type { SdkWork } from "../use-sdk-work.ts";

interface DecisionProps {
  work: SdkWork;
  draft: SdkSynapseVersion;
}

export function Decision({ work, draft }: DecisionProps) {
  const { synapse, isAuthor } = work;
  const { t } = useWords("sdkSynapses");
  const mayApprove = useCan("APPROVE_CUSTOM_SYNAPSE");
  if (!mayApprove || !synapse) return null;
  return (
    <Card title={t("review.decide")} className="ac-trial">
      {isAuthor ? (
        <FormIntro>{t("review.isAuthor")}</FormIntro>
      ) : (
        <Deciding key={draft.contentHash} work={work} synapse={synapse} draft={draft} />
      )}
    </Card>
  );
}

interface DecidingProps extends DecisionProps {
  synapse: SdkSynapse;
}

/** `onRefused` is called although the decision may be gone from the page by then. */
function useDecision(synapse: SdkSynapse, onRefused: () => void) {
  const { t } = useWords("sdkSynapses");
  const options = {
    refreshes: [...SDK_READS],
    onError: async (error: Error) => {
      if (isStale(error)) toast.warning(t("review.stale"));
      // By then there may be nothing more to decide, and no place that shows why.
      else if (isWrongState(error)) toast.failed(error);
      await refreshAfterRefusal(error);
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
      onSuccess: () => {
        toast.success(t("review.refused_success", { name }));
        onRefused();
      },
    }),
  };
}

/** Enter in a box would send the form around it, which closes the page. */
const withoutSending = (event: KeyboardEvent<HTMLElement>): void => {
  if (event.key === "Enter") event.preventDefault();
};

function Deciding({ work, synapse, draft }: DecidingProps) {
  const { t } = useWords("sdkSynapses");
  const [hasRead, setRead] = useState(false);
  const [isRefusing, setRefusing] = useState(false);
  const { approve, refuse } = useDecision(synapse, () => {
    setRefusing(false);
    work.setReason("");
  });
  const params = { connectorMetaDefinitionId: synapse.connectorMetaDefinitionId };
  const { contentHash } = draft;
  const { publishToGlobal } = synapse;
  const open = (): void => {
    refuse.reset();
    setRefusing(true);
  };
  return (
    <>
      <FormIntro>{t("review.decideLead")}</FormIntro>
      {publishToGlobal && !synapse.isGlobal ? <ErrorBox tone="warn" message={t("review.askedGlobal")} /> : null}
      <Checkbox
        label={t("review.readCode")}
        checked={hasRead}
        onChange={(event) => setRead(event.currentTarget.checked)}
        onKeyDown={withoutSending}
      />
      {approve.error && !isStale(approve.error) ? <RefusalBox error={approve.error} /> : null}
      <div className="ac-sdk__row">
        <Button
          disabled={!hasRead}
          loading={approve.isPending}
          onClick={() => approve.mutate({ params, body: { contentHash, publishToGlobal } })}
        >
          {t("review.approve")}
        </Button>
        <Button variant="default" onClick={open}>
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
          work={work}
          isBusy={refuse.isPending}
          error={refuse.error}
          onRefuse={(reason) => refuse.mutate({ params, body: { contentHash, reason } })}
        />
      </Modal>
    </>
  );
}

interface RefuseFormProps {
  work: SdkWork;
  isBusy: boolean;
  error: Error | null;
  onRefuse: (reason: string) => void;
}

/** What is written stays when the window is closed, or the call is refused. */
function RefuseForm({ work: { reason, setReason }, isBusy, error, onRefuse }: RefuseFormProps) {
  const { t } = useWords("sdkSynapses");
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
      {error && !isStale(error) ? <RefusalBox error={error} /> : null}
      <FormActions>
        <Button type="submit" color="error" disabled={reason.trim() === ""} loading={isBusy}>
          {t("review.refuse")}
        </Button>
      </FormActions>
    </FormStack>
  );
}
