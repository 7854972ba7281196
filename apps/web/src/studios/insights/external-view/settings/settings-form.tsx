/** Where the product is, its token and its lists: one form, saved as a whole. */
import {
  type ExternalViewSettings,
  getExternalViewSettings,
  getInsightsProvider,
  removeExternalViewSettings,
  saveExternalViewSettings,
} from "@accord/contracts/insights/external-view";
import { Card } from "@accord/ui";
import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { ApiError, explanationOf, isStale } from "../../../../app/api-error.ts";
import { refresh, useCall } from "../../../../app/queries.ts";
import { useWords } from "../../../../app/words.ts";
import { focusFirstProblem } from "../../../../shared/first-problem.ts";
import { useIsChanged, useUnsavedChanges } from "../../../../shared/unsaved-changes/unsaved-changes.tsx";
import { showSuccess } from "../../parts/show-success.ts";
import { AllowHelp } from "./allow-help.tsx";
import { type Draft, draftOf, inputOf } from "./draft.ts";
import { ListFields, ProductFields, TokenFields } from "./settings-fields.tsx";
import { ConfirmDialog } from "../../../../shared/refusal/confirm-dialog.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

const REFRESHES = [getExternalViewSettings, getInsightsProvider];

export function SettingsForm({ stored }: { stored: ExternalViewSettings }) {
  const { t } = useWords("insights");
  const [draft, setDraft] = useState(() => draftOf(stored));
  const form = useRef<HTMLFormElement>(null);
  useUnsavedChanges(useIsChanged(draft));
  const save = useCall(saveExternalViewSettings, {
    refreshes: REFRESHES,
    onSuccess: () => showSuccess(t("external.settings.saved")),
  });
  useEffect(() => {
    if (save.error) focusFirstProblem(form.current);
  }, [save.error]);
  const refused = save.error instanceof ApiError ? save.error : null;
  const hostChanged = refused?.code === "credential_host_changed";
  const fields = {
    draft,
    onChange: (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change })),
    // Which secret is asked for again belongs to its input.
    problemAt: (path: string) => (path === "secret" && hostChanged ? explanationOf(refused) : refused?.problemOf(path)),
  };
  return (
    <form
      ref={form}
      className="ac-external-settings"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: inputOf(draft, stored.version) });
      }}
    >
      <ProductFields {...fields} />
      <TokenFields {...fields} hasSecret={stored.hasSecret} />
      <ListFields {...fields} />
      <Card title={t("external.settings.allowTitle")}>
        <AllowHelp draft={draft} stored={stored} />
      </Card>
      {save.error && !hostChanged && (refused?.fieldProblems.length ?? 0) === 0 ? (
        <SaveRefusal error={save.error} />
      ) : null}
      <Foot isStored={stored.settings !== null} isSaving={save.isPending} />
    </form>
  );
}

/** Of newer settings what was typed stays, until somebody decides to load them. */
function SaveRefusal({ error }: { error: Error }) {
  const { t } = useWords("insights");
  if (!isStale(error)) return <RefusalBox error={error} />;
  return (
    <RefusalBox
      error={error}
      actions={
        <Button variant="default" size="xs" onClick={() => void refresh(...REFRESHES)}>
          {t("external.settings.loadNewer")}
        </Button>
      }
    >
      <p>{t("external.settings.staleBody")}</p>
    </RefusalBox>
  );
}

function Foot({ isStored, isSaving }: { isStored: boolean; isSaving: boolean }) {
  const { t } = useWords("insights");
  const [isRemoving, setRemoving] = useState(false);
  const remove = useCall(removeExternalViewSettings, {
    refreshes: REFRESHES,
    onSuccess: () => showSuccess(t("external.settings.removed")),
  });
  return (
    <div className="ac-form__foot">
      {isStored ? (
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t("external.settings.remove")}
        </Button>
      ) : null}
      <Button type="submit" loading={isSaving}>
        {t("external.settings.save")}
      </Button>
      <ConfirmDialog
        opened={isRemoving}
        onClose={() => setRemoving(false)}
        title={t("external.settings.removeTitle")}
        action={t("external.settings.remove")}
        danger
        onConfirm={() => remove.mutateAsync({})}
      >
        <p>{t("external.settings.removeBody")}</p>
      </ConfirmDialog>
    </div>
  );
}
