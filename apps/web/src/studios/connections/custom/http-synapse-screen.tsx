/** /synapses/custom-synapses/http/{id}: an HTTP synapse in steps; `new` makes one. What is published is only looked at. */
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { ErrorBox, PageBody, PageHeader, PageSkeleton, WizardFrame } from "@accord/ui";
import { Button } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef, useState, type ComponentProps, type ComponentType, type ReactNode } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { usePage } from "../../../app/page.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { NewerNotice } from "../parts/newer-notice.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { ConfigureStep } from "./configure-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { SynapseActions, SynapseState } from "./synapse-actions.tsx";
import { asSynapseId, useHttpSynapse, useSynapseChanges } from "./synapse-queries.ts";
import { TestStep } from "./test-step.tsx";
import { SYNAPSE_STEPS, useHttpSynapseForm, type SynapseStep, type SynapseWork } from "./use-http-synapse.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "../connection-screen.css";
import "../http-entity-screen.css";
import "../new-connection-screen.css";
import "./custom.css";

const route = getRouteApi("/signed-in/synapses/custom-synapses/$synapseType/$synapseId");

export function HttpSynapseScreen() {
  const { synapseId } = route.useParams();
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      {synapseId === "new" ? (
        <Demand anyOf={["WRITE_CONNECTOR"]} alsoNeeds="TEST_CONNECTION">
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
  const { t } = useWords("customSynapses");
  useTitle(t("newTitle"));
  return (
    <PageBody>
      <PageHeader title={t("newTitle")} />
      <Steps synapse={undefined} />
    </PageBody>
  );
}

function Stored({ id }: { id: string }) {
  const { t } = useWords("customSynapses");
  const synapse = useHttpSynapse(asSynapseId(id));
  useTitle(synapse.data?.displayName ?? t("title"));
  return (
    <QueryView isScreen query={synapse} skeleton={<PageSkeleton />}>
      {(data) => (
        <PageBody>
          <PageHeader
            title={data.displayName}
            tags={<SynapseState synapse={data} />}
            subtitle={t("version", { version: data.version })}
            actions={<SynapseActions synapse={data} />}
          />
          {data.status === "NEW" ? null : <ErrorBox tone="info" message={t("readOnly")} />}
          <Steps key={data.status} synapse={data} />
        </PageBody>
      )}
    </QueryView>
  );
}

const VIEW: Record<SynapseStep, ComponentType<{ work: SynapseWork }>> = {
  configure: ConfigureStep,
  test: TestStep,
  review: ReviewStep,
};

function Steps({ synapse }: { synapse: HttpSynapse | undefined }) {
  const { t } = useWords("customSynapses");
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const inputs = useRef<HTMLDivElement>(null);
  const asked = SYNAPSE_STEPS.find((known) => known === search.step) ?? "configure";
  const step = synapse ? asked : "configure";
  const go = (to: SynapseStep): void => void navigate({ search: { step: to }, ignoreBlocker: true });
  const work = useHttpSynapseForm(synapse, { step, go, inputs });
  const View = VIEW[step];
  const before = SYNAPSE_STEPS[SYNAPSE_STEPS.indexOf(step) - 1];
  const isHeld = work.isNewer && work.isChanged;
  // What is published has nothing to be submitted.
  const isLast = step === "review" && !work.isEditable;
  const leave = useNavigate();
  const close = (): void => void leave({ to: "/synapses/custom-synapses" });
  const frame = {
    steps: SYNAPSE_STEPS.map((id) => ({ id, label: t(id) })),
    current: step,
    reached: synapse ? "review" : step,
    onStep: (id: string) => SYNAPSE_STEPS.some((known) => known === id && (go(known), true)),
    onBack: before ? () => go(before) : undefined,
    footer: <Foot />,
    busy: work.isBusy,
  };
  const body = (
    <div ref={inputs} className="ac-trial">
      {isHeld ? <NewerNotice message={t("newer")} load={work.load} keep={work.keep} /> : null}
      <View work={work} />
      {work.refused && !isHeld && !isStale(work.refused) && !isBreaking(work.refused) ? (
        <RefusalBox error={work.refused} />
      ) : null}
    </div>
  );
  if (step === "review" && synapse?.status === "NEW")
    return (
      <Submit synapse={synapse} work={work} frame={frame}>
        {body}
      </Submit>
    );
  return (
    <WizardFrame
      {...frame}
      nextLabel={t(
        isLast
          ? "entity.close"
          : !synapse
            ? "create"
            : work.isEditable && work.isChanged
              ? "next"
              : "shell:action.next",
      )}
      nextDisabled={isHeld}
      onNext={() => (isLast ? close() : void work.next().catch(() => {}))}
    >
      {body}
    </WizardFrame>
  );
}

const isBreaking = (error: Error): boolean => error instanceof ApiError && error.code === "breaking_changes";

interface SubmitProps {
  synapse: HttpSynapse;
  work: SynapseWork;
  frame: Omit<ComponentProps<typeof WizardFrame>, "children" | "onNext">;
  children: ReactNode;
}

/** Publishes; what may break connections is confirmed first. */
function Submit({ synapse, work, frame, children }: SubmitProps) {
  const { t } = useWords("customSynapses");
  const changes = useSynapseChanges(synapse.id);
  const [isAsked, setAsked] = useState(false);
  const { connections = [], connectionsElsewhere = 0, changes: listed = [], problems = [] } = changes.data ?? {};
  const isUsed = connections.length + connectionsElsewhere > 0;
  const breaking = isUsed ? listed.filter((one) => one.isBreaking) : [];
  const isReady = changes.data !== undefined && problems.length === 0;
  return (
    <>
      <WizardFrame
        {...frame}
        nextLabel={t("publish")}
        nextDisabled={!isReady}
        onNext={() => (breaking.length > 0 ? setAsked(true) : void work.publish(false).catch(() => {}))}
      >
        {children}
      </WizardFrame>
      <ConfirmDialog
        opened={isAsked}
        title={t("changes.breaking")}
        action={t("publishAnyway")}
        onClose={() => setAsked(false)}
        onConfirm={() => work.publish(true)}
      >
        <ul className="ac-synapse-list">
          {breaking.map(({ kind, entity, name }) => (
            <li key={`${kind} ${entity} ${name}`}>
              {t(`changes.${kind}`, { entity: entity ?? "", name: name ?? "" })}
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}

function Foot() {
  const { t } = useWords("customSynapses");
  const leave = useNavigate();
  return (
    <Button variant="subtle" onClick={() => void leave({ to: "/synapses/custom-synapses" })}>
      {t("cancel")}
    </Button>
  );
}
