/** Step 2 of an uploaded synapse, Test authentication: the program's own inputs, run in the sandbox, and all that came of it. */
import { testSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { ReplyOf } from "@accord/contracts";
import { Card, ErrorBox, FormIntro } from "@accord/ui";
import { Button, Code } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../../../app/api-error.ts";
import { useCall } from "../../../../../app/queries.ts";
import { useCan } from "../../../../../app/session.ts";
import { useWords } from "../../../../../app/words.ts";
import { initialValues } from "../../../../../shared/config-form/config-form.model.ts";
import type { SynapseDescription } from "@accord/contracts/connections/synapse-description";
import { problemsUnder, sentConnection, type ConnectionForm } from "../../connections.model.ts";
import { ExchangeList } from "../../custom/exchange-view.tsx";
import { CheckResultView, ProblemBox } from "../../parts/check-result.tsx";
import { ConnectionFields } from "../../parts/connection-fields.tsx";
import { RefusalBox } from "../../parts/refusal-box.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useSandbox } from "../sandbox-notice.tsx";
import { asSdkSynapseId } from "../sdk-queries.ts";
import { triedType } from "../sdk-synapse.model.ts";
import type { SdkWork } from "../use-sdk-work.ts";
import { Program } from "./create-step.tsx";

export function TestStep({ work }: { work: SdkWork }) {
  const { synapse, description } = work;
  if (!synapse) return null;
  if (!description)
    return (
      <div className="ac-sdk">
        <Program work={work} />
      </div>
    );
  return <Trial key={work.version?.contentHash} id={synapse.connectorMetaDefinitionId} description={description} />;
}

function Trial({ id, description }: { id: string; description: SynapseDescription }) {
  const { t } = useWords("sdkSynapses");
  const type = triedType(id, description);
  const mayTest = useCan("TEST_CONNECTION");
  const sandbox = useSandbox();
  const [form, setForm] = useState<ConnectionForm>(() => ({
    name: "",
    config: initialValues(type.configFields, {}),
    authType: type.authMethods[0]?.type ?? "none",
    credentials: {},
  }));
  const [showAll, setShowAll] = useState(false);
  const test = useCall(testSdkSynapse);
  const refused = test.error instanceof ApiError ? test.error.fieldProblems : [];
  const change = (part: Partial<ConnectionForm>): void => {
    if (test.error) test.reset();
    setForm((old) => ({ ...old, ...part }));
  };
  const run = (): void => {
    setShowAll(true);
    const { config, authType, credentials } = sentConnection(type, form);
    test.mutate({
      params: { connectorMetaDefinitionId: asSdkSynapseId(id) },
      body: { config, authType, credentials },
    });
  };
  return (
    <div className="ac-http">
      <div className="ac-synapse-steps">
        <FormIntro>{t("test.lead")}</FormIntro>
        <h2>{t("test.where")}</h2>
        {type.configFields.length === 0 ? <FormIntro>{t("program.noInputs")}</FormIntro> : null}
        <ConnectionFields
          type={type}
          values={form.config}
          problems={problemsUnder("config", refused)}
          showAll={showAll}
          onChange={(config) => change({ config })}
          onErrors={() => {}}
        />
        <h2>{t("test.signIn")}</h2>
        <SignInForm
          type={type}
          authType={form.authType}
          config={form.config}
          credentials={form.credentials}
          problems={problemsUnder("credentials", refused)}
          showAll={showAll}
          onAuthType={(authType) => change({ authType, credentials: {} })}
          onCredentials={(credentials) => change({ credentials })}
        />
      </div>
      <Card
        title={t("test.result")}
        className="ac-http__preview ac-trial"
        actions={
          mayTest ? (
            <Button loading={test.isPending} disabled={sandbox?.isAvailable === false} onClick={run}>
              {t("test.run")}
            </Button>
          ) : null
        }
      >
        {!test.data && !test.isPending && !test.error ? <FormIntro>{t("test.before")}</FormIntro> : null}
        <div aria-live="polite" className="ac-trial">
          {test.isPending ? <p>{t("test.running")}</p> : null}
          {test.error && !test.isPending ? <RefusalBox error={test.error} /> : null}
          {test.data && !test.isPending ? <Tried tried={test.data} /> : null}
        </div>
      </Card>
    </div>
  );
}

function Tried({ tried }: { tried: ReplyOf<typeof testSdkSynapse> }) {
  const { t } = useWords("sdkSynapses");
  const { result, discovery, exchanges, log } = tried;
  return (
    <>
      <CheckResultView result={result} />
      {discovery.problem ? <ProblemBox title={t("test.entitiesFail")} problem={discovery.problem} /> : null}
      {result.ok && !discovery.problem ? (
        <>
          <h3>{t("test.entities")}</h3>
          {discovery.entities.length === 0 ? (
            <ErrorBox tone="warn" message={t("test.noEntities")} />
          ) : (
            <ul className="ac-synapse-list">
              {discovery.entities.map(({ apiName, displayName, fieldCount }) => (
                <li key={apiName}>{t("test.entity", { name: displayName, count: fieldCount })}</li>
              ))}
            </ul>
          )}
        </>
      ) : null}
      <h3>{t("test.exchanges")}</h3>
      {exchanges.length === 0 ? <FormIntro>{t("test.noExchanges")}</FormIntro> : null}
      <ExchangeList exchanges={exchanges} />
      <h3>{t("test.log")}</h3>
      {log.trim() === "" ? (
        <FormIntro>{t("test.noLog")}</FormIntro>
      ) : (
        <Code block tabIndex={0} aria-label={t("test.log")} className="ac-sdk__log">
          {log}
        </Code>
      )}
    </>
  );
}
