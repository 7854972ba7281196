/** /synapses/custom-synapses/webhook/{id}: a webhook made or changed in steps; `new` makes one. */
import type { ConnectorDetail } from "@accord/contracts/connections/connectors";
import type { WebhookDraft } from "@accord/contracts/connections/webhook-drafts";
import { ErrorBox, FormSkeleton, PageBody, PageHeader, PageSkeleton, WizardFrame } from "@accord/ui";
import { Button } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState, type ComponentType } from "react";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { asConnectorId, useConnector } from "../queries.ts";
import { ConfigureStep } from "./steps/configure-step.tsx";
import { PayloadStep } from "./steps/payload-step.tsx";
import { ResponseStep } from "./steps/response-step.tsx";
import { ReviewStep } from "./steps/review-step.tsx";
import { TestStep } from "./steps/test-step.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { NewerNotice, type Newer } from "../parts/newer-notice.tsx";
import { isOther, type FormBase } from "./use-submit.ts";
import { useWebhookForm, type WebhookWork } from "./use-webhook-form.ts";
import { useWebhookDraft } from "./webhook-queries.ts";
import { STEPS, type Step } from "./webhook-steps.ts";
import "../connection-screen.css";
import "../new-connection-screen.css";
import "./webhook.css";

const route = getRouteApi("/signed-in/synapses/custom-synapses/$synapseType/$synapseId");

export function WebhookScreen() {
  const { synapseId } = route.useParams();
  return (
    <Demand anyOf={["WRITE_CONNECTOR"]} alsoNeeds="TEST_CONNECTION">
      {synapseId === "new" ? <NewWebhook /> : <StoredWebhook key={synapseId} id={synapseId} />}
    </Demand>
  );
}

function useTitle(title: string, crumb: { label: string } | { kind: "connector"; id: string; to: string }): void {
  const { t } = useWords("webhooks");
  usePage({
    title,
    crumbs: [
      { label: t("synapses"), to: "/synapses/connections" },
      { label: t("custom"), to: "/synapses/custom-synapses" },
      crumb,
    ],
  });
}

function NewWebhook() {
  const { t } = useWords("webhooks");
  const title = t("form.newTitle");
  useTitle(title, { label: title });
  return (
    <PageBody>
      <PageHeader title={title} />
      <Steps />
    </PageBody>
  );
}

function StoredWebhook({ id }: { id: string }) {
  const { t } = useWords("webhooks");
  const connector = useConnector(asConnectorId(id));
  const draft = useWebhookDraft(asConnectorId(id));
  const title = t("form.editTitle", { name: connector.data?.name ?? "" });
  useTitle(title, { kind: "connector", id, to: `/synapses/connections/${id}` });
  return (
    <QueryView isScreen query={connector} skeleton={<PageSkeleton />}>
      {(data) =>
        data.webhook ? (
          <PageBody>
            <PageHeader title={title} />
            <QueryView query={draft} skeleton={<FormSkeleton />}>
              {(found) => <Steps connector={data} draft={found.draft} />}
            </QueryView>
          </PageBody>
        ) : (
          <NotFoundScreen />
        )
      }
    </QueryView>
  );
}

const VIEW: Record<Step, ComponentType<{ work: WebhookWork }>> = {
  configure: ConfigureStep,
  payload: PayloadStep,
  response: ResponseStep,
  test: TestStep,
  review: ReviewStep,
};

/** What the form was made from stays until somebody asks for what is stored now, or nothing was typed yet. */
function Steps({ connector, draft = null }: { connector?: ConnectorDetail; draft?: WebhookDraft | null }) {
  const [{ base, round }, setState] = useState<{ base: FormBase; round: number }>({
    base: { connector, draft },
    round: 0,
  });
  const newest: FormBase = { connector, draft };
  const load = (): void => setState((old) => ({ base: newest, round: old.round + 1 }));
  const keep = (): void => setState((old) => ({ ...old, base: newest }));
  return (
    <StepsFrom
      key={round}
      base={
        base.connector && connector
          ? {
              ...base,
              connector: {
                ...base.connector,
                ...{ status: connector.status, schemaRefreshStatus: connector.schemaRefreshStatus },
              },
            }
          : base
      }
      newer={isOther(base, newest) ? { load, keep } : null}
      onDraft={(saved) => setState((old) => ({ ...old, base: { ...old.base, draft: saved } }))}
    />
  );
}

interface StepsFromProps {
  base: FormBase;
  /** Where something else is stored now. */
  newer: Newer | null;
  onDraft: (draft: WebhookDraft | null) => void;
}

function StepsFrom({ base, newer, onDraft }: StepsFromProps) {
  const { connector, draft } = base;
  const { t } = useWords("webhooks");
  const search = route.useSearch();
  const step = STEPS.find((known) => known === search.step) ?? "configure";
  const navigate = route.useNavigate();
  const inputs = useRef<HTMLDivElement>(null);
  const go = (to: Step): void => void navigate({ search: (old) => ({ ...old, step: to }), ignoreBlocker: true });
  const work = useWebhookForm({ step, go, inputs, base, onDraft, isNewer: newer !== null });
  const isQuiet = newer !== null && !work.isTouched && !work.isBusy;
  useEffect(() => {
    if (isQuiet) newer?.load();
  });
  const isHeld = newer !== null && !isQuiet && !work.isBusy;
  const current = work.step;
  const View = VIEW[current];
  const before = STEPS[STEPS.indexOf(current) - 1];
  const submitWords = t(connector ? "form.save" : "form.create");
  return (
    <WizardFrame
      steps={STEPS.map((id) => ({ id, label: t(`form.${id}`) }))}
      current={current}
      reached={work.reached}
      onStep={(id) => STEPS.some((known) => known === id && (go(known), true))}
      onBack={before ? () => go(before) : undefined}
      nextLabel={current === "review" ? submitWords : t("shell:action.next")}
      nextDisabled={
        !work.isEditable ||
        (current === "review" && isHeld) ||
        (current === "review" && connector !== undefined && !work.isChanged && !draft)
      }
      busy={work.isBusy}
      onNext={() => void work.next().catch(() => {})}
      footer={<Foot work={work} isHeld={isHeld} />}
    >
      <div className="ac-wizard-form ac-webhook__form" ref={inputs}>
        {connector && !work.isEditable ? (
          <ErrorBox tone="info" message={t("form.readOnly", { status: connector.status })} />
        ) : null}
        {newer && isHeld ? <NewerNotice message={t("newer")} {...newer} /> : null}
        {connector && draft ? <DraftNotice connector={connector} draft={draft} isChanged={work.isChanged} /> : null}
        <View work={work} />
        {work.refused ? <RefusalBox error={work.refused} /> : null}
      </div>
    </WizardFrame>
  );
}

function Foot({ work, isHeld }: { work: WebhookWork; isHeld: boolean }) {
  const { t } = useWords("webhooks");
  const leave = useNavigate();
  const { connector } = work;
  return (
    <>
      <Button
        variant="subtle"
        onClick={() =>
          void (connector
            ? leave({ to: "/synapses/connections/$connectorId", params: { connectorId: connector.connectorId } })
            : leave({ to: "/synapses/connections" }))
        }
      >
        {t("form.cancel")}
      </Button>
      {connector ? (
        <Button
          variant="default"
          disabled={isHeld || !work.isChanged || !work.isEditable || work.form.name.trim() === ""}
          onClick={() => void work.saveDraft().catch(() => {})}
        >
          {t("draft.save")}
        </Button>
      ) : null}
    </>
  );
}
