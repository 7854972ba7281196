/** Notifications of alerts: to the recipients of one that was crossed, and to the owner of one that keeps failing. */
import type { Id } from "@accord/contracts";
import type { AlertCondition, AlertValue, AlertWatch } from "@accord/contracts/insights/card-alerts";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { NotificationInput } from "../../operations/notifications/index.ts";
import type { ClaimedAlert } from "./alert-checks.store.ts";

const words = insights.alerts;

/** Where an alert was crossed. */
export interface Crossing {
  value: AlertValue;
  cardName: string;
  /** Where the card is seen. */
  link: string;
  /** Counts the notifications of the alert. */
  number: number;
}

/** Where whoever may edit the card finds its alerts. */
export const linkToAlerts = (cardId: Id<"dataCard">): string => `/insights-studio/cards?alerts=${cardId}`;

/** `above 1,000` */
export function conditionText(condition: AlertCondition): string {
  const plain = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 20 });
  return condition.kind === "above" || condition.kind === "below"
    ? fill(words.condition[condition.kind], { limit: plain(condition.limit) })
    : fill(words.condition[condition.kind], { from: plain(condition.from), to: plain(condition.to) });
}

/** `Revenue, Q2 2026: $1,200` */
export function valueText(watch: AlertWatch, { text, mark }: AlertValue): string {
  const where = [watch.kind === "series" ? watch.label : "", mark].filter((part) => part !== "").join(", ");
  return where === "" ? text : `${where}: ${text}`;
}

export const crossedNotice = (
  { instanceId, id, name, watch, condition }: ClaimedAlert,
  { value, cardName, link, number }: Crossing,
  userId: Id<"user">,
): NotificationInput => ({
  ...{ instanceId, userId, link },
  subject: `card alert ${id} ${number} ${userId}`,
  severity: "warning",
  message: fill(words.notice.crossed, { name, card: cardName }),
  detail: fill(words.notice.value, { value: valueText(watch, value), condition: conditionText(condition) }),
});

export const failingNotice = (
  { instanceId, id, name, cardId }: ClaimedAlert,
  { problem, number, userId }: { problem: string; number: number; userId: Id<"user"> },
): NotificationInput => ({
  ...{ instanceId, userId, link: linkToAlerts(cardId) },
  subject: `card alert ${id} ${number} ${userId}`,
  severity: "error",
  message: fill(words.notice.failing, { name }),
  detail: problem,
});

/** The mail beside a notification: the same words, and the whole address of what it leads to. */
export const noticeMail = (
  { name }: ClaimedAlert,
  { message, detail = "", link = "" }: NotificationInput,
  baseUrl: string,
): { subject: string; text: string } => ({
  subject: message,
  text: fill(words.notice.mail, { message, detail, link: new URL(link, baseUrl).href, name }),
});
