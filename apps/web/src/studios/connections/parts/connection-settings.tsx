/** Changes a saved connection: name, address, credentials; secrets left empty stay. */
import {
  isConnectorActionAllowed,
  testConnection,
  updateConnector,
  type ConnectorDetail,
  type ConnectorType,
} from "@accord/contracts/connections/connectors";
import { ErrorBox, FormIntro, FormSkeleton } from "@accord/ui";
import { Button, MultiSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useCan } from "../../../app/session.ts";
import { useWords } from "../../../app/words.ts";
import { initialValues } from "../../../shared/config-form/config-form.model.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { toast } from "../../../shared/toast.tsx";
import { problemsUnder, sentConnection, type ConnectionForm } from "../connections.model.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import { CONNECTOR_READS, useConnectorTypes } from "../queries.ts";
import { isMovedSignIn, signInPlace } from "../oauth/granted.model.ts";
import { Granted } from "../oauth/granted.tsx";
import { CheckResultView } from "./check-result.tsx";
import { ConnectionFields } from "./connection-fields.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";

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

/** What is typed, against what is saved; trying and saving it. */
function useSettings(connector: ConnectorDetail, type: ConnectorType) {
  const { t } = useWords("connections", "systemSignIn");
  const [saved] = useState((): ConnectionForm => ({
    name: connector.name,
    config: { ...connector.config, ...initialValues(type.configFields, connector.config) },
    authType: connector.authType,
    credentials: connector.credentialValues,
  }));
  const [form, setForm] = useState(saved);
  const [auto, setAuto] = useState<string[]>(connector.autoSchemaSyncEntities);
  const test = useCall(testConnection);
  const update = useCall(updateConnector, {
    refreshes: [...CONNECTOR_READS],
    onSuccess: () => toast.success(t("done.saved")),
  });
  const own = useCall(updateConnector, {
    refreshes: [...CONNECTOR_READS],
    onSuccess: () => toast.success(t("systemSignIn:redirect.ownDone")),
    onError: (error) => toast.failed(error),
  });
  const { connectorId, version } = connector;
  const { config, authType, credentials, typeId } = sentConnection(type, form);
  const connectionOf = (of: ConnectionForm) => JSON.stringify([of.config, of.authType, of.credentials]);
  const isReconnected = connectionOf(form) !== connectionOf(saved);
  const hasOtherAuto = JSON.stringify(auto) !== JSON.stringify(connector.autoSchemaSyncEntities);
  const refused = update.error ?? test.error;
  return {
    redirect: {
      name: connector.oauthRedirectName,
      isMoving:
        connector.authType === "oauth" && form.authType === "oauth" && isMovedSignIn(type, saved.config, form.config),
      isBusy: own.isPending,
    },
    useOwnRedirect: () => own.mutate({ params: { connectorId }, body: { version, ownRedirectAddress: true } }),
    form,
    auto,
    setAuto,
    test,
    refused,
    problems: refused instanceof ApiError ? refused.fieldProblems : [],
    isSaving: update.isPending,
    isChanged: isReconnected || hasOtherAuto || form.name !== saved.name,
    change(part: Partial<ConnectionForm>) {
      setForm((old) => ({ ...old, ...part }));
      test.reset();
      update.reset();
    },
    tryIt: () => test.mutate({ body: { typeId, config, authType, credentials, connectorId } }),
    save: () =>
      update.mutateAsync({
        params: { connectorId },
        body: {
          version,
          name: form.name.trim(),
          autoSchemaSyncEntities: auto,
          ...(isReconnected ? { config, authType, credentials } : {}),
        },
      }),
  };
}

function SettingsForm({ connector, type }: { connector: ConnectorDetail; type: ConnectorType }) {
  const { t } = useWords("connections");
  const settings = useSettings(connector, type);
  useUnsavedChanges(settings.isChanged);
  const { form, problems, change, test } = settings;
  const [configErrors, setConfigErrors] = useState(0);
  const [signInErrors, setSignInErrors] = useState(0);
  const mayWrite = useCan("WRITE_CONNECTOR");
  const isReading = connector.schemaRefreshStatus === "PROCESSING";
  const readOnly = !mayWrite || !isConnectorActionAllowed(connector, "edit");
  const hasErrors = configErrors + signInErrors > 0 || form.name.trim() === "";
  return (
    <form
      className="ac-settings"
      onSubmit={(event) => {
        event.preventDefault();
        if (settings.isChanged && !hasErrors) void settings.save().catch(() => {});
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
      <ConnectionFields
        type={type}
        values={form.config}
        problems={problemsUnder("config", problems)}
        readOnly={readOnly}
        onChange={(config) => change({ config })}
        onErrors={setConfigErrors}
      />
      <h2>{t("create.signIn")}</h2>
      {connector.credentialFields.length > 0 ? <FormIntro>{t("detail.secretsKept")}</FormIntro> : null}
      <SignInForm
        type={type}
        authType={form.authType}
        config={form.config}
        credentials={form.credentials}
        stored={form.authType === connector.authType ? connector.credentialFields : []}
        problems={{ ...problemsUnder("config", problems), ...problemsUnder("credentials", problems) }}
        readOnly={readOnly}
        onConfig={(config) => change({ config })}
        onAuthType={(authType) => change({ authType, credentials: {} })}
        onCredentials={(credentials) => change({ credentials })}
        onErrors={setSignInErrors}
        redirect={{ ...settings.redirect, ...(!readOnly && { onOwn: settings.useOwnRedirect }) }}
      />
      {form.authType === "oauth" ? (
        <Granted
          connector={connector}
          place={signInPlace(type, form.config)}
          isChanged={settings.isChanged}
          hasErrors={hasErrors}
          readOnly={readOnly}
          save={settings.save}
        />
      ) : null}
      <AutoRefresh connector={connector} readOnly={readOnly} value={settings.auto} onChange={settings.setAuto} />
      {test.data ? <CheckResultView result={test.data} /> : null}
      {settings.refused ? <RefusalBox error={settings.refused} /> : null}
      {readOnly ? null : (
        <div className="ac-settings__foot">
          <Button type="submit" disabled={!settings.isChanged || hasErrors} loading={settings.isSaving}>
            {t("shell:action.save")}
          </Button>
          <Button variant="default" loading={test.isPending} disabled={hasErrors} onClick={settings.tryIt}>
            {t("action.test")}
          </Button>
          {settings.isChanged ? <span>{t("shell:state.unsaved")}</span> : null}
        </div>
      )}
    </form>
  );
}

interface AutoRefreshProps {
  connector: ConnectorDetail;
  readOnly: boolean;
  value: string[];
  onChange: (entities: string[]) => void;
}

function AutoRefresh({ connector, readOnly, value, onChange }: AutoRefreshProps) {
  const { t } = useWords("connections");
  if (connector.entities.length === 0) return null;
  return (
    <MultiSelect
      label={t("detail.autoRefresh")}
      searchable
      limit={50}
      readOnly={readOnly}
      data={connector.entities.map(({ apiName, displayName }) => ({ value: apiName, label: displayName }))}
      value={value}
      onChange={onChange}
    />
  );
}
