/** /synapses/custom-synapses/http/{id}/entities/{version}/{entityId}: one entity in steps; `new` makes one in a draft. */
import type { SynapseEntity } from "@accord/contracts/connections/http-synapse-definition";
import type { HttpSynapse } from "@accord/contracts/connections/http-synapses";
import { ErrorBox, PageBody, PageHeader, PageSkeleton, WizardFrame } from "@accord/ui";
import { Button } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useRef, useState, type RefObject } from "react";
import { NotFoundScreen } from "../../../frame/error-screens/error-screens.tsx";
import { usePage } from "../../../app/page.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { Demand } from "../../../shared/demand.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { Basic, Configuration, Review } from "./entity-steps.tsx";
import { EntityTrial } from "./entity-trial.tsx";
import { asEntityId, asSynapseId, useHttpSynapse, useSynapseEntity } from "./synapse-queries.ts";
import { useSynapseEntityForm, type EntityWork } from "./use-synapse-entity.ts";
import { ConfirmDialog } from "../../../shared/refusal/confirm-dialog.tsx";
import "../connection-screen.css";
import "../http-entity-screen.css";
import "../new-connection-screen.css";
import "./custom.css";

const route = getRouteApi("/signed-in/synapses/custom-synapses/http/$synapseId/entities/$version/$entityId");

export function SynapseEntityScreen() {
  const { version } = route.useParams();
  if (!/^[1-9]\d{0,8}$/.test(version)) return <NotFoundScreen />;
  return (
    <Demand anyOf={["READ_CONNECTOR"]}>
      <Loaded />
    </Demand>
  );
}

function Loaded() {
  const { synapseId, entityId, version } = route.useParams();
  const mayWrite = useCan("WRITE_CONNECTOR");
  const synapse = useHttpSynapse(asSynapseId(synapseId));
  return (
    <QueryView isScreen query={synapse} skeleton={<PageSkeleton />}>
      {(data) => {
        const isDraft = data.draftVersion === Number(version) && mayWrite;
        if (entityId !== "new") return <StoredEntity key={entityId} synapse={data} isDraft={isDraft} />;
        return isDraft ? <Entity synapse={data} entity={undefined} isDraft /> : <NotFoundScreen />;
      }}
    </QueryView>
  );
}

function StoredEntity({ synapse, isDraft }: { synapse: HttpSynapse; isDraft: boolean }) {
  const { entityId, version } = route.useParams();
  const entity = useSynapseEntity(synapse.id, asEntityId(entityId), Number(version));
  return (
    <QueryView isScreen query={entity} skeleton={<PageSkeleton />}>
      {(data) => <Entity synapse={synapse} entity={data} isDraft={isDraft} />}
    </QueryView>
  );
}

const STEPS = ["basic", "configuration", "review"] as const;
type Step = (typeof STEPS)[number];
const LABELS = { basic: "entity.basic", configuration: "entity.configuration", review: "entity.finish" } as const;

interface EntityProps {
  synapse: HttpSynapse;
  entity: SynapseEntity | undefined;
  isDraft: boolean;
}

function Entity({ synapse, entity, isDraft }: EntityProps) {
  const { t } = useWords("customSynapses");
  const { version } = route.useParams();
  const title = entity?.config.displayName ?? t("entity.newTitle");
  const entities = `/synapses/custom-synapses/http/${synapse.id}/entities/${version}`;
  usePage({
    title,
    crumbs: [
      { label: t("synapses"), to: "/synapses/connections" },
      { label: t("title"), to: "/synapses/custom-synapses" },
      { label: synapse.displayName, to: `/synapses/custom-synapses/http/${synapse.id}` },
      { label: t("entities"), to: entities },
      { label: title },
    ],
  });
  const inputs = useRef<HTMLDivElement>(null);
  const work = useSynapseEntityForm(synapse, entity, inputs);
  return (
    <PageBody>
      <PageHeader
        title={title}
        subtitle={`${synapse.displayName} · ${t("version", { version })}`}
        actions={isDraft && entity ? <Delete work={work} /> : null}
      />
      {isDraft ? null : <ErrorBox tone="info" message={t("entity.readOnly", { version })} />}
      <Steps synapse={synapse} work={work} isDraft={isDraft} inputs={inputs} />
    </PageBody>
  );
}

function Delete({ work }: { work: EntityWork }) {
  const { t } = useWords("customSynapses");
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <Button variant="default" color="error" onClick={() => setAsked(true)}>
        {t("entity.delete")}
      </Button>
      <ConfirmDialog
        opened={isAsked}
        title={t("entity.deleteTitle", { name: work.draft.displayName })}
        action={t("entity.delete")}
        onClose={() => setAsked(false)}
        onConfirm={() => work.remove()}
      >
        {t("entity.deleteBody")}
      </ConfirmDialog>
    </>
  );
}

interface StepsProps {
  synapse: HttpSynapse;
  work: EntityWork;
  isDraft: boolean;
  inputs: RefObject<HTMLDivElement | null>;
}

/** The last step is for drafts only: a published version has nothing to be finished. */
function Steps({ synapse, work, isDraft, inputs }: StepsProps) {
  const { t } = useWords("customSynapses");
  const { version } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const leave = useNavigate();
  const steps: readonly Step[] = isDraft ? STEPS : STEPS.slice(0, 2);
  const [reached, setReached] = useState<Step>(work.isNew ? "basic" : (steps.at(-1) ?? "basic"));
  const asked = steps.find((known) => known === search.step) ?? "basic";
  const step = steps.indexOf(asked) <= steps.indexOf(reached) ? asked : reached;
  const go = (to: Step): void => {
    if (steps.indexOf(to) > steps.indexOf(reached)) setReached(to);
    void navigate({ search: { step: to }, ignoreBlocker: true });
  };
  const close = (): void =>
    void leave({
      to: "/synapses/custom-synapses/http/$synapseId/entities/$version",
      params: { synapseId: synapse.id, version },
    });
  const next = (): void => {
    if (step === "basic") return void ((!isDraft || work.passes("basic")) && go("configuration"));
    if (!isDraft) return close();
    if (!work.passes("all")) return;
    if (step === "configuration") return go("review");
    void work.save().catch(() => {});
  };
  const before = steps[steps.indexOf(step) - 1];
  const isLast = step === steps.at(-1);
  return (
    <WizardFrame
      steps={steps.map((id) => ({ id, label: t(LABELS[id]) }))}
      current={step}
      reached={reached}
      onStep={(id) => steps.some((known) => known === id && (go(known), true))}
      onBack={before ? () => go(before) : undefined}
      nextLabel={isLast ? t(isDraft ? "entity.save" : "entity.close") : t("shell:action.next")}
      busy={work.isBusy}
      onNext={next}
      footer={
        <Button variant="subtle" onClick={close}>
          {t("cancel")}
        </Button>
      }
    >
      <div ref={inputs} className="ac-trial">
        {work.refused ? <RefusalBox error={work.refused} /> : null}
        {step === "review" ? (
          <Review work={work} />
        ) : (
          <div className="ac-http">
            <fieldset className="ac-synapse-fieldset" disabled={!isDraft}>
              {step === "basic" ? <Basic work={work} /> : <Configuration synapse={synapse} work={work} />}
            </fieldset>
            <EntityTrial synapse={synapse} work={work} isDraft={isDraft} step={step} />
          </div>
        )}
      </div>
    </WizardFrame>
  );
}
