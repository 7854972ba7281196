/** Asks for a version's name, shows what it would change, and publishes the draft. */
import { ErrorBox } from "@accord/ui";
import { Button, Checkbox, Group, Modal, Stack, Textarea, TextInput } from "@mantine/core";
import type { FieldChoice, FieldDraftRevisions } from "@accord/contracts/sync/field-choice";
import { useState } from "react";
import { useWords } from "../../../../app/words.ts";
import { problemsIn } from "../draft/refused-graph.ts";
import { useEditor } from "../editor-context.tsx";
import { FieldPipelineChoice } from "./field-pipeline-choice.tsx";
import { FieldDraftChanges } from "./field-draft-changes.tsx";
import { PublishDiffView } from "./publish-diff.tsx";
import { type Chosen, FIRST_CHOSEN, usePublishDiff } from "./use-publish-diff.ts";
import { isOfFieldDrafts, useShownFieldDrafts } from "./use-shown-field-drafts.ts";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

export interface PublishForm {
  versionName: string;
  summary: string;
  bringInExisting: boolean;
  fieldPipelines: FieldChoice;
  /** The field drafts that were shown and go along. */
  fieldDrafts: FieldDraftRevisions;
}

interface Props {
  name: string;
  opened: boolean;
  busy: boolean;
  error: Error | null;
  onClose: () => void;
  /** Whether it was published. */
  onPublish: (form: PublishForm) => Promise<boolean>;
}

/** What is typed and chosen, but for the field pipelines. */
type Typed = Omit<PublishForm, "fieldPipelines" | "fieldDrafts">;
const NOTHING_TYPED: Typed = { versionName: "", summary: "", bringInExisting: true };

/** Keeps what is typed and chosen while it is closed, until it is published. */
export function PublishDialog(props: Props) {
  const { t } = useWords("sync");
  const [typed, setTyped] = useState(NOTHING_TYPED);
  const [chosen, setChosen] = useState(FIRST_CHOSEN);
  const publish = async (form: PublishForm): Promise<boolean> => {
    const isPublished = await props.onPublish(form);
    if (isPublished) {
      setTyped(NOTHING_TYPED);
      setChosen(FIRST_CHOSEN);
    }
    return isPublished;
  };
  return (
    <Modal
      opened={props.opened}
      closeOnClickOutside={false}
      // Behind a closed dialog the draft could be edited while it is being published.
      onClose={() => !props.busy && props.onClose()}
      closeButtonProps={{ "aria-label": t("shell:action.close"), disabled: props.busy }}
      title={t("publish.title", { name: props.name })}
      size={920}
    >
      {props.opened ? (
        <Form
          {...props}
          typed={typed}
          onTyped={(change) => setTyped({ ...typed, ...change })}
          chosen={chosen}
          onChosen={setChosen}
          onPublish={publish}
        />
      ) : null}
    </Modal>
  );
}

/** Says why, where the server does: which tests failed, or what is wrong with which node. */
function Refusal({ error }: { error: Error }) {
  const problems = problemsIn(error)?.filter(({ severity }) => severity === "error") ?? [];
  if (problems.length > 0) {
    const messages = problems.map(({ errorMessage }, index) => (
      <li key={`${index} ${errorMessage}`}>{errorMessage}</li>
    ));
    return <ErrorBox title={error.message} message={<ul className="ac-publish__problems">{messages}</ul>} />;
  }
  return <RefusalBox error={error} />;
}

interface FormProps extends Props {
  typed: Typed;
  onTyped: (change: Partial<Typed>) => void;
  chosen: Chosen;
  onChosen: (chosen: Chosen) => void;
}

function Form({ busy, error, typed, onTyped, chosen, onChosen, onClose, onPublish }: FormProps) {
  const { t } = useWords("sync");
  const number = useEditor((state) => state.opened.versionNumber) + 1;
  const entityId = useEditor((state) => state.opened.entityId);
  const { versionName, summary, bringInExisting } = typed;
  const [tried, setTried] = useState(false);
  const missing = versionName.trim() === "";
  const { fieldPipelines } = chosen;
  const fields = useShownFieldDrafts(entityId, fieldPipelines, error);
  // Begins once the field drafts are read: it is never of older ones than are shown.
  const comparison = usePublishDiff(entityId, chosen, onChosen, { isHeld: fields.rows === undefined });
  const lookAgain = async (): Promise<void> => {
    await fields.lookAgain();
    comparison.compare({});
  };
  const isOutdated = fields.changes.length > 0;
  return (
    <div className="ac-publish">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!missing && !busy && !isOutdated)
            void onPublish({
              versionName: versionName.trim(),
              summary,
              bringInExisting,
              fieldPipelines,
              fieldDrafts: fields.revisions,
            });
        }}
      >
        <Stack gap={14}>
          <p className="ac-dialog__lead">{t("publish.body", { number })}</p>
          {error && !isOfFieldDrafts(error) ? <Refusal error={error} /> : null}
          <VersionWords
            versionName={versionName}
            onVersionName={(name) => onTyped({ versionName: name })}
            isMissing={tried && missing}
            summary={summary}
            onSummary={(text) => onTyped({ summary: text })}
          />
          <Checkbox
            label={t("publish.bringIn")}
            description={t("publish.bringInHint")}
            checked={bringInExisting}
            onChange={(event) => onTyped({ bringInExisting: event.currentTarget.checked })}
          />
          <FieldDraftChanges changes={fields.changes} onLookAgain={lookAgain} />
          <FieldPipelineChoice
            drafts={fields.rows ?? []}
            value={fieldPipelines}
            onChange={(chosen) => comparison.compare({ fieldPipelines: chosen })}
          />
          <Group justify="flex-end" gap={8}>
            <Button variant="default" onClick={onClose} disabled={busy}>
              {t("configure.cancel")}
            </Button>
            <Button type="submit" loading={busy} disabled={fields.rows === undefined || isOutdated}>
              {t("publish.confirm", { number })}
            </Button>
          </Group>
        </Stack>
      </form>
      <PublishDiffView entityId={entityId} comparison={comparison} bringsIn={bringInExisting} />
    </div>
  );
}

interface VersionWordsProps {
  versionName: string;
  onVersionName: (name: string) => void;
  isMissing: boolean;
  summary: string;
  onSummary: (summary: string) => void;
}

/** What people call the version, and say of it. */
function VersionWords({ versionName, onVersionName, isMissing, summary, onSummary }: VersionWordsProps) {
  const { t } = useWords("sync");
  return (
    <>
      <TextInput
        label={t("publish.versionName")}
        description={t("publish.versionNameHint")}
        value={versionName}
        maxLength={120}
        withAsterisk
        data-autofocus
        error={isMissing ? t("publish.required") : undefined}
        onChange={(event) => onVersionName(event.currentTarget.value)}
      />
      <Textarea
        label={t("publish.summary")}
        value={summary}
        autosize
        minRows={2}
        maxRows={6}
        maxLength={2000}
        onChange={(event) => onSummary(event.currentTarget.value)}
      />
    </>
  );
}
