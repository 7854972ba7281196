/** Evaluates the alerts that are due: the alerts of one card together, so that a slow card delays only its own. */
import { randomUUID } from "node:crypto";
import type { Id, Permission } from "@accord/contracts";
import { ALERT_LIMITS, type AlertValue } from "@accord/contracts/insights/card-alerts";
import { insights } from "@accord/contracts/messages/en/insights";
import type { Db } from "../../../platform/db/db.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Deps } from "../../../platform/deps.ts";
import type { NotificationInput, NotificationsService } from "../../operations/notifications/index.ts";
import { type CardsService, viewerWith } from "../cards/index.ts";
import * as checks from "./alert-checks.store.ts";
import * as deliveries from "./alert-deliveries.store.ts";
import { crossedNotice, failingNotice, linkToAlerts, noticeMail } from "./alert-notices.ts";
import { peopleOf, permissionsOfOwner } from "./alert-people.ts";
import { type Evaluation, stepOf } from "./alert-state.ts";
import { callBody } from "./alert-webhook.ts";
import { evaluateAlert, failureOf, withinLimit } from "./evaluate-alert.ts";
import { takeTurn } from "./turns.ts";

type InstanceId = Id<"instance">;

export interface AlertRunnerParts {
  deps: Pick<Deps, "appDb" | "appPool" | "clock" | "config" | "log" | "newId">;
  cards: Pick<CardsService, "read" | "answerSaved" | "publishedOn">;
  notifications: Pick<NotificationsService, "record" | "announce">;
  /** Has a worker send the mails that wait to be sent. */
  wakeMails(): Promise<void>;
  /** Has a worker make the calls of the instance. */
  wakeCalls(instanceId: InstanceId): Promise<void>;
  /** Longest an evaluation may take; that of the product unless another one is given. */
  evaluationMs?: number;
  /** How long an instance is evaluated before others have their turn; that of the product unless another one is given. */
  turnMs?: number;
}

/** Cards at once of an instance; the engine answers three of its statements at once, and one stays for people. */
const CARDS_AT_ONCE = 2;

/** After which other instances have their turn. */
const TURN_MS = 30_000;
/** Until what failed unexpectedly is tried again. */
const PAUSE_MS = 60_000;

/** Evaluates what is due of an instance, for one turn. Answers whether there may be more. `stopping` gives back what is under way. */
export async function evaluateDue(
  parts: AlertRunnerParts,
  instanceId: InstanceId,
  stopping: AbortSignal,
): Promise<boolean> {
  const { appDb, clock } = parts.deps;
  return takeTurn({ lanes: CARDS_AT_ONCE, ms: parts.turnMs ?? TURN_MS, stopping }, async () => {
    const cardId = await checks.findDueCard(appDb, instanceId, clock.now().toISOString());
    if (cardId) await evaluateCard(parts, instanceId, cardId, stopping);
    return cardId !== null;
  });
}

async function evaluateCard(
  parts: AlertRunnerParts,
  instanceId: InstanceId,
  cardId: Id<"dataCard">,
  stopping: AbortSignal,
): Promise<void> {
  const { appDb, clock, log } = parts.deps;
  const runId = randomUUID();
  const claimed = await checks.claimDue(appDb, instanceId, { cardId, runId, now: clock.now().toISOString() });
  // At once: they share the card's answer, and wait for it together.
  const ends = await Promise.allSettled(claimed.map((alert) => evaluateOne(parts, alert, stopping)));
  const failed = ends.find((end) => end.status === "rejected");
  if (!failed) return;
  // Another server begins them anew.
  if (stopping.aborted) return checks.releaseClaims(appDb, instanceId, runId);
  log.error({ err: failed.reason, cardId }, "alerts of a card could not be evaluated");
  // Later, behind the alerts of other cards.
  const until = new Date(clock.now().getTime() + PAUSE_MS).toISOString();
  await checks.releaseClaims(appDb, instanceId, runId, until);
}

async function evaluateOne(parts: AlertRunnerParts, alert: checks.ClaimedAlert, stopping: AbortSignal): Promise<void> {
  const evaluation = await evaluationOf(parts, alert, stopping);
  const facts = evaluation.state === "CROSSED" ? await factsOf(parts, alert) : null;
  const written = await transaction(parts.deps.appPool, async ({ db }) => {
    const before = await checks.lockClaimed(db, alert);
    if (!before) return null;
    const { notice, ...step } = stepOf(before, evaluation);
    const number = before.notices + (notice === null ? 0 : 1);
    await checks.saveEnd(db, alert, {
      ...step,
      notices: number,
      value: "value" in evaluation ? evaluation.value : undefined,
      problem: problemOf(evaluation),
      hasCrossed: notice === "crossed",
      now: parts.deps.clock.now().toISOString(),
    });
    const inputs = notice === null ? [] : await noticesOf(db, alert, evaluation, { number, facts });
    // In the transaction of the state: neither is there without the other, whichever server ends when.
    for (const input of inputs) await parts.notifications.record(db, input);
    if (notice !== "crossed") return { hasNotices: inputs.length > 0, hasCrossed: false };
    if (alert.sendsMail) for (const input of inputs) await addMail(parts, db, alert, input);
    if (alert.hasWebhook && evaluation.state === "CROSSED" && facts)
      await addCall(parts, db, alert, { ...facts, value: evaluation.value });
    return { hasNotices: inputs.length > 0, hasCrossed: true };
  });
  if (written?.hasNotices) await parts.notifications.announce(alert.instanceId);
  if (written?.hasCrossed && alert.sendsMail) await parts.wakeMails();
  if (written?.hasCrossed && alert.hasWebhook) await parts.wakeCalls(alert.instanceId);
}

