/** The form of an alert: what it watches, when it notifies, and whom. Problems stand at their fields, or above the form. */
import type { Watchable } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import {
  ALERT_MINUTES,
  type AlertInput,
  type CardAlert,
  createCardAlert,
  listCardAlerts,
  updateCardAlert,
} from "@accord/contracts/insights/card-alerts";
import type { CardConfiguration } from "@accord/contracts/insights/cards";
import { ErrorBox } from "@accord/ui";
import { Button, Checkbox, MultiSelect, Select, TextInput } from "@mantine/core";
import { type FormEvent, useLayoutEffect, useRef, useState } from "react";
import { ApiError, isStale } from "../../../app/api-error.ts";
import { useCall } from "../../../app/queries.ts";
import { useWords } from "../../../app/words.ts";
import { focusFirstProblem } from "../../../shared/first-problem.ts";
import { toast } from "../../../shared/toast.tsx";
import { useIsChanged, useUnsavedChanges } from "../../../shared/unsaved-changes/unsaved-changes.tsx";
import {
  type AlertDraft,
  type Candidate,
  draftOf,
  isPercent,
  minutesOf,
  newDraft,
  type Problems,
  readDraft,
} from "./alert-draft.ts";
import { ConditionFields, type FieldsProps, WatchFields, WebhookFields } from "./condition-fields.tsx";
import { readTested } from "./tested-draft.ts";
import { TestAlert } from "./test-alert.tsx";
import { RefusalBox } from "../../../shared/refusal/refusal-box.tsx";

export interface AlertFormProps {
  cardId: Id<"dataCard">;
  configuration: CardConfiguration;
  watchable: Watchable;
  people: readonly Candidate[];
  /** Undefined: a new one. */
  alert: CardAlert | undefined;
  /** Whoever edits it. */
  self: string;
  onClose: () => void;
}

const NONE: Problems = new Map();

/** What the fields that are on screen show problems of, by the path in the body. */
function shownPaths({ kind, marks }: AlertDraft, watchable: Watchable): readonly string[] {
  const hasMarks = watchable.kind === "series" && (watchable.hasLatest || marks === "latest");
  return [
    "name",
    "condition",
    "everyMinutes",
    "recipients",
    "webhook",
    ...(watchable.kind === "series" ? ["watch", "watch.series"] : []),
    ...(hasMarks ? ["watch.marks"] : []),
    ...(kind === "outside" || kind === "inside" ? ["condition.from", "condition.to"] : ["condition.limit"]),
  ];
}

/** What the server refused, by its path in the body; other refusals stand above the form. */
const problemsOf = (error: Error | null): Problems =>
  error instanceof ApiError ? new Map(error.fieldProblems.map(({ path, message }) => [path, message])) : NONE;

export function AlertForm(props: AlertFormProps) {
  const { cardId, configuration, watchable, people, alert, onClose } = props;
  const { t } = useWords("insights");
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(() => (alert ? draftOf(alert, people) : newDraft(watchable, props.self, people)));
  const [found, setFound] = useState<Problems>(NONE);
  // What opened it is gone, and the focus with it.
  useLayoutEffect(() => {
    form.current?.querySelector("input")?.focus();
  }, []);
  useUnsavedChanges(useIsChanged(draft));
  const save = useSave(props, form);
  const refused = problemsOf(save.error);
  const shown = shownPaths(draft, watchable);
  const others = [...refused, ...found].filter(([path]) => !shown.includes(path)).map(([, message]) => message);
  const problemAt = (...paths: readonly string[]): string | undefined =>
    paths.map((path) => found.get(path) ?? refused.get(path)).find((one) => one !== undefined);
  const change = (part: Partial<AlertDraft>): void => {
    setDraft({ ...draft, ...part });
    setFound(NONE);
    save.reset();
  };
  /** Shows them at their fields; the first of these gets the focus. */
  const show = (problems: Problems): void => {
    setFound(problems);
    if (problems.size > 0) focusFirstProblem(form.current);
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { input, problems } = readDraft(draft, watchable);
    show(problems ?? NONE);
    if (input) save.send(input);
  };
  const tested = readTested(draft, watchable);
  return (
    <form ref={form} className="ac-form" noValidate onSubmit={submit}>
      {save.error && refused.size === 0 ? (
        isStale(save.error) ? (
          <ErrorBox message={t("alerts.stale")} />
        ) : (
          <RefusalBox error={save.error} />
        )
      ) : null}
      {others.length > 0 ? <ErrorBox message={others.join(" ")} /> : null}
      <AlertFields
        {...{ draft, problemAt, change, configuration, watchable, people }}
        stored={alert?.webhook ?? null}
      />
      <TestAlert cardId={cardId} tested={tested.input} onProblems={() => show(tested.problems ?? NONE)} />
      <div className="ac-form__foot">
        <Button variant="default" onClick={onClose}>
          {t("alerts.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("alerts.save")}
        </Button>
      </div>
    </form>
  );
}

interface AlertFieldsProps extends FieldsProps, Pick<AlertFormProps, "configuration" | "watchable" | "people"> {
  /** Origin of the address that is stored. */
  stored: string | null;
}

function AlertFields({ configuration, watchable, people, stored, ...fields }: AlertFieldsProps) {
  const { t } = useWords("insights");
  const { draft, problemAt, change } = fields;
  return (
    <>
      <TextInput
        label={t("alerts.name")}
        withAsterisk
        maxLength={120}
        value={draft.name}
        error={problemAt("name")}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <WatchFields {...fields} watchable={watchable} />
      <ConditionFields {...fields} isPercent={isPercent(configuration, draft.series)} />
      <Select
        label={t("alerts.every")}
        data={ALERT_MINUTES.map((one) => ({ value: String(one), label: t(`alerts.minutes.m${one}`) }))}
        allowDeselect={false}
        value={String(draft.everyMinutes)}
        error={problemAt("everyMinutes")}
        onChange={(minutes) => change({ everyMinutes: minutesOf(minutes) })}
      />
      <MultiSelect
        label={t("alerts.recipients")}
        description={t("alerts.recipientsHelp")}
        withAsterisk
        searchable
        data={people.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.recipients}
        error={problemAt("recipients")}
        onChange={(recipients) => change({ recipients })}
      />
      <Checkbox
        label={t("alerts.sendsMail")}
        checked={draft.sendsMail}
        onChange={(event) => change({ sendsMail: event.currentTarget.checked })}
      />
      <WebhookFields {...fields} stored={stored} />
    </>
  );
}

/** Creates or changes the alert, closes the form, and leads to what the server refused. */
function useSave(
  { cardId, alert, onClose }: AlertFormProps,
  form: React.RefObject<HTMLFormElement | null>,
): { send: (input: AlertInput) => void; isPending: boolean; error: Error | null; reset: () => void } {
  const { t } = useWords("insights");
  const options = {
    refreshes: [listCardAlerts],
    onSuccess: () => {
      toast.success(t("alerts.saved"));
      onClose();
    },
    onError: () => focusFirstProblem(form.current),
  };
  const create = useCall(createCardAlert, options);
  const update = useCall(updateCardAlert, options);
  const { isPending, error } = alert ? update : create;
  return {
    send: (input) =>
      alert
        ? update.mutate({ params: { alertId: alert.id }, body: { ...input, version: alert.version } })
        : create.mutate({ params: { id: cardId }, body: input }),
    isPending,
    error,
    reset: alert ? update.reset : create.reset,
  };
}
