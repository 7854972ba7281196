/** Who answers questions: nobody, built-in rules, or a language model with its address, name and secret key. */
import { getCardAssistant } from "@accord/contracts/insights/card-assistant";
import {
  listServiceProviders,
  removeServiceProvider,
  saveServiceProvider,
  type ServiceProvider,
} from "@accord/contracts/sync/providers";
import { FormSkeleton } from "@accord/ui";
import { Button, PasswordInput, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall, useEndpoint } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { QueryView } from "../../../shared/query-view.tsx";
import { FormDialog } from "../../../shared/unsaved-changes/form-overlays.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { showSuccess } from "../show-success.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

const CHOICES = ["builtIn", "model", "none"] as const;
type Choice = (typeof CHOICES)[number];
const PARAMS = { service: "cardAssistant" } as const;

export function AssistantSettings({ onClose }: { onClose: () => void }) {
  const { t } = useWords("insights");
  const query = useEndpoint(listServiceProviders, {}, { refetchOnWindowFocus: false });
  return (
    <FormDialog opened onClose={onClose} title={t("assistant.settings.title")}>
      <QueryView query={query} skeleton={<FormSkeleton />}>
        {({ providers }) => (
          <SettingsForm stored={providers.find(({ service }) => service === PARAMS.service)} onClose={onClose} />
        )}
      </QueryView>
    </FormDialog>
  );
}

interface Draft {
  choice: Choice;
  endpoint: string;
  model: string;
  secret: string;
}

function choiceOf(stored: ServiceProvider | undefined): Choice {
  if (!stored?.configured) return "none";
  return stored.protocol === "completions" ? "model" : "builtIn";
}

function SettingsForm({ stored, onClose }: { stored: ServiceProvider | undefined; onClose: () => void }) {
  const { t } = useWords("insights");
  const before = choiceOf(stored);
  const [draft, setDraft] = useState<Draft>({
    // Whoever opens this while nobody answers came to change that.
    choice: before === "none" ? "builtIn" : before,
    endpoint: stored?.endpoint ?? "",
    model: stored?.model ?? "",
    secret: "",
  });
  useUnsavedChanges(useIsChanged(draft));
  const options = {
    refreshes: [getCardAssistant, listServiceProviders],
    onSuccess: () => {
      showSuccess(t("assistant.settings.saved"));
      onClose();
    },
  };
  const save = useCall(saveServiceProvider, options);
  const remove = useCall(removeServiceProvider, options);
  const error = save.error ?? remove.error;
  const problemAt = (path: string): string | undefined =>
    error instanceof ApiError ? error.problemOf(path) : undefined;
  const submit = (): void => {
    if (draft.choice === "none") return remove.mutate({ params: PARAMS });
    if (draft.choice === "builtIn") return save.mutate({ params: PARAMS, body: { protocol: "builtIn" } });
    const { endpoint, model, secret } = draft;
    const hasKey = secret !== "" || stored?.hasSecret === true;
    save.mutate({
      params: PARAMS,
      body: {
        ...{ protocol: "completions", endpoint, model },
        authentication: { type: hasKey ? "bearer" : "none" },
        ...(secret === "" ? {} : { secret }),
      },
    });
  };
  return (
    <form
      className="ac-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {error && !problemAt("endpoint") && !problemAt("model") ? <RefusalBox error={error} /> : null}
      <ChoiceField {...{ draft }} onChange={setDraft} />
      {draft.choice === "model" ? (
        <ModelFields {...{ draft, problemAt }} hasKey={stored?.hasSecret === true} onChange={setDraft} />
      ) : null}
      <div className="ac-form__foot">
        <Button variant="default" onClick={onClose}>
          {t("assistant.settings.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending || remove.isPending}>
          {t("assistant.settings.save")}
        </Button>
      </div>
    </form>
  );
}

interface FieldsProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
}

function ChoiceField({ draft, onChange }: FieldsProps) {
  const { t } = useWords("insights");
  return (
    <Radio.Group
      label={t("assistant.settings.who")}
      value={draft.choice}
      onChange={(next) => onChange({ ...draft, choice: CHOICES.find((one) => one === next) ?? "none" })}
    >
      <Stack gap="xs" mt={6}>
        {CHOICES.map((choice) => (
          <Radio
            key={choice}
            value={choice}
            label={t(`assistant.settings.${choice}`)}
            description={t(`assistant.settings.${choice}Help`)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ModelFieldsProps extends FieldsProps {
  problemAt: (path: string) => string | undefined;
  /** Whether a key is stored. */
  hasKey: boolean;
}

function ModelFields({ draft, problemAt, hasKey, onChange }: ModelFieldsProps) {
  const { t } = useWords("insights");
  return (
    <>
      <TextInput
        label={t("assistant.settings.endpoint")}
        description={t("assistant.settings.endpointHelp")}
        withAsterisk
        value={draft.endpoint}
        error={problemAt("endpoint")}
        onChange={(event) => onChange({ ...draft, endpoint: event.currentTarget.value })}
      />
      <TextInput
        label={t("assistant.settings.modelName")}
        withAsterisk
        value={draft.model}
        error={problemAt("model")}
        onChange={(event) => onChange({ ...draft, model: event.currentTarget.value })}
      />
      <PasswordInput
        label={t("assistant.settings.key")}
        description={t(hasKey ? "assistant.settings.keyKept" : "assistant.settings.keyHelp")}
        autoComplete="off"
        value={draft.secret}
        onChange={(event) => onChange({ ...draft, secret: event.currentTarget.value })}
      />
    </>
  );
}
