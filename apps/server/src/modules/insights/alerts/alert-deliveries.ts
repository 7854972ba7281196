/** Sends what alerts that were crossed have to send: mails, each once, and calls of an address, tried again for hours. */
import { randomUUID } from "node:crypto";
import type { Id } from "@accord/contracts";
import { ALERT_LIMITS } from "@accord/contracts/insights/card-alerts";
import { insights } from "@accord/contracts/messages/en/insights";
import { fill } from "@accord/contracts/messages/fill";
import type { Deps } from "../../../platform/deps.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import * as deliveries from "./alert-deliveries.store.ts";
import { linkToAlerts } from "./alert-notices.ts";
import { peopleOf } from "./alert-people.ts";
import { addressPlace, callAddress } from "./alert-webhook.ts";
import { takeTurn } from "./turns.ts";

export interface DeliveryParts {
  deps: Pick<Deps, "appDb" | "clock" | "log" | "mail" | "outbound" | "secrets">;
  notifications: Pick<NotificationsService, "notify">;
}

/** Calls at once of an instance: an address that does not answer keeps the others from nothing. */
const AT_ONCE = 4;
/** After which other instances have their turn. */
const TURN_MS = 30_000;
const MINUTE_MS = 60_000;
/** After the first failed try, the second … */
const PAUSES_MS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS);

/** Hands the mails that are due to the outbox. `stopping` leaves what is under way to the next server. */
export async function sendMails(parts: DeliveryParts, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted && (await sendNext(parts, "mail", stopping))) continue;
}

/** Makes the calls of an instance that are due, for one turn. Answers whether there may be more. */
export const sendCalls = (parts: DeliveryParts, instanceId: Id<"instance">, stopping: AbortSignal): Promise<boolean> =>
  takeTurn({ lanes: AT_ONCE, ms: TURN_MS, stopping }, () => sendNext(parts, { callsOf: instanceId }, stopping));

async function sendNext(parts: DeliveryParts, kind: deliveries.DeliveryKind, stopping: AbortSignal): Promise<boolean> {
  const { appDb, clock } = parts.deps;
  const delivery = await deliveries.claimDelivery(appDb, kind, { runId: randomUUID(), now: clock.now().toISOString() });
  if (delivery) await send(parts, delivery, stopping);
  return delivery !== null;
}

async function send(parts: DeliveryParts, delivery: deliveries.Delivery, stopping: AbortSignal): Promise<void> {
  const { appDb, clock, log } = parts.deps;
  const postpone = (ms: number, attempts = delivery.attempts) => {
    const until = new Date(clock.now().getTime() + ms).toISOString();
    return deliveries.postponeDelivery(appDb, delivery, { attempts, until });
  };
  try {
    if (delivery.kind === "mail") await mail(parts.deps, delivery);
    else {
      const failed = await call(parts, delivery, stopping);
      const attempts = delivery.attempts + 1;
      const pause = PAUSES_MS[delivery.attempts];
      if (failed && attempts < ALERT_LIMITS.webhookTries && pause !== undefined) return await postpone(pause, attempts);
      if (failed) await giveUp(parts, delivery, failed);
    }
    await deliveries.endDelivery(appDb, delivery);
  } catch (error) {
    if (stopping.aborted) return postpone(0);
    log.warn({ err: error }, "a message of an alert could not be sent");
    await postpone(MINUTE_MS);
  }
}

/** To the outbox, which delivers it and tries again by itself. */
async function mail(
  { appDb, mail: outbox }: DeliveryParts["deps"],
  { id, instanceId, userId, content }: deliveries.Delivery & { kind: "mail" },
): Promise<void> {
  const [person] = (await peopleOf(appDb, instanceId, [userId])).seeing;
  if (!person) return;
  const { email: to, organisationId } = person;
  await outbox.send({ ...content, id, to, kind: "cardAlert", organisationId, instanceId });
}

interface FailedCall {
  called: deliveries.Called;
  problem: string;
}

/** Null when it was taken, or nothing is to be called any more. */
async function call(
  { deps }: DeliveryParts,
  { id, instanceId, alertId, content }: deliveries.Delivery & { kind: "call" },
  stopping: AbortSignal,
): Promise<FailedCall | null> {
  const called = await deliveries.findCalled(deps.appDb, instanceId, alertId);
  if (!called) return null;
  const address = await deps.secrets.open(addressPlace(instanceId, alertId), called.sealed).catch((error: unknown) => {
    deps.log.error({ err: error }, "the address of an alert can't be read");
    return null;
  });
  const problem =
    address === null
      ? insights.alerts.webhookReason.unexpected
      : await callAddress(deps, address, { id, content, stopping });
  await deliveries.noteCall(deps.appDb, { instanceId, alertId, sealed: called.sealed }, problem);
  return problem === null ? null : { called, problem };
}

/** The owner is notified once of each crossing that an address never took: before it is forgotten. */
async function giveUp(
  { notifications }: DeliveryParts,
  { id, instanceId, alertId }: deliveries.Delivery,
  { called: { name, origin, cardId, ownerId }, problem }: FailedCall,
): Promise<void> {
  if (ownerId === null) return;
  await notifications.notify({
    ...{ instanceId, userId: ownerId, link: linkToAlerts(cardId) },
    subject: `card alert ${alertId} call ${id}`,
    severity: "error",
    message: fill(insights.alerts.webhookGivenUp, { name, origin }),
    detail: problem,
  });
}
