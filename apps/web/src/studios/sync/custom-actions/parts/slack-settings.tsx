/** Sets Slack up for the instance: the token of a bot, which the action Send to Slack writes with. */
import {
  listServiceProviders,
  removeServiceProvider,
  saveServiceProvider,
  type ServiceProvider,
} from "@accord/contracts/sync/providers";
import { FormIntro, FormSkeleton } from "@accord/ui";
import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useCall, useEndpoint } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { QueryView } from "../../../../shared/query-view.tsx";
import { toast } from "../../../../shared/toast.tsx";
import { FormDialog } from "../../../../shared/unsaved-changes/form-overlays.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

const PARAMS = { service: "slack" } as const;

export function SlackSettings({ onClose }: { onClose: () => void }) {
  const { t } = useWords("customActions");
  const query = useEndpoint(listServiceProviders, {}, { refetchOnWindowFocus: false });
  return (
    <FormDialog opened onClose={onClose} title={t("slack.title")}>
      <QueryView query={query} skeleton={<FormSkeleton />}>
        {({ providers }) => (
          <SettingsForm stored={providers.find(({ service }) => service === PARAMS.service)} onClose={onClose} />
        )}
      </QueryView>
    </FormDialog>
  );
}

function SettingsForm({ stored, onClose }: { stored: ServiceProvider | undefined; onClose: () => void }) {
  const { t } = useWords("customActions");
  const isBot = stored?.configured === true && stored.protocol === "slackApi";
  const [draft, setDraft] = useState({ secret: "", endpoint: isBot ? stored.endpoint : "" });
  useUnsavedChanges(useIsChanged(draft));
  const done = (words: string) => ({
    refreshes: [listServiceProviders],
    onSuccess: () => {
      toast.success(words);
      onClose();
    },
  });
  const save = useCall(saveServiceProvider, done(t("slack.saved")));
  const remove = useCall(removeServiceProvider, done(t("slack.removed")));
  const error = save.error ?? remove.error;
  const problemAt = (path: string): string | undefined =>
    error instanceof ApiError ? error.problemOf(path) : undefined;
  const { secret, endpoint } = draft;
  return (
    <form
      className="ac-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const body = { protocol: "slackApi" as const, endpoint: endpoint.trim() };
        save.mutate({ params: PARAMS, body: { ...body, ...(secret === "" ? {} : { secret: secret.trim() }) } });
      }}
    >
      <FormIntro>{t("slack.lead")}</FormIntro>
      <p>{stored?.configured ? t(isBot ? "slack.bot" : "slack.webhook", { host: stored.host }) : t("slack.none")}</p>
      {error && !problemAt("secret") && !problemAt("endpoint") ? <RefusalBox error={error} /> : null}
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
      <div className="ac-form__foot">
        {stored?.configured ? (
          <Button
            color="red"
            variant="outline"
            loading={remove.isPending}
            onClick={() => remove.mutate({ params: PARAMS })}
          >
            {t("slack.remove")}
          </Button>
        ) : null}
        <Button variant="default" onClick={onClose}>
          {t("slack.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("slack.save")}
        </Button>
      </div>
    </form>
  );
}
