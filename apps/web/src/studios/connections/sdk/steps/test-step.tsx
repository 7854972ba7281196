/** Step 2 of an uploaded synapse, Test authentication: the program's own inputs, run in the sandbox, and all that came of it. */
import type { testSdkSynapse } from "@accord/contracts/connections/sdk-synapses";
import type { ReplyOf } from "@accord/contracts";
import { Card, ErrorBox, FormIntro } from "@accord/ui";
import { Button, Code } from "@mantine/core";
import type { KeyboardEvent } from "react";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { problemsUnder } from "../../connections.model.ts";
import { ExchangeList } from "../../custom/exchange-view.tsx";
import { CheckResultView, ProblemBox } from "../../parts/check-result.tsx";
import { ConnectionFields } from "../../parts/connection-fields.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";
import { SignInForm } from "../../parts/sign-in-form.tsx";
import { useSandbox } from "../sandbox-notice.tsx";
import type { SdkWork } from "../use-sdk-work.ts";
import type { Trial } from "../use-trial.ts";
import { Program } from "./create-step.tsx";

export function TestStep({ work }: { work: SdkWork }) {
  const { synapse, trial } = work;
  if (!synapse) return null;
  if (!trial.inputs)
    return (
      <div className="ac-sdk">
        <Program work={work} />
      </div>
    );
  return <TrialForm trial={trial} {...trial.inputs} />;
}

type TrialFormProps = { trial: Trial } & NonNullable<Trial["inputs"]>;

/** Whether Enter there would send the form around it: the next step, instead of the test that is filled in. */
function isSendingKey({ key, target, defaultPrevented, nativeEvent }: KeyboardEvent<HTMLElement>): boolean {
  return (
    key === "Enter" &&
    !defaultPrevented &&
    !nativeEvent.isComposing &&
    target instanceof HTMLInputElement &&
    !["checkbox", "radio", "button", "file"].includes(target.type)
  );
}

function TrialForm({ trial, type, form }: TrialFormProps) {
  const { t } = useWords("sdkSynapses");
  const mayTest = useCan("TEST_CONNECTION");
  const sandbox = useSandbox();
  const { change, problems, showAll } = trial;
  const isRunnable = mayTest && sandbox?.isAvailable !== false;
  const runByKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (!isSendingKey(event)) return;
    event.preventDefault();
    if (isRunnable) trial.run();
  };
  return (
    <div className="ac-http">
      <div className="ac-synapse-steps" onKeyDown={runByKey}>
        <FormIntro>{t("test.lead")}</FormIntro>
        <h2>{t("test.where")}</h2>
        {type.configFields.length === 0 ? <FormIntro>{t("program.noInputs")}</FormIntro> : null}
        <ConnectionFields
          type={type}
          values={form.config}
          problems={problemsUnder("config", problems)}
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
          problems={problemsUnder("credentials", problems)}
          showAll={showAll}
          onAuthType={(authType) => change({ authType, credentials: {} })}
          onCredentials={(credentials) => change({ authType: form.authType, credentials })}
        />
      </div>
      <Card
        title={t("test.result")}
        className="ac-http__preview ac-trial"
        actions={
          mayTest ? (
            <Button loading={trial.isRunning} disabled={!isRunnable} onClick={trial.run}>
              {t("test.run")}
            </Button>
          ) : null
        }
      >
        <Outcome trial={trial} mayTest={mayTest} />
      </Card>
    </div>
  );
}

function Outcome({ trial, mayTest }: { trial: Trial; mayTest: boolean }) {
  const { t } = useWords("sdkSynapses");
  const { isRunning, error, result, isOutdated } = trial;
  const before = !mayTest ? t("test.mayNotRun") : t(isOutdated ? "test.outdated" : "test.before");
  return (
    <>
      {!result && !isRunning && !error ? <FormIntro>{before}</FormIntro> : null}
      <div aria-live="polite" className="ac-trial">
        {isRunning ? <p>{t("test.running")}</p> : null}
        {error && !isRunning ? <RefusalBox error={error} /> : null}
        {result && !isRunning ? <Tried tried={result} /> : null}
      </div>
    </>
  );
}

function Tried({ tried }: { tried: ReplyOf<typeof testSdkSynapse> }) {
  const { t } = useWords("sdkSynapses");
  const { result, discovery, exchanges, exchangeCount, log } = tried;
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
      <ExchangeList exchanges={exchanges} count={exchangeCount} />
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
