/** Step 1 of an uploaded synapse, Create or Edit synapse: what it is called, its files, and what the program says of itself. */
import { ErrorBox, FormIntro, FormPair, FormSkeleton } from "@accord/ui";
import { Button, TextInput } from "@mantine/core";
import { useWords } from "../../../../app/words.ts";
import { ProblemBox } from "../../parts/check-result.tsx";
import { ProgramFacts } from "../program-facts.tsx";
import { TemplateCard } from "../template-card.tsx";
import type { SdkWork } from "../use-sdk-work.ts";
import { FilesInput } from "./files-input.tsx";
import { RefusalBox } from "../../../../shared/refusal/refusal-box.tsx";

export function CreateStep({ work }: { work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  const { form, files, isEditable, mayRename } = work;
  return (
    <div className="ac-sdk">
      {work.synapse ? null : <TemplateCard />}
      <FormIntro>{t("form.lead")}</FormIntro>
      <FormPair>
        <TextInput
          data-autofocus
          label={t("form.displayName")}
          required
          maxLength={60}
          readOnly={!mayRename}
          value={form.displayName}
          error={form.problems["connectorMetaDisplayName"]}
          onChange={(event) => form.rename(event.currentTarget.value)}
        />
        <TextInput
          label={t("form.name")}
          description={t("form.nameHint")}
          inputWrapperOrder={["label", "input", "description", "error"]}
          required
          maxLength={60}
          disabled={work.synapse !== undefined}
          value={form.name}
          error={form.problems["connectorMetaName"]}
          onChange={(event) => form.setName(event.currentTarget.value)}
        />
      </FormPair>
      <h2>{t("form.files")}</h2>
      {isEditable ? null : <FormIntro>{t("form.readOnly")}</FormIntro>}
      {form.isHeld ? (
        <ErrorBox
          tone="warn"
          message={t("form.held")}
          actions={
            <Button size="xs" variant="default" onClick={form.dropFiles}>
              {t("form.dropChosen")}
            </Button>
          }
        />
      ) : null}
      <FilesInput form={form} stored={files} readOnly={!isEditable} />
      {work.synapse && !form.hasFiles ? <Program work={work} /> : null}
    </div>
  );
}

export function Program({ work: { description, reading } }: { work: SdkWork }) {
  const { t } = useWords("sdkSynapses");
  const { isRunning, problem, error, isForbidden, again } = reading;
  if (!description && !isRunning && !problem && !error && !isForbidden) return null;
  return (
    <>
      <h2>{t("program.title")}</h2>
      {isForbidden ? (
        <ErrorBox tone="info" message={t("program.mayNotRun")} />
      ) : (
        <FormIntro>{t(isRunning ? "program.reading" : "program.lead")}</FormIntro>
      )}
      {isRunning ? <FormSkeleton fields={2} /> : null}
      {problem ? <ProblemBox title={t("program.unread")} problem={problem} onRetry={again} /> : null}
      {error ? <RefusalBox title={t("program.unread")} error={error} onRetry={again} /> : null}
      {description ? <ProgramFacts description={description} /> : null}
    </>
  );
}
