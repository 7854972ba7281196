/** /synapses/connections/new: choose a kind, say where it is, sign in and try, activate. Secrets stay in this page. */
import type { ConnectorType } from "@accord/contracts/connections/connectors";
import {
  CardSkeleton,
  EmptyState,
  FormIntro,
  FormSkeleton,
  PageBody,
  PageHeader,
  SearchBox,
  WizardFrame,
} from "@accord/ui";
import { Anchor, Button, TextInput } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { Fragment, useRef, useState } from "react";
import { usePage } from "../../app/page.ts";
import { useWords } from "../../app/words.ts";
import { Demand } from "../../shared/demand.tsx";
import { QueryView } from "../../shared/query-view.tsx";
import { kindsBy, problemsUnder } from "./connections.model.ts";
import { CheckResultView, ProblemBox } from "./parts/check-result.tsx";
import { ConnectionFields } from "./parts/connection-fields.tsx";
import { ConnectorIcon } from "../../shared/connector-icon/connector-icon.tsx";
import { NoKind } from "./parts/library.tsx";
import { RefusalBox } from "../../shared/refusal/refusal-box.tsx";
import { SchemaProgressBar } from "./parts/schema-progress.tsx";
import { SignInForm } from "./parts/sign-in-form.tsx";
import { useWizard, type Wizard } from "./use-connection-wizard.ts";
import { asConnectorId, useConnector, useConnectorTypes, type ConnectorId } from "./queries.ts";
import "./new-connection-screen.css";

const route = getRouteApi("/signed-in/synapses/connections/new");

export function NewConnectionScreen() {
  const { t } = useWords("connections");
  usePage({
    title: t("create.title"),
    crumbs: [{ label: t("title"), to: "/synapses/connections" }, { label: t("create.title") }],
  });
  return (
    <Demand anyOf={["WRITE_CONNECTOR"]}>
      <PageBody narrow>
        <PageHeader title={t("create.title")} />
        <Chooser />
      </PageBody>
    </Demand>
  );
}

function Chooser() {
  const types = useConnectorTypes();
  const { type: typeId, id } = route.useSearch();
  if (id) return <Activation connectorId={asConnectorId(id)} />;
  // It has steps of its own.
  if (typeId === "webhook")
    return (
      <Navigate
        replace
        to="/synapses/custom-synapses/$synapseType/$synapseId"
        params={{ synapseType: "webhook", synapseId: "new" }}
      />
    );
  return (
    <QueryView query={types} skeleton={<CardSkeleton height={240} />}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === typeId);
        return type ? <ConnectionWizard key={type.id} type={type} /> : <KindStep types={all} />;
      }}
    </QueryView>
  );
}

/** `isForUploads`: files are added on the synapse's own page, and nobody signs in. */
function useSteps(isForUploads = false): { id: string; label: string }[] {
  const { t } = useWords("connections");
  const ids = isForUploads ? UPLOAD_STEPS : STEPS;
  return ids.map((id) => ({ id, label: t(`create.${id}`) }));
}

const STEPS = ["kind", "connection", "signIn", "activate"] as const;
const UPLOAD_STEPS = ["kind", "connection", "files"] as const;

function KindStep({ types }: { types: readonly ConnectorType[] }) {
  const { t } = useWords("connections");
  const navigate = route.useNavigate();
  const steps = useSteps();
  const [chosen, setChosen] = useState<string>();
  const [text, setText] = useState("");
  const groups = kindsBy(types, text);
  const isShown = groups.some((group) => group.types.some(({ id }) => id === chosen));
  return (
    <WizardFrame
      steps={steps}
      current="kind"
      nextDisabled={!isShown}
      onNext={() => void navigate({ search: { type: chosen, step: "connection" } })}
    >
      <div className="ac-kinds__search">
        <FormIntro>{t("create.kindLead")}</FormIntro>
        <SearchBox value={text} onChange={setText} placeholder={t("searchKinds")} width="100%" />
      </div>
      {groups.length === 0 ? <NoKind /> : null}
      <div className="ac-kinds" role="radiogroup" aria-label={t("create.kind")}>
        {groups.map(({ category, types: those }) => (
          <Fragment key={category}>
            <h2 className="ac-kinds__group">{t(`group.${category}`)}</h2>
            {those.map((type) => (
              <label key={type.id} className="ac-kind" data-chosen={chosen === type.id || undefined}>
                <input
                  type="radio"
                  name="kind"
                  value={type.id}
                  checked={chosen === type.id}
                  onChange={() => setChosen(type.id)}
                />
                <ConnectorIcon icon={type.icon} color={type.backgroundColor} />
                <span>
                  <strong>{type.displayName}</strong>
                  <small>{type.description}</small>
                </span>
              </label>
            ))}
          </Fragment>
        ))}
      </div>
    </WizardFrame>
  );
}

