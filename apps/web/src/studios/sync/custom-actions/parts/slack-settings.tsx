/** Sets Slack up for the instance: the token of a bot, which the action Send to Slack writes with. */
import type { ServiceProvider } from "@accord/contracts/sync/providers";
import { FormIntro } from "@accord/ui";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { ServiceDialog, ServiceForm } from "../../../../shared/service-settings/service-settings.tsx";
import { useService } from "../../../../shared/service-settings/use-service.ts";
import { toast } from "../../../../shared/toast.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";

const SERVICE = "slack";

export function SlackSettings({ onClose }: { onClose: () => void }) {
  const { t } = useWords("customActions");
  return (
    <ServiceDialog service={SERVICE} title={t("slack.title")} onClose={onClose}>
      {(stored) => <SettingsForm {...{ stored, onClose }} />}
    </ServiceDialog>
  );
}

function SettingsForm({ stored, onClose }: { stored: ServiceProvider | undefined; onClose: () => void }) {
  const { t } = useWords("customActions");
  const isBot = stored?.configured === true && stored.protocol === "slackApi";
  const [draft, setDraft] = useState({ secret: "", endpoint: isBot ? stored.endpoint : "" });
  useUnsavedChanges(useIsChanged(draft));
  const done = (words: string) => () => {
    toast.success(words);
    onClose();
  };
  const calls = useService({ service: SERVICE, onSaved: done(t("slack.saved")), onRemoved: done(t("slack.removed")) });
  const { problemAt } = calls;
  const { secret, endpoint } = draft;
  const submit = (): void =>
    calls.save({
      ...{ protocol: "slackApi", endpoint: endpoint.trim() },
      ...(secret === "" ? {} : { secret: secret.trim() }),
    });
  return (
    <ServiceForm
      {...{ calls, onClose }}
      paths={["secret", "endpoint"]}
      words={{ cancel: t("slack.cancel"), save: t("slack.save") }}
      isSaving={calls.isSaving}
      onSubmit={submit}
      intro={
        <>
          <FormIntro>{t("slack.lead")}</FormIntro>
          <p>
            {stored?.configured ? t(isBot ? "slack.bot" : "slack.webhook", { host: stored.host }) : t("slack.none")}
          </p>
        </>
      }
      extra={
        stored?.configured ? (
          <Button color="red" variant="outline" loading={calls.isRemoving} onClick={calls.remove}>
            {t("slack.remove")}
          </Button>
        ) : null
      }
    >
      <PasswordInput
        label={t("slack.token")}
        description={t(isBot ? "slack.tokenKept" : "slack.tokenHelp")}
        withAsterisk={!isBot}
        autoComplete="off"
        value={secret}
        error={problemAt("secret")}
        onChange={(event) => setDraft({ ...draft, secret: event.currentTarget.value })}
      />
      <TextInput
        label={t("slack.endpoint")}
        description={t("slack.endpointHelp")}
        value={endpoint}
        error={problemAt("endpoint")}
        onChange={(event) => setDraft({ ...draft, endpoint: event.currentTarget.value })}
      />
    </ServiceForm>
  );
}
