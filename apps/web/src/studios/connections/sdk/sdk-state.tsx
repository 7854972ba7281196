/** The state of an uploaded synapse as a tag, and in sentences above its steps. */
import type { SdkSynapse } from "@accord/contracts/connections/sdk-synapse-shapes";
import { ErrorBox, RelativeTime, StatusTag } from "@accord/ui";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { STATE_TONE, stateOf } from "./sdk-synapse.model.ts";
import type { SdkWork } from "./use-sdk-work.ts";

export function SdkStateTags({ synapse }: { synapse: SdkSynapse }) {
  const { t } = useWords("sdkSynapses");
  const state = stateOf(synapse);
  const isBusy = state === "deploying" || state === "deleting";
  return (
    <span className="ac-sdk__row">
      <StatusTag tone={STATE_TONE[state]} busy={isBusy}>
        {t(`states.${state}`)}
      </StatusTag>
      {synapse.published && synapse.hasDraft ? (
        <StatusTag tone="ok" plain>
          {t("publishedToo", { number: synapse.published.number })}
        </StatusTag>
      ) : null}
    </span>
  );
}

export function StateNotice({ synapse, work }: { synapse: SdkSynapse; work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  const mayApprove = useCan("APPROVE_CUSTOM_SYNAPSE") && !work.isAuthor;
  const state = stateOf(synapse);
  const returned = work.draft?.returned;
  const number = synapse.published?.number ?? 0;
  switch (state) {
    case "draft":
      return (
        <ErrorBox tone="info" message={synapse.published ? t("notice.draftOfNext", { number }) : t("notice.draft")} />
      );
    case "withdrawn":
      return (
        <ErrorBox
          tone="info"
          message={
            <>
              {t("notice.withdrawn")} {returned ? <RelativeTime at={returned.returnedAt} /> : null}
            </>
          }
        />
      );
    case "refused":
      return (
        <ErrorBox
          title={t("notice.refusedTitle")}
          message={
            <>
              <p className="ac-sdk__reason">{returned?.reason}</p>
              {t("notice.refused")}
            </>
          }
        />
      );
    case "submitted":
      return <ErrorBox tone="info" message={t(mayApprove ? "notice.submittedToYou" : "notice.submitted")} />;
    case "failed":
      return (
        <ErrorBox
          title={t("notice.failedTitle")}
          message={
            <>
              {synapse.deploymentMessage} {t("notice.failed")}
            </>
          }
        />
      );
    case "deploying":
    case "deployed":
      return <ErrorBox tone={state === "deployed" ? "ok" : "info"} message={t(`notice.${state}`)} />;
    default:
      return null;
  }
}
