/** What somebody has entered in the form of an alert, and the alert it makes. */
import { isWatchOf, labelKept, type Watchable, type WatchableSeries, watchableOf } from "@accord/cards/definitions";
import type { Id } from "@accord/contracts";
import {
  ALERT_MINUTES,
  type AlertCondition,
  AlertInput,
  type AlertMeasure,
  type AlertMinutes,
  type CardAlert,
} from "@accord/contracts/insights/card-alerts";
import { type CardEntries, cardEntries } from "@accord/contracts/insights/card-configuration";
import type { CardConfiguration, CardData, DisplayFormat } from "@accord/contracts/insights/cards";

export const CONDITION_KINDS = ["above", "below", "outside", "inside"] as const;
export type ConditionKind = AlertCondition["kind"];

/** As the inputs hold it: numbers are texts while they are none. */
export interface AlertDraft {
  name: string;
  /** Key of the series; empty until one is chosen. */
  series: string;
  seriesLabel: string;
  /** What the series was made of when it was chosen. */
  measure: AlertMeasure | undefined;
  marks: "latest" | "any";
  kind: ConditionKind;
  limit: number | string;
  from: number | string;
  to: number | string;
  everyMinutes: AlertMinutes;
  recipients: string[];
  sendsMail: boolean;
  /** Empty: that of before stays, unless it is removed. */
  webhook: string;
  removesWebhook: boolean;
}

/** People who can be notified. */
export interface Candidate {
  id: Id<"user">;
  name: string;
}

const EMPTY: Omit<AlertDraft, "everyMinutes"> = {
  ...{ name: "", series: "", seriesLabel: "", measure: undefined, marks: "any", kind: "above" },
  ...{ limit: "", from: "", to: "", recipients: [], sendsMail: false },
  ...{ webhook: "", removesWebhook: false },
};

/** Of a new alert: the only series is chosen, and whoever makes it is notified. */
export function newDraft(watchable: Watchable, self: string, people: readonly Candidate[]): AlertDraft {
  const recipients = people.some(({ id }) => id === self) ? [self] : [];
  const start: AlertDraft = { ...EMPTY, everyMinutes: 15, recipients };
  if (watchable.kind === "value") return start;
  const [only, ...others] = watchable.series;
  const chosen = only && others.length === 0 ? choiceOf(only) : {};
  return { ...start, ...chosen, marks: watchable.hasLatest ? "latest" : "any" };
}

/** What a draft holds of the series that is chosen. */
type Choice = Pick<AlertDraft, "series" | "seriesLabel" | "measure">;

export const choiceOf = ({ key, label, measure }: WatchableSeries): Choice => ({
  series: key,
  seriesLabel: labelKept(label),
  measure,
});

/** The series that the draft watches; undefined where the card has it no more, even if another one has its key. */
export const seriesOf = (
  { series, seriesLabel: label, measure }: Choice,
  offered: readonly WatchableSeries[],
): WatchableSeries | undefined => offered.find((one) => isWatchOf({ series, label, measure }, one));

/** People who are gone, or may no longer see cards, are left out. */
export function draftOf(alert: CardAlert, people: readonly Candidate[]): AlertDraft {
  const { name, watch, condition, everyMinutes, recipients, sendsMail } = alert;
  return {
    ...{ ...EMPTY, name, everyMinutes, sendsMail, kind: condition.kind },
    ...(watch.kind === "series"
      ? { series: watch.series, seriesLabel: watch.label, measure: watch.measure, marks: watch.marks }
      : {}),
    ...(condition.kind === "above" || condition.kind === "below"
      ? { limit: condition.limit }
      : { from: condition.from, to: condition.to }),
    recipients: recipients.filter((one) => people.some(({ id }) => id === one)),
  };
}

/** The problems of the form's fields, by their path in the body. */
export type Problems = ReadonlyMap<string, string>;

const watchOf = ({ series, seriesLabel: label, measure, marks }: AlertDraft, watchable: Watchable): unknown =>
  watchable.kind === "value" ? { kind: "value" } : { kind: "series", series, label, measure, marks };

const conditionOf = ({ kind, limit, from, to }: AlertDraft): unknown =>
  kind === "above" || kind === "below" ? { kind, limit } : { kind, from, to };

function addressOf({ webhook, removesWebhook }: AlertDraft): { webhook?: string | null } {
  const entered = webhook.trim();
  if (entered !== "") return { webhook: entered };
  return removesWebhook ? { webhook: null } : {};
}

/** The alert, or what is wrong, by the rules and in the words of the server. */
export function readDraft(
  draft: AlertDraft,
  watchable: Watchable,
): { input: AlertInput; problems: null } | { input: null; problems: Problems } {
  const { name, everyMinutes, recipients, sendsMail } = draft;
  const read = AlertInput.safeParse({
    ...{ name, everyMinutes, recipients, sendsMail },
    watch: watchOf(draft, watchable),
    condition: conditionOf(draft),
    ...addressOf(draft),
  });
  if (read.success) return { input: read.data, problems: null };
  return {
    input: null,
    problems: new Map(read.error.issues.map(({ path, message }) => [path.map(String).join("."), message])),
  };
}

/** What a test needs of it. */
export type Tested = Pick<AlertInput, "watch" | "condition">;

export const minutesOf = (text: string | null): AlertMinutes => ALERT_MINUTES.find((one) => String(one) === text) ?? 15;

/** Whether the value is shown as percent, and so entered as a share. */
export function isPercent(card: CardConfiguration, seriesKey: string): boolean {
  const at = /^y(\d+)$/.exec(seriesKey)?.[1] ?? "0";
  return formatAt(cardEntries(card), Number(at)) === "percent";
}

function formatAt(entries: CardEntries, at: number): DisplayFormat | undefined {
  switch (entries.kind) {
    case "chart":
      return entries.values[at]?.displayFormat;
    case "number":
      return entries.value?.displayFormat;
    case "rows":
      return undefined;
  }
}

export const watchableIn = (shown: { configuration: CardConfiguration; data: CardData }): Watchable | null =>
  watchableOf(shown.configuration, shown.data);
