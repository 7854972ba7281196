/** What is changed in another step and not saved yet: said where one works meanwhile, with a way to save it. */
import { ErrorBox } from "@accord/ui";
import { Button } from "@mantine/core";
import { isStale } from "../../../app/api-error.ts";
import { useWords } from "../../../app/words.ts";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";
import type { SdkStep } from "./sdk-synapse.model.ts";
import type { SdkForm } from "./use-sdk-form.ts";
import type { SharingForm } from "./use-sharing.ts";

interface UnsavedNoticesProps {
  step: SdkStep;
  form: SdkForm;
  sharing: SharingForm;
  /** Leads to the step in which something has to be entered first. */
  onStep: (step: SdkStep) => void;
}

export function UnsavedNotices({ step, form, sharing, onStep }: UnsavedNoticesProps) {
  const { t } = useWords("sdkSynapses");
  /** A refusal is shown here; what is missing, in its step. */
  const save = async (of: SdkStep, call: () => Promise<boolean>): Promise<void> => {
    if (!(await call().catch(() => true))) onStep(of);
  };
  return (
    <>
      {step !== "configure" && form.isChanged ? (
        <Unsaved
          words={t(form.isHeld ? "form.held" : form.hasFiles ? "unsaved.files" : "unsaved.name")}
          isBusy={form.isBusy}
          refused={form.refused}
          onSave={form.isHeld ? undefined : () => void save("configure", form.save)}
          onDiscard={form.discard}
        />
      ) : null}
      {step !== "sharing" && sharing.isChanged ? (
        <Unsaved
          words={t("unsaved.sharing")}
          isBusy={sharing.isBusy}
          refused={sharing.refused}
          onSave={() => void save("sharing", sharing.save)}
          onDiscard={sharing.reset}
        />
      ) : null}
    </>
  );
}

interface UnsavedProps {
  words: string;
  isBusy: boolean;
  refused: Error | null;
  /** Absent: it can't be saved now. */
  onSave: (() => void) | undefined;
  onDiscard: () => void;
}

function Unsaved({ words, isBusy, refused, onSave, onDiscard }: UnsavedProps) {
  const { t } = useWords("sdkSynapses");
  return (
    <>
      <ErrorBox
        tone="warn"
        message={words}
        actions={
          <div className="ac-sdk__row">
            <Button size="xs" variant="default" disabled={isBusy} onClick={onDiscard}>
              {t("unsaved.discard")}
            </Button>
            {onSave ? (
              <Button size="xs" loading={isBusy} onClick={onSave}>
                {t("unsaved.save")}
              </Button>
            ) : null}
          </div>
        }
      />
      {refused && !isStale(refused) ? <RefusalBox error={refused} /> : null}
    </>
  );
}

interface WhyNotSubmittedProps {
  isUnsaved: boolean;
  isRunnable: boolean;
}

export function WhyNotSubmitted({ isUnsaved, isRunnable }: WhyNotSubmittedProps) {
  const { t } = useWords("sdkSynapses");
  if (!isUnsaved && isRunnable) return null;
  return <span className="ac-sdk__why">{t(isUnsaved ? "unsaved.submit" : "unsaved.sandbox")}</span>;
}
