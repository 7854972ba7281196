/** Step 1 of an HTTP synapse: what it is called, where its API is, how it is signed in to, what connections are asked for. */
import { FormIntro, FormPair, FormSkeleton } from "@accord/ui";
import { FileInput, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useWords } from "../../../app/words.ts";
import { ConfigForm } from "../../../shared/config-form/config-form.tsx";
import { QueryView } from "../../../shared/query-view.tsx";
import { VariableRows } from "./row-inputs.tsx";
import { problemsIn } from "./synapse-form.model.ts";
import { useSynapseAuthTypes } from "./synapse-queries.ts";
import type { SynapseWork } from "./use-http-synapse.ts";

/** As it is typed: words of a catalogue would fill it in. */
const EXAMPLE = "{{variable.name}}";

export function ConfigureStep({ work }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  const { form, problems, change } = work;
  const readOnly = !work.isEditable;
  return (
    <div className="ac-synapse-steps">
      <FormIntro>{t("form.configureLead")}</FormIntro>
      <FormPair>
        <TextInput
          data-autofocus
          label={t("form.displayName")}
          required
          maxLength={120}
          readOnly={readOnly}
          value={form.displayName}
          error={problems["displayName"]}
          onChange={(event) => change({ displayName: event.currentTarget.value })}
        />
        <TextInput
          label={t("form.name")}
          description={t("form.nameHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          maxLength={80}
          disabled={work.base !== undefined}
          value={form.name}
          error={problems["name"]}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </FormPair>
      <TextInput
        label={t("form.endpoint")}
        description={t("form.endpointHint", { example: "https://{{variable.company}}.example.com" })}
        placeholder="https://api.example.com/v1"
        required
        maxLength={2000}
        readOnly={readOnly}
        value={form.endpoint}
        error={problems["endpoint"]}
        onChange={(event) => change({ endpoint: event.currentTarget.value })}
      />
      <Authentication work={work} />
      <Variables work={work} />
      <Further work={work} />
    </div>
  );
}

function Variables({ work: { form, problems, change, isEditable } }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  return (
    <>
      <h2>{t("form.variables")}</h2>
      <FormIntro>{t("form.variablesLead", { example: EXAMPLE })}</FormIntro>
      <VariableRows
        rows={form.variables}
        problems={problemsIn("variables", problems)}
        readOnly={!isEditable}
        onChange={(variables) => change({ variables })}
      />
    </>
  );
}

/** What most synapses can leave as it is. */
function Further({ work }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  const { form, problems, change } = work;
  const readOnly = !work.isEditable;
  return (
    <>
      <Textarea
        label={t("form.description")}
        autosize
        minRows={1}
        maxLength={500}
        readOnly={readOnly}
        value={form.description}
        onChange={(event) => change({ description: event.currentTarget.value })}
      />
      <FormPair>
        <FileInput
          label={t("form.icon")}
          description={t("form.iconHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          accept="image/png,image/jpeg,image/gif,image/webp"
          clearable
          disabled={readOnly}
          value={work.icon}
          error={problems["iconFile"]}
          onChange={work.setIcon}
        />
        <NumberInput
          label={t("form.timeoutSeconds")}
          min={1}
          max={300}
          readOnly={readOnly}
          value={form.timeoutSeconds}
          error={problems["timeoutSeconds"]}
          onChange={(value) => change({ timeoutSeconds: Number(value) })}
        />
      </FormPair>
      <TextInput
        label={t("form.errorSelector")}
        description={t("form.errorSelectorHint")}
        maxLength={500}
        readOnly={readOnly}
        value={form.errorSelector}
        error={problems["errorSelector"]}
        onChange={(event) => change({ errorSelector: event.currentTarget.value })}
      />
    </>
  );
}

/** The way of signing in with its settings; what is secret is entered in the next step, and for each connection. */
function Authentication({ work }: { work: SynapseWork }) {
  const { t } = useWords("customSynapses");
  const types = useSynapseAuthTypes();
  const { form, problems, change } = work;
  return (
    <QueryView query={types} skeleton={<FormSkeleton fields={2} />}>
      {({ authTypes }) => {
        const method = authTypes.find(({ type }) => type === form.authType) ?? authTypes[0];
        const settings = method?.settings ?? [];
        return (
          <>
            <Select
              label={t("form.authType")}
              description={t("form.authConfigLead")}
              allowDeselect={false}
              disabled={!work.isEditable}
              data={authTypes.map(({ type, label }) => ({ value: type, label }))}
              value={form.authType}
              error={problems["authType"]}
              onChange={(authType) => authType && change({ authType, credentials: {} })}
            />
            {settings.length > 0 ? (
              <ConfigForm
                key={form.authType}
                inputs={settings}
                values={form.authConfig}
                folded={["Advanced"]}
                problems={problemsIn("authConfig", problems)}
                showAll={work.showAll}
                readOnly={!work.isEditable}
                onChange={(authConfig) => change({ authConfig })}
              />
            ) : null}
          </>
        );
      }}
    </QueryView>
  );
}
