/** /synapses/custom-synapses/sdk/{id}: an uploaded synapse in steps, with its state and actions; `new` makes one. */
import { submitSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { SdkSynapse } from "@accord/contracts/connections/sdk-synapse-shapes";
import { ErrorBox, PageBody, PageHeader, PageSkeleton, WizardFrame } from "@accord/ui";
import { Button } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef, type RefObject } from "react";
import { explanationOf, isStale } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { refresh, useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { SandboxNotice, useSandbox } from "./sandbox-notice.tsx";
import { asSdkSynapseId, SDK_READS, useSdkDraft, useSdkSynapse } from "./sdk-queries.ts";
import { SdkStateTags, StateNotice } from "./sdk-state.tsx";
import { actionsOf, SDK_STEPS, type SdkStep } from "./sdk-synapse.model.ts";
import { CreateStep } from "./steps/create-step.tsx";
import { ReviewStep } from "./steps/review-step.tsx";
import { SharingStep } from "./steps/sharing-step.tsx";
import { TestStep } from "./steps/test-step.tsx";
import { useSdkActions } from "./use-sdk-actions.tsx";
import { isShownInPlace } from "./use-sdk-form.ts";
import { useSdkWork, type SdkWork } from "./use-sdk-work.ts";
import { useSharing, type SharingForm } from "./use-sharing.ts";
import { UnsavedNotices, WhyNotSubmitted } from "./unsaved-notices.tsx";
import "../connection-screen.css";
import "../custom/custom.css";
import "../http-entity-screen.css";
import "../new-connection-screen.css";
import "./sdk.css";

const route = getRouteApi("/signed-in/synapses/custom-synapses/$synapseType/$synapseId");

export function SdkSynapseScreen() {
  const { synapseId } = route.useParams();
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      {synapseId === "new" ? (
        <Demand anyOf={["WRITE_CONNECTOR"]}>
          <NewSynapse />
        </Demand>
      ) : (
        <Stored key={synapseId} id={synapseId} />
      )}
    </Demand>
  );
}

function useTitle(title: string): void {
  const { t } = useWords("customSynapses");
  usePage({
    title,
    crumbs: [
      { label: t("synapses"), to: "/synapses/connections" },
      { label: t("title"), to: "/synapses/custom-synapses" },
      { label: title },
    ],
  });
}

function NewSynapse() {
  const { t } = useWords("sdkSynapses");
  useTitle(t("newTitle"));
  const inputs = useRef<HTMLDivElement>(null);
  const work = useSdkWork(undefined, inputs);
  const sharing = useSharing(undefined);
  return (
    <PageBody>
      <PageHeader title={t("newTitle")} />
      <div className="ac-sdk__notices">
        <SandboxNotice />
      </div>
      <Steps work={work} sharing={sharing} inputs={inputs} />
    </PageBody>
  );
}

function Stored({ id }: { id: string }) {
  const { t } = useWords("sdkSynapses", "customSynapses");
  const synapse = useSdkSynapse(asSdkSynapseId(id));
  useTitle(synapse.data?.connectorMetaDisplayName ?? t("customSynapses:title"));
  return (
    <QueryView isScreen query={synapse} skeleton={<PageSkeleton />}>
      {(data) => (
        <PageBody>
          <PageHeader
            title={data.connectorMetaDisplayName}
            tags={<SdkStateTags synapse={data} />}
            subtitle={t(data.isOwn ? "version" : "sharedVersion", { number: data.number })}
            actions={<Actions synapse={data} />}
          />
          {data.isOwn ? <Own synapse={data} /> : <Shared synapse={data} />}
        </PageBody>
      )}
    </QueryView>
  );
}

function Actions({ synapse }: { synapse: SdkSynapse }) {
  const { t } = useWords("sdkSynapses", "customSynapses");
  const leave = useNavigate();
  const actions = useSdkActions(() => void leave({ to: "/synapses/custom-synapses", ignoreBlocker: true }));
  const offered = actionsOf(synapse, useCan("WRITE_CONNECTOR"));
  return (
    <>
      {offered.toReversed().map((action) => (
        <Button
          key={action}
          variant={action === "connect" ? "filled" : "default"}
          disabled={actions.isBusy}
          onClick={() => actions.run(action, synapse)}
        >
          {action === "delete" ? t("customSynapses:delete") : t(`action.${action}`)}
        </Button>
      ))}
      {actions.dialogs}
    </>
  );
}

/** Of another instance: what is published, and nothing to change. */
function Shared({ synapse }: { synapse: SdkSynapse }) {
  const { t } = useWords("sdkSynapses");
  const inputs = useRef<HTMLDivElement>(null);
  const work = useSdkWork({ synapse, draft: null, files: [], isAuthor: false }, inputs);
  return (
    <>
      <div className="ac-sdk__notices">
        <ErrorBox tone="info" message={t("notice.shared")} />
      </div>
      <ReviewStep work={work} />
    </>
  );
}

function Own({ synapse }: { synapse: SdkSynapse }) {
  const draft = useSdkDraft(synapse);
  return (
    <QueryView query={draft} skeleton={<PageSkeleton />}>
      {(data) => <OwnSteps synapse={synapse} draft={data} />}
    </QueryView>
  );
}

