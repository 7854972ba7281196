/** Sends the mails of alerts that were crossed, each once, to people who may still see the card. */
import { randomUUID } from "node:crypto";
import type { Deps } from "../../../platform/deps.ts";
import * as deliveries from "./alert-deliveries.store.ts";
import { peopleOf } from "./alert-people.ts";

type DeliveryDeps = Pick<Deps, "appDb" | "clock" | "log" | "mail">;

/** Until the next try of what could not be handed on. */
const PAUSE_MS = 60_000;

/** Sends what is due until nothing is. */
export async function sendDeliveries(deps: DeliveryDeps, stopping: AbortSignal): Promise<void> {
  const { appDb, clock } = deps;
  while (!stopping.aborted) {
    const delivery = await deliveries.claimDelivery(appDb, randomUUID(), clock.now().toISOString());
    if (!delivery) return;
    try {
      await send(deps, delivery);
      await deliveries.endDelivery(appDb, delivery);
    } catch (error) {
      deps.log.warn({ err: error }, "the mail of an alert could not be handed on");
      const until = new Date(clock.now().getTime() + PAUSE_MS).toISOString();
      await deliveries.postponeDelivery(appDb, delivery, until);
    }
  }
}

/** To the outbox, which delivers it and tries again by itself. */
async function send({ appDb, mail }: DeliveryDeps, delivery: deliveries.Delivery): Promise<void> {
  const { id, instanceId, userId, content } = delivery;
  const [person] = (await peopleOf(appDb, instanceId, [userId])).seeing;
  if (!person) return;
  const { email: to, organisationId } = person;
  await mail.send({ ...content, id, to, kind: "cardAlert", organisationId, instanceId });
}
