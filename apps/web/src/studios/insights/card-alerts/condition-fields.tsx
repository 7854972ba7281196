/** Fields of an alert's form: what is compared, with what, and which address is called. */
import type { Watchable } from "@accord/cards/definitions";
import { Checkbox, Input, NumberInput, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useId } from "react";
import { useWords } from "../../../app/words.ts";
import { type AlertDraft, choiceOf, CONDITION_KINDS, seriesOf } from "./alert-draft.ts";

export interface FieldsProps {
  draft: AlertDraft;
  /** The problem of the first of these fields that has one. */
  problemAt: (...paths: readonly string[]) => string | undefined;
  change: (part: Partial<AlertDraft>) => void;
}

/** Stands for the series of an alert that the card does not have now; no key of a series is like it. */
const GONE = "gone";

/** The series and its marks; a single number needs neither. */
export function WatchFields({ draft, watchable, problemAt, change }: FieldsProps & { watchable: Watchable }) {
  const { t } = useWords("insights");
  const marks = useId();
  if (watchable.kind === "value") return null;
  const chosen = seriesOf(draft, watchable.series);
  const isGone = draft.series !== "" && !chosen;
  // One that has no rows now may have some again. Its key may be another one's by now.
  const gone = isGone ? [{ value: GONE, label: draft.seriesLabel || draft.series }] : [];
  const series = [...watchable.series.map(({ key, label }) => ({ value: key, label })), ...gone];
  const choices = watchable.hasLatest || draft.marks === "latest" ? (["latest", "any"] as const) : (["any"] as const);
  const problem = problemAt("watch.marks");
  return (
    <>
      <Select
        label={t("alerts.series")}
        withAsterisk
        placeholder={t("alerts.seriesPlaceholder")}
        data={series}
        allowDeselect={false}
        value={isGone ? GONE : (chosen?.key ?? null)}
        error={problemAt("watch.series", "watch")}
        onChange={(key) => {
          const found = watchable.series.find((one) => one.key === key);
          if (found) change(choiceOf(found));
        }}
      />
      {choices.length > 1 ? (
        <Input.Wrapper
          label={t("alerts.marks")}
          labelProps={{ id: marks }}
          description={t("alerts.marksHelp")}
          error={problem}
        >
          <SegmentedControl
            aria-labelledby={marks}
            data={choices.map((one) => ({ value: one, label: t(`alerts.marksOf.${one}`) }))}
            value={draft.marks}
            onChange={(chosen) => change({ marks: chosen === "latest" ? "latest" : "any" })}
          />
        </Input.Wrapper>
      ) : null}
    </>
  );
}

/** The kind of the condition, and its limit or the ends of its range. */
export function ConditionFields({ draft, problemAt, change, isPercent }: FieldsProps & { isPercent: boolean }) {
  const { t } = useWords("insights");
  const hasRange = draft.kind === "outside" || draft.kind === "inside";
  const number = (part: "limit" | "from" | "to", set: (value: number | string) => void) => (
    <NumberInput
      label={t(`alerts.${part}`)}
      withAsterisk
      hideControls
      description={isPercent ? t("alerts.percentHelp") : undefined}
      value={draft[part]}
      error={problemAt(`condition.${part}`)}
      onChange={set}
    />
  );
  return (
    <>
      <Select
        label={t("alerts.kind")}
        data={CONDITION_KINDS.map((one) => ({ value: one, label: t(`alerts.kinds.${one}`) }))}
        allowDeselect={false}
        value={draft.kind}
        error={problemAt("condition")}
        onChange={(kind) => change({ kind: CONDITION_KINDS.find((one) => one === kind) ?? draft.kind })}
      />
      {hasRange ? (
        <div className="ac-form__pair">
          {number("from", (from) => change({ from }))}
          {number("to", (to) => change({ to }))}
        </div>
      ) : (
        number("limit", (limit) => change({ limit }))
      )}
    </>
  );
}

/** An address that is stored is never shown: another one replaces it. */
export function WebhookFields({ draft, problemAt, change, stored }: FieldsProps & { stored: string | null }) {
  const { t } = useWords("insights");
  return (
    <>
      <TextInput
        label={t("alerts.webhook")}
        description={
          stored === null
            ? t("alerts.webhookHelp")
            : `${t("alerts.webhookHelp")} ${t("alerts.webhookKept", { origin: stored })}`
        }
        type="url"
        autoComplete="off"
        placeholder="https://"
        maxLength={2_000}
        disabled={draft.removesWebhook}
        value={draft.webhook}
        error={problemAt("webhook")}
        onChange={(event) => change({ webhook: event.currentTarget.value })}
      />
      {stored === null ? null : (
        <Checkbox
          label={t("alerts.webhookRemove")}
          checked={draft.removesWebhook}
          onChange={(event) => change({ removesWebhook: event.currentTarget.checked, webhook: "" })}
        />
      )}
    </>
  );
}
