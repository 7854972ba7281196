/** A webhook being made or changed: what is typed, what is wrong with it, trying a payload, and submitting it all. */
import { isConnectorActionAllowed } from "@accord/contracts/connections/connectors";
import type { WebhookDraft } from "@accord/contracts/connections/webhook-drafts";
import { tryWebhookPayload } from "@accord/contracts/connections/webhooks";
import { type RefObject, useState } from "react";
import { ApiError } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import { useSubmit, type FormBase } from "./use-submit.ts";
import {
  configOf,
  formOf,
  hasInput,
  problemsOf,
  problemsUpTo,
  serverProblems,
  stepOf,
  withDraft,
  type Problems,
  type ProblemWords,
  type WebhookForm,
} from "./webhook-form.model.ts";
import { STEPS, type Step } from "./webhook-steps.ts";

export type WebhookWork = ReturnType<typeof useWebhookForm>;

interface FormPlace {
  /** What it is made from; what is submitted counts only where that is still what is stored. */
  base: FormBase;
  /** A draft is stored, or given up, by the form itself. */
  onDraft: (draft: WebhookDraft | null) => void;
  isNewer: boolean;
  /** As the address has it. */
  step: Step;
  go: (step: Step) => void;
  inputs: RefObject<HTMLDivElement | null>;
}

export function useProblemWords(): ProblemWords {
  const { t } = useWords("webhooks");
  return {
    required: (label) => t("form.required", { label: t(`form.${label}`) }),
    notJson: (reason) => t("form.notJson", { reason }),
    notObject: t("form.notObject"),
    twice: t("form.twice"),
    whole: (min, max) => t("form.whole", { min, max }),
  };
}

/** A payload without records, for checking a configuration that has no example yet. */
const NOTHING = "[]";

export function useWebhookForm({ step: asked, go, inputs, base, onDraft, isNewer }: FormPlace) {
  const { connector, draft } = base;
  const { t } = useWords("webhooks");
  const words = useProblemWords();
  const [form, setForm] = useState(() => formOf(connector && withDraft(connector, draft)));
  const isTouched = useIsChanged(form);
  const { payload: _payload, inferred: _inferred, generated: _generated, ...stored } = form;
  const isChanged = useIsChanged(stored);
  useUnsavedChanges(isChanged);
  const [reached, setReached] = useState<Step>(connector ? "review" : "configure");
  // Steps ahead of those that were filled in are not open, whatever the address says.
  const step = STEPS.indexOf(asked) > STEPS.indexOf(reached) ? reached : asked;
  const [problems, setProblems] = useState<Problems>({});
  const [credentialErrors, setCredentialErrors] = useState(0);
  const [showAll, setShowAll] = useState(false);
  const check = useCall(tryWebhookPayload);
  const submit = useSubmit(base, onDraft);
  const config = () => configOf(form, connector?.config);

  const show = (found: Problems): void => {
    setProblems(found);
    setShowAll(true);
    focusFirstProblem(inputs.current);
  };
  const showAt = (found: Problems, first: string): void => {
    if (stepOf(first) !== step) go(stepOf(first));
    show(found);
  };
  /** Whether everything up to this step is right; shows what is not, at the step where it is. */
  const isRight = async (upTo: Step): Promise<boolean> => {
    for (const each of ["configure", "payload", "response"] as const) {
      if (STEPS.indexOf(each) > STEPS.indexOf(upTo)) break;
      const here = problemsOf(form, each, words);
      const isSecretMissing = each === "configure" && credentialErrors > 0;
      if (Object.keys(here).length > 0 || isSecretMissing) return (showAt(here, Object.keys(here)[0] ?? "name"), false);
    }
    const isExample = form.sample.trim() !== "" && upTo !== "configure";
    try {
      const tried = await check.mutateAsync({ body: { config: config(), payload: isExample ? form.sample : NOTHING } });
      if (!isExample || form.fields.length > 0 || tried.count > 0) return true;
      return (showAt({ recordSelector: t("form.noRecordAtPath") }, "recordSelector"), false);
    } catch (error) {
      if (!(error instanceof ApiError) || error.fieldProblems.length === 0) throw error;
      const found = problemsUpTo(serverProblems(error.fieldProblems), upTo);
      const [first] = Object.keys(found);
      if (first === undefined) return true;
      return (showAt(found, first), false);
    }
  };
  /** What the server refuses is shown at its input. */
  const orShow = async (act: () => Promise<void>): Promise<void> => {
    try {
      await act();
    } catch (error) {
      const found = error instanceof ApiError ? serverProblems(error.fieldProblems) : {};
      const [first] = Object.keys(found);
      if (first !== undefined) showAt(found, first);
    }
  };
  const unshown = Object.entries(problems).filter(([path]) => !hasInput(path, form));
  const unshownError =
    unshown.length > 0
      ? new ApiError({
          ...{ code: "validation_failed", status: 400, message: t("form.unshown") },
          errors: unshown.map(([path, message]) => ({ path, message })),
        })
      : null;
  return {
    connector,
    form,
    step,
    reached,
    problems,
    showAll,
    check,
    config,
    isChanged,
    setCredentialErrors,
    isTouched,
    refused:
      unshownError ??
      submit.error ??
      (check.error instanceof ApiError && check.error.fieldProblems.length > 0 ? null : check.error),
    isBusy: check.isPending || submit.isPending,
    saveDraft: () => orShow(() => submit.saveDraft(form, config())),
    isEditable: !connector || isConnectorActionAllowed(connector, "edit"),
    change(part: Partial<WebhookForm>) {
      // Until another one is typed, the example is what is tried.
      setForm((old) => ({
        ...old,
        ...(part.sample !== undefined && old.payload === old.sample ? { payload: part.sample } : {}),
        ...part,
      }));
      setProblems((old) =>
        Object.fromEntries(Object.entries(old).filter(([path]) => !((path.split(".")[0] ?? "") in part))),
      );
      submit.reset();
    },
    show,
    async next() {
      if (step === "review") {
        if (!isNewer && (await isRight("review"))) await orShow(() => submit.run(form, config()));
        return;
      }
      if (step !== "test" && !(await isRight(step))) return;
      setProblems({});
      setShowAll(false);
      const to = STEPS[STEPS.indexOf(step) + 1] ?? "review";
      if (STEPS.indexOf(to) > STEPS.indexOf(reached)) setReached(to);
      go(to);
    },
  };
}
