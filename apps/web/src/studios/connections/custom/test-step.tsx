/** Step 2 of an HTTP synapse: values and secrets to test with, the call that proves a connection, and what it answers. */
import { testHttpSynapse } from "@accord/contracts/connections/http-synapse-tests";
import { Card, ErrorBox, FormIntro, FormPair, FormSkeleton } from "@accord/ui";
import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { ProblemBox } from "../parts/check-result.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { ExchangeList } from "./exchange-view.tsx";
import { HeaderRows } from "./row-inputs.tsx";
import { credentialsOf, problemsIn, settingsProblems, valuesOf } from "./synapse-form.model.ts";
import { useSynapseAuthTypes } from "./synapse-queries.ts";
import type { SynapseWork } from "./use-http-synapse.ts";

export function TestStep({ work }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  const test = useCall(testHttpSynapse);
  const { form, settings, base } = work;
  const refused = test.error instanceof ApiError ? settingsProblems(test.error.fieldProblems) : {};
  const problems = { ...work.problems, ...refused };
  const send = (): void => {
    if (!settings) return;
    test.mutate({
      body: {
        ...(base && { metadataId: base.id }),
        settings,
        variableValues: valuesOf(form),
        credentials: credentialsOf(form),
        call: { kind: "check" },
      },
    });
  };
  return (
    <div className="ac-http">
      <div className="ac-synapse-steps">
        <FormIntro>{t("form.testLead")}</FormIntro>
        <Values work={work} problems={problemsIn("variableValues", problems)} />
        <Credentials work={work} problems={problemsIn("credentials", problems)} />
        <TestCall work={work} problems={problems} />
      </div>
      <Card
        title={t("trial.title")}
        className="ac-http__preview ac-trial"
        actions={
          <Button loading={test.isPending} disabled={!settings || form.authType === "oauth"} onClick={send}>
            {t("trial.send")}
          </Button>
        }
      >
        {form.authType === "oauth" ? <ErrorBox tone="info" message={t("form.oauthLater")} /> : null}
        {settings ? null : <ErrorBox tone="warn" message={Object.entries(work.problems).map(wordsOf)} />}
        {!test.data && !test.isPending && !test.error ? <FormIntro>{t("trial.lead")}</FormIntro> : null}
        <div aria-live="polite" className="ac-trial">
          {test.isPending ? <p>{t("trial.sending")}</p> : null}
          {test.error ? <RefusalBox error={test.error} /> : null}
          {test.data ? (
            <>
              {test.data.problem ? (
                <ProblemBox title={t("trial.fails")} problem={test.data.problem} />
              ) : (
                <ErrorBox tone="ok" message={t("trial.works")} />
              )}
              <ExchangeList exchanges={test.data.exchanges} count={test.data.exchangeCount} />
            </>
          ) : null}
        </div>
      </Card>
    </div>
  );
}

const wordsOf = ([path, message]: [string, string]) => (
  <div key={path}>
    {path}: {message}
  </div>
);

interface PartProps {
  work: SynapseWork;
  problems: Readonly<Record<string, string>>;
}

function Values({ work: { form, change, isEditable }, problems }: PartProps) {
  const { t } = useWords("customSynapses");
  const named = form.variables.filter(({ name }) => name !== "");
  if (named.length === 0) return null;
  return (
    <>
      <h2>{t("form.values")}</h2>
      {named.map(({ name, displayName, required, multivalued }) => {
        const put = (value: string) => change({ values: { ...form.values, [name]: value } });
        const shared = {
          label: displayName || name,
          required,
          readOnly: !isEditable,
          value: form.values[name] ?? "",
          error: problems[name],
        };
        return multivalued ? (
          <Textarea
            key={name}
            {...shared}
            description={t("form.multiHint")}
            autosize
            minRows={2}
            onChange={(event) => put(event.currentTarget.value)}
          />
        ) : (
          <TextInput key={name} {...shared} onChange={(event) => put(event.currentTarget.value)} />
        );
      })}
    </>
  );
}

function Credentials({ work, problems }: PartProps) {
  const { t } = useWords("customSynapses");
  const types = useSynapseAuthTypes();
  const { form, base, change } = work;
  return (
    <QueryView query={types} skeleton={<FormSkeleton fields={1} />}>
      {({ authTypes }) => {
        const method = authTypes.find(({ type }) => type === form.authType);
        if (!method || method.fields.length === 0 || method.type === "oauth") return null;
        const stored = base && base.authType === form.authType ? base.credentialFields : [];
        return (
          <>
            <h2>{t("form.credentials")}</h2>
            <ConfigForm
              key={`${method.type} ${base?.revision ?? 0}`}
              inputs={method.fields}
              values={form.credentials}
              configuredSecrets={stored}
              problems={problems}
              readOnly={!work.isEditable}
              onChange={(credentials) => change({ credentials })}
            />
          </>
        );
      }}
    </QueryView>
  );
}

const METHODS = ["GET", "POST"] as const;

function TestCall({ work: { form, change, isEditable }, problems }: PartProps) {
  const { t } = useWords("customSynapses");
  return (
    <>
      <h2>{t("form.testCall")}</h2>
      <FormIntro>{t("form.testCallLead")}</FormIntro>
      <FormPair>
        <Select
          label={t("form.method")}
          allowDeselect={false}
          disabled={!isEditable}
          data={[...METHODS]}
          value={form.method}
          onChange={(value) => change({ method: METHODS.find((known) => known === value) ?? "GET" })}
        />
        <TextInput
          label={t("form.testPath")}
          description={t("form.testPathHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          maxLength={2000}
          readOnly={!isEditable}
          value={form.testPath}
          error={problems["testPath"]}
          onChange={(event) => change({ testPath: event.currentTarget.value })}
        />
      </FormPair>
      {form.method === "POST" ? (
        <Textarea
          label={t("form.body")}
          autosize
          minRows={2}
          maxLength={20_000}
          spellCheck={false}
          readOnly={!isEditable}
          styles={{ input: { fontFamily: "var(--ac-mono)" } }}
          value={form.body}
          error={problems["body"]}
          onChange={(event) => change({ body: event.currentTarget.value })}
        />
      ) : null}
      <h2>{t("form.headers")}</h2>
      <FormIntro>{t("form.headersLead")}</FormIntro>
      <HeaderRows
        rows={form.headers}
        problems={problemsIn("headers", problems)}
        readOnly={!isEditable}
        onChange={(headers) => change({ headers })}
      />
    </>
  );
}