function OwnSteps({
  synapse,
  draft,
}: {
  synapse: SdkSynapse;
  draft: NonNullable<ReturnType<typeof useSdkDraft>["data"]>;
}) {
  const inputs = useRef<HTMLDivElement>(null);
  const sharing = useSharing(synapse);
  const work = useSdkWork({ synapse, ...draft }, inputs, sharing.onRenamed);
  return (
    <>
      <div className="ac-sdk__notices">
        <SandboxNotice />
        <StateNotice synapse={synapse} work={work} />
      </div>
      <Steps work={work} sharing={sharing} inputs={inputs} />
    </>
  );
}

interface StepsProps {
  work: SdkWork;
  sharing: SharingForm;
  inputs: RefObject<HTMLDivElement | null>;
}

function Steps({ work, sharing, inputs }: StepsProps) {
  const { t } = useWords("sdkSynapses");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const leave = useNavigate();
  const { synapse, form, isEditable } = work;
  const first: SdkStep = isEditable ? "configure" : "review";
  const step = synapse ? (SDK_STEPS.find((known) => known === search.step) ?? first) : "configure";
  const submit = useSubmit(work);
  const sandbox = useSandbox();
  const go = (to: SdkStep): void => void navigate({ search: { step: to }, ignoreBlocker: true });
  const at = SDK_STEPS.indexOf(step);
  const before = SDK_STEPS[at - 1];
  const after = SDK_STEPS[at + 1];
  const close = (): void => void leave({ to: "/synapses/custom-synapses" });
  const labelOf = (id: SdkStep): string =>
    id === "configure" ? t(synapse ? "steps.edit" : "steps.create") : t(`steps.${id}`);
  const isSubmitting = step === "review" && isEditable;
  const isSaving = (step === "configure" && form.isChanged) || (step === "sharing" && sharing.isChanged);
  const next = async (): Promise<void> => {
    if (step === "review") return isEditable ? submit.run() : close();
    const isStored = step === "configure" ? await form.save() : step === "sharing" ? await sharing.save() : true;
    if (isStored && synapse && after) go(after);
  };
  const refused = step === "configure" ? form.refused : step === "sharing" ? sharing.refused : null;
  const isUnsaved = form.isChanged || sharing.isChanged;
  return (
    <WizardFrame
      steps={SDK_STEPS.map((id) => ({ id, label: labelOf(id) }))}
      current={step}
      reached={synapse ? "review" : step}
      onStep={(id) => SDK_STEPS.some((known) => known === id && (go(known), true))}
      onBack={before ? () => go(before) : undefined}
      nextLabel={
        !synapse
          ? t("create")
          : isSubmitting
            ? t("submit")
            : step === "review"
              ? t("close")
              : isSaving
                ? t("save")
                : t("shell:action.next")
      }
      nextDisabled={isSubmitting && (sandbox?.isAvailable === false || isUnsaved)}
      onNext={() => void next().catch(() => {})}
      busy={form.isBusy || sharing.isBusy || submit.isBusy}
      footer={
        <>
          <Button variant="subtle" onClick={close}>
            {t("cancel")}
          </Button>
          {isSubmitting ? <WhyNotSubmitted isUnsaved={isUnsaved} isRunnable={sandbox?.isAvailable !== false} /> : null}
        </>
      }
    >
      <div ref={inputs} className="ac-trial">
        {synapse ? <UnsavedNotices step={step} form={form} sharing={sharing} onStep={go} /> : null}
        <StepView step={step} work={work} sharing={sharing} />
        {refused && !isStale(refused) && !isShownInPlace(refused) ? <RefusalBox error={refused} /> : null}
      </div>
    </WizardFrame>
  );
}

function StepView({ step, work, sharing }: Omit<StepsProps, "inputs"> & { step: SdkStep }) {
  const mayWrite = useCan("WRITE_CONNECTOR");
  const { synapse } = work;
  if (step === "configure") return <CreateStep work={work} />;
  if (step === "test") return <TestStep work={work} />;
  if (step === "review") return <ReviewStep work={work} />;
  return synapse ? <SharingStep synapse={synapse} sharing={sharing} readOnly={!mayWrite} /> : null;
}

/** What comes of it is said in toasts: the page shows the new state itself. It is of the files that the page shows. */
function useSubmit({ synapse, draft }: SdkWork) {
  const { t } = useWords("sdkSynapses");
  const submit = useCall(submitSdkSynapse, { refreshes: [...SDK_READS] });
  return {
    isBusy: submit.isPending,
    async run(): Promise<void> {
      if (!synapse || !draft) return;
      const name = synapse.connectorMetaDisplayName;
      const params = { connectorMetaDefinitionId: synapse.connectorMetaDefinitionId };
      try {
        await submit.mutateAsync({ params, body: { contentHash: draft.contentHash } });
        toast.success(t("submitted_success", { name }));
      } catch (error) {
        if (isStale(error)) toast.warning(t("review.stale"));
        else toast.error(t("submitted_error", { name, message: explanationOf(error) }));
        await refresh(...SDK_READS);
      }
    },
  };
}
