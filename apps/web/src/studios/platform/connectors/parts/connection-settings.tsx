/** Changes a saved connection: name, address, credentials; secrets left empty stay. */
import {
  isConnectorActionAllowed,
  testConnection,
  updateConnector,
  type ConnectorDetail,
  type ConnectorType,
} from "@accord/contracts/connections/connectors";
import { ErrorBox, FormLead, FormSkeleton } from "@accord/ui";
import { Button, MultiSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useCall } from "../../../../app/queries.ts";
import { useCan } from "../../../../app/session.ts";
import { useWords } from "../../../../app/words.ts";
import { ConfigForm } from "../../../../shared/config-form/config-form.tsx";
import { initialValues } from "../../../../shared/config-form/config-form.model.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { problemsUnder, sentConnection, type ConnectionForm } from "../connections.model.ts";
import { RefusalBox } from "../new-connection-screen.tsx";
import { CONNECTOR_READS, useConnectorTypes } from "../queries.ts";
import { CheckResultView } from "./check-result.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export function ConnectionSettings({ connector }: { connector: ConnectorDetail }) {
  const types = useConnectorTypes();
  return (
    <QueryView query={types} skeleton={<FormSkeleton />}>
      {({ types: all }) => {
        const type = all.find((candidate) => candidate.id === connector.metadataId);
        return type ? <SettingsForm connector={connector} type={type} /> : null;
      }}
    </QueryView>
  );
}

function SettingsForm({ connector, type }: { connector: ConnectorDetail; type: ConnectorType }) {
  const { t } = useWords("connections");
  const saved = (): ConnectionForm => ({
    name: connector.name,
    config: { ...connector.config, ...initialValues(type.configFields, connector.config) },
    authType: connector.authType,
    credentials: connector.credentialValues,
  });
  const [form, setForm] = useState(saved);
  const [auto, setAuto] = useState<string[]>(connector.autoSchemaSyncEntities);
  const [configErrors, setConfigErrors] = useState(0);
  const [signInErrors, setSignInErrors] = useState(0);
  const mayWrite = useCan("WRITE_CONNECTOR");
  const isReading = connector.schemaRefreshStatus === "PROCESSING";
  const readOnly = !mayWrite || !isConnectorActionAllowed(connector, "edit");
  const test = useCall(testConnection);
  const update = useCall(updateConnector, {
    refreshes: [...CONNECTOR_READS],
    onSuccess: () => toast.success(t("done.saved")),
  });
  const refused = update.error ?? test.error;
  const problems = refused instanceof ApiError ? refused.fieldProblems : [];
  const change = (part: Partial<ConnectionForm>) => {
    setForm((old) => ({ ...old, ...part }));
    test.reset();
    update.reset();
  };
  const isChanged = JSON.stringify([form, auto]) !== JSON.stringify([saved(), connector.autoSchemaSyncEntities]);
  const { config, authType, credentials } = sentConnection(type, form);
  const isReconnected =
    JSON.stringify([form.config, form.authType, form.credentials]) !==
    JSON.stringify([saved().config, saved().authType, saved().credentials]);
  const save = () =>
    update.mutate({
      params: { connectorId: connector.connectorId },
      body: {
        version: connector.version,
        name: form.name.trim(),
        autoSchemaSyncEntities: auto,
        ...(isReconnected ? { config, authType, credentials } : {}),
      },
    });
  const hasErrors = configErrors + signInErrors > 0 || form.name.trim() === "";
  return (
    <form
      className="ac-settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged && !hasErrors) save();
      }}
    >
      {isReading ? <ErrorBox tone="info" message={t("detail.editBlocked")} /> : null}
      <TextInput
        label={t("name")}
        required
        maxLength={120}
        readOnly={readOnly}
        value={form.name}
        error={problems.find(({ path }) => path === "name")?.message}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <ConfigForm
        inputs={type.configFields}
        values={form.config}
        problems={problemsUnder("config", problems)}
        readOnly={readOnly}
        folded={["Advanced"]}
        onChange={(next) => change({ config: next })}
        onErrors={setConfigErrors}
      />
      <h2>{t("create.signIn")}</h2>
      {connector.credentialFields.length > 0 ? <FormLead>{t("detail.secretsKept")}</FormLead> : null}
      <SignInForm
        type={type}
        authType={form.authType}
        credentials={form.credentials}
        stored={form.authType === connector.authType ? connector.credentialFields : []}
        problems={problemsUnder("credentials", problems)}
        readOnly={readOnly}
        onAuthType={(next) => change({ authType: next, credentials: {} })}
        onCredentials={(next) => change({ credentials: next })}
        onErrors={setSignInErrors}
      />
      {connector.entities.length > 0 ? (
        <MultiSelect
          label={t("detail.autoRefresh")}
          searchable
          limit={50}
          readOnly={readOnly}
          data={connector.entities.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
          value={auto}
          onChange={setAuto}
        />
      ) : null}
      {test.data ? <CheckResultView result={test.data} /> : null}
      {refused ? <RefusalBox error={refused} /> : null}
      {readOnly ? null : (
        <div className="ac-settings__foot">
          <Button type="submit" disabled={!isChanged || hasErrors} loading={update.isPending}>
            {t("shell:action.save")}
          </Button>
          <Button
            variant="default"
            loading={test.isPending}
            disabled={hasErrors}
            onClick={() =>
              test.mutate({
                body: { typeId: type.id, config, authType, credentials, connectorId: connector.connectorId },
              })
            }
          >
            {t("action.test")}
          </Button>
          {isChanged ? <span>{t("shell:state.unsaved")}</span> : null}
        </div>
      )}
    </form>
  );
}