async function addMail(
  { deps }: AlertRunnerParts,
  db: Db,
  alert: checks.ClaimedAlert,
  input: NotificationInput,
): Promise<void> {
  if (!input.userId) return;
  await deliveries.addDelivery(db, alert.instanceId, {
    ...{ id: deps.newId<"mail">(), alertId: alert.id, userId: input.userId },
    content: noticeMail(alert, input, deps.config.baseUrl),
    now: deps.clock.now().toISOString(),
  });
}

async function addCall(
  { deps }: AlertRunnerParts,
  db: Db,
  alert: checks.ClaimedAlert,
  crossing: CardFacts & { value: AlertValue },
): Promise<void> {
  const id = deps.newId<"mail">();
  const now = deps.clock.now().toISOString();
  const content = callBody(alert, { ...crossing, id, now, baseUrl: deps.config.baseUrl });
  await deliveries.addDelivery(db, alert.instanceId, { id, alertId: alert.id, userId: null, content, now });
}

/** What the recipients read about the card, beside its value. */
interface CardFacts {
  cardName: string;
  link: string;
}

async function factsOf({ cards }: AlertRunnerParts, { instanceId, cardId }: checks.ClaimedAlert): Promise<CardFacts> {
  const [{ displayName }, [dashboard]] = await Promise.all([
    cards.read(instanceId, cardId),
    cards.publishedOn(instanceId, cardId),
  ]);
  const link = dashboard ? `/insights-studio/${dashboard.id}` : linkToAlerts(cardId);
  return { cardName: displayName, link };
}

async function noticesOf(
  db: Db,
  alert: checks.ClaimedAlert,
  evaluation: Evaluation,
  { number, facts }: { number: number; facts: CardFacts | null },
): Promise<NotificationInput[]> {
  if (evaluation.state === "FAILED") {
    const { ownerId } = alert;
    return ownerId === null ? [] : [failingNotice(alert, { problem: evaluation.problem, number, userId: ownerId })];
  }
  if (evaluation.state !== "CROSSED" || !facts) return [];
  const { seeing } = await peopleOf(db, alert.instanceId, alert.recipients);
  const crossing = { ...facts, value: evaluation.value, number };
  return seeing.map(({ id }) => crossedNotice(alert, crossing, id));
}

function problemOf(evaluation: Evaluation): string | null {
  if (evaluation.state === "FAILED") return evaluation.problem;
  return evaluation.state === "NO_VALUE" ? insights.alerts.problem.no_value : null;
}

/** Never throws for what is wrong with the card or the owner: that is a state. */
async function evaluationOf(
  parts: AlertRunnerParts,
  alert: checks.ClaimedAlert,
  stopping: AbortSignal,
): Promise<Evaluation> {
  const { instanceId, ownerId } = alert;
  const permissions = await permissionsOfOwner(parts.deps.appDb, instanceId, ownerId);
  if (!permissions) return { state: "FAILED", problem: insights.alerts.problem.owner };
  try {
    return await answered(parts, { ...alert, permissions }, stopping);
  } catch (error) {
    if (stopping.aborted) throw error;
    const known = failureOf(error);
    if (known === null) parts.deps.log.error({ err: error }, "an alert could not be evaluated");
    return { state: "FAILED", problem: known ?? insights.alerts.problem.unexpected };
  }
}

const answered = (
  { cards, evaluationMs = ALERT_LIMITS.evaluationMs }: AlertRunnerParts,
  { instanceId, cardId, watch, condition, permissions }: checks.ClaimedAlert & { permissions: ReadonlySet<Permission> },
  stopping: AbortSignal,
): Promise<Evaluation> =>
  withinLimit({ ms: evaluationMs, stopping }, (signal) => {
    // Alerts take turns as one person does: they keep nobody from looking at a dashboard.
    const viewer = viewerWith(permissions, { client: "card alerts", signal });
    return evaluateAlert(cards, { instanceId, cardId, watch, condition, viewer, refresh: false });
  });
