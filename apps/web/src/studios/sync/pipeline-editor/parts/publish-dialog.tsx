/** Asks for a version's name and publishes the draft. */
import { ErrorBox } from "@accord/ui";
import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../../../app/api-error.ts";
import { useWords } from "../../../../app/words.ts";
import { useEditor } from "../editor-context.tsx";

export interface PublishForm {
  versionName: string;
  summary: string;
  bringInExisting: boolean;
}

interface Props {
  name: string;
  opened: boolean;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  onPublish: (form: PublishForm) => void;
}

export function PublishDialog(props: Props) {
  const { t } = useWords("sync");
  return (
    <Modal
      opened={props.opened}
      // Behind a closed dialog the draft could be edited while it is being published.
      onClose={() => !props.busy && props.onClose()}
      closeButtonProps={{ "aria-label": t("shell:action.close"), disabled: props.busy }}
      title={t("publish.title", { name: props.name })}
      size={480}
    >
      {props.opened ? <Form {...props} /> : null}
    </Modal>
  );
}

/** Says why, where the server does: which tests failed, for example. */
function Refusal({ error }: { error: Error }) {
  const reason = error instanceof ApiError ? error.description : undefined;
  return reason ? <ErrorBox title={error.message} message={reason} /> : <ErrorBox message={error.message} />;
}

function Form({ busy, error, onClose, onPublish }: Props) {
  const { t } = useWords("sync");
  const number = useEditor((state) => state.opened.versionNumber) + 1;
  const [versionName, setVersionName] = useState("");
  const [summary, setSummary] = useState("");
  const [bringInExisting, setBringIn] = useState(true);
  const [tried, setTried] = useState(false);
  const missing = versionName.trim() === "";
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (!missing && !busy) onPublish({ versionName: versionName.trim(), summary, bringInExisting });
      }}
    >
      <Stack gap={14}>
        <p className="ac-dialog__lead">{t("publish.body", { number })}</p>
        {error ? <Refusal error={error} /> : null}
        <TextInput
          label={t("publish.versionName")}
          description={t("publish.versionNameHint")}
          value={versionName}
          maxLength={120}
          withAsterisk
          data-autofocus
          error={tried && missing ? t("publish.required") : undefined}
          onChange={(event) => setVersionName(event.currentTarget.value)}
        />
        <Textarea
          label={t("publish.summary")}
          value={summary}
          autosize
          minRows={2}
          maxRows={6}
          maxLength={2000}
          onChange={(event) => setSummary(event.currentTarget.value)}
        />
        <Checkbox
          label={t("publish.bringIn")}
          description={t("publish.bringInHint")}
          checked={bringInExisting}
          onChange={(event) => setBringIn(event.currentTarget.checked)}
        />
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} disabled={busy}>
            {t("configure.cancel")}
          </Button>
          <Button type="submit" loading={busy}>
            {t("publish.confirm", { number })}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