function ConnectionWizard({ type }: { type: ConnectorType }) {
  const { t } = useWords("connections", "systemSignIn");
  const leave = useNavigate();
  const inputs = useRef<HTMLDivElement>(null);
  const wizard = useWizard(type, inputs);
  const steps = useSteps(wizard.isForUploads);
  const { isFirst } = wizard;
  return (
    <WizardFrame
      steps={steps}
      current={isFirst ? "connection" : "signIn"}
      onStep={wizard.go}
      onBack={() => wizard.go(isFirst ? "kind" : "connection")}
      nextLabel={
        wizard.isForUploads
          ? t("create.createAndUpload")
          : isFirst
            ? t("shell:action.next")
            : wizard.signsInAt
              ? t("systemSignIn:action.create", { host: wizard.signsInAt })
              : t(wizard.isHttp ? "create.createOnly" : "create.create")
      }
      busy={wizard.isBusy}
      onNext={() => void wizard.submit().catch(() => {})}
      footer={
        <Button variant="subtle" onClick={() => void leave({ to: "/synapses/connections" })}>
          {t("create.cancel")}
        </Button>
      }
    >
      <div className="ac-wizard-form" ref={inputs}>
        {isFirst ? <ConnectionStep type={type} wizard={wizard} /> : <SignInStep type={type} wizard={wizard} />}
        {wizard.refused ? <RefusalBox error={wizard.refused} /> : null}
      </div>
    </WizardFrame>
  );
}

function ConnectionStep({ type, wizard }: { type: ConnectorType; wizard: Wizard }) {
  const { t } = useWords("connections");
  const { form, showAll, change } = wizard;
  const isNameless = showAll && form.name.trim() === "";
  return (
    <>
      <FormIntro>{t("create.connectionLead")}</FormIntro>
      {type.helpUrl ? (
        <Anchor href={type.helpUrl} target="_blank" rel="noreferrer" size="sm">
          {t("create.reference", { kind: type.displayName })}
        </Anchor>
      ) : null}
      <TextInput
        data-autofocus
        label={t("name")}
        description={t("create.nameHint")}
        required
        maxLength={120}
        value={form.name}
        error={isNameless ? t("builder:form.required", { label: t("name") }) : undefined}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ConnectionFields
        type={type}
        values={form.config}
        problems={problemsUnder("config", wizard.problems)}
        showAll={showAll}
        onChange={(config) => change({ config })}
        onErrors={wizard.setErrors}
      />
    </>
  );
}

function SignInStep({ type, wizard }: { type: ConnectorType; wizard: Wizard }) {
  const { t } = useWords("connections", "systemSignIn");
  const { form, test, change } = wizard;
  return (
    <>
      <FormIntro>{t("create.signInLead")}</FormIntro>
      <SignInForm
        type={type}
        authType={form.authType}
        config={form.config}
        credentials={form.credentials}
        problems={{ ...problemsUnder("config", wizard.problems), ...problemsUnder("credentials", wizard.problems) }}
        showAll={wizard.showAll}
        onConfig={(config) => change({ config })}
        onAuthType={(authType) => change({ authType, credentials: {} })}
        onCredentials={(credentials) => change({ credentials })}
        onErrors={wizard.setErrors}
        redirect={{ name: wizard.oauthRedirectName }}
      />
      {form.authType === "oauth" ? (
        <FormIntro>{t("systemSignIn:afterCreate")}</FormIntro>
      ) : (
        <div className="ac-wizard-form__test">
          <Button variant="default" loading={test.isPending} onClick={wizard.tryIt}>
            {t("action.test")}
          </Button>
          {test.isPending ? <span role="status">{t("check.testing", { name: form.name })}</span> : null}
        </div>
      )}
      {test.data ? <CheckResultView result={test.data} /> : null}
      {test.data?.problem ? <FormIntro>{t("create.testAnyway")}</FormIntro> : null}
    </>
  );
}

function Activation({ connectorId }: { connectorId: ConnectorId }) {
  const { t } = useWords("connections");
  const steps = useSteps();
  const connector = useConnector(connectorId);
  const leave = useNavigate();
  const open = () => void leave({ to: "/synapses/connections/$connectorId", params: { connectorId } });
  return (
    <WizardFrame steps={steps} current="activate" nextLabel={t("create.open")} onNext={open}>
      <QueryView query={connector} skeleton={<FormSkeleton fields={2} />}>
        {(data) =>
          data.status === "ACTIVATING" ? (
            <div className="ac-wizard-form">
              <FormIntro>{t("create.activating", { name: data.name })}</FormIntro>
              <SchemaProgressBar connector={data} />
            </div>
          ) : data.errorDetails ? (
            <div className="ac-wizard-form">
              <ProblemBox title={t("create.failed", { name: data.name })} problem={data.errorDetails} />
              <Button
                variant="default"
                onClick={() =>
                  void leave({
                    to: "/synapses/connections/$connectorId",
                    params: { connectorId },
                    search: { tab: "settings" },
                  })
                }
              >
                {t("create.correct")}
              </Button>
            </div>
          ) : (
            <EmptyState
              icon={<IconCircleCheck size={22} />}
              title={t("create.ready", { name: data.name })}
              body={`${t("entityCount", { count: data.entityCount })}. ${t("create.readyBody")}`}
              action={
                <Button variant="default" onClick={() => void leave({ to: "/sync-studio" })}>
                  {t("create.openPipelines")}
                </Button>
              }
            />
          )
        }
      </QueryView>
    </WizardFrame>
  );
}
