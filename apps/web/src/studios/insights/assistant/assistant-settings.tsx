/** Who answers questions: nobody, built-in rules, or a language model with its address, name and secret key. */
import { getCardAssistant } from "@accord/contracts/insights/card-assistant";
import type { ServiceProvider } from "@accord/contracts/sync/providers";
import { PasswordInput, Radio, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../app/words.ts";
import { ServiceDialog, ServiceForm } from "../../../shared/service-settings/service-settings.tsx";
import { useService } from "../../../shared/service-settings/use-service.ts";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { showSuccess } from "../parts/show-success.ts";

const CHOICES = ["builtIn", "model", "none"] as const;
type Choice = (typeof CHOICES)[number];
const SERVICE = "cardAssistant";

export function AssistantSettings({ onClose }: { onClose: () => void }) {
  const { t } = useWords("insights");
  return (
    <ServiceDialog service={SERVICE} title={t("assistant.settings.title")} onClose={onClose}>
      {(stored) => <SettingsForm {...{ stored, onClose }} />}
    </ServiceDialog>
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
  const done = (): void => {
    showSuccess(t("assistant.settings.saved"));
    onClose();
  };
  const calls = useService({ service: SERVICE, refreshes: [getCardAssistant], onSaved: done, onRemoved: done });
  const submit = (): void => {
    if (draft.choice === "none") return calls.remove();
    if (draft.choice === "builtIn") return calls.save({ protocol: "builtIn" });
    const { endpoint, model, secret } = draft;
    const hasKey = secret !== "" || stored?.hasSecret === true;
    calls.save({
      ...{ protocol: "completions", endpoint, model },
      authentication: { type: hasKey ? "bearer" : "none" },
      ...(secret === "" ? {} : { secret }),
    });
  };
  return (
    <ServiceForm
      {...{ calls, onClose }}
      paths={["endpoint", "model"]}
      words={{ cancel: t("assistant.settings.cancel"), save: t("assistant.settings.save") }}
      isSaving={calls.isSaving || calls.isRemoving}
      onSubmit={submit}
    >
      <ChoiceField {...{ draft }} onChange={setDraft} />
      {draft.choice === "model" ? (
        <ModelFields
          {...{ draft, problemAt: calls.problemAt }}
          hasKey={stored?.hasSecret === true}
          onChange={setDraft}
        />
      ) : null}
    </ServiceForm>
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
