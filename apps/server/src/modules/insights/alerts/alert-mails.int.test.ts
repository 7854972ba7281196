/** Mails of alerts: one for each crossing and person, written with the state, and sent once however often sending is tried. */
import type { Id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import { createCardAlert, listCardAlerts } from "@accord/contracts/insights/card-alerts";
import { beforeAll, expect, test } from "vitest";
import { alertBody, makeMetric } from "../../../../test-kit/fixtures/card-alerts.ts";
import { mailServer, type MailServer, testApp, type TestApp } from "../../../../test-kit/index.ts";
import { outbox } from "../../../platform/mail/outbox.ts";
import type { Module } from "../../../platform/module.ts";
import { setRoles } from "../../identity/roles/index.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import { addDelivery } from "./alert-deliveries.store.ts";
import { sendMails } from "./alert-deliveries.ts";

let t: TestApp;
let mails: MailServer;
beforeAll(async () => {
  mails = await mailServer();
  t = await testApp({ roles: ["worker"], config: { smtpUrl: mails.url } });
  return () => mails.close();
}, 60_000);

const OVER_50 = { watch: { kind: "value" as const }, condition: { kind: "above" as const, limit: 50 } };
const send = () =>
  sendMails(
    {
      deps: t.deps,
      notifications: t.module<Module & { service: NotificationsService }>("operations/notifications").service,
    },
    new AbortController().signal,
  );
/** Mails about an alert that reached an address. */
const mailsTo = (address: string, name: string): string[] =>
  mails.received(address).filter((text) => text.includes(name));
const emailOf = async (userId: Id<"user">): Promise<string> =>
  (await (await t.asUser(userId)).call(getCurrentUser)).email;

test("the recipients of an alert get one mail each when it is crossed, with the value and the way to the card", async () => {
  const { cardId, set } = await makeMetric(t, t);
  await set(1_234);
  const viewer = await t.as("VIEWER").call(getCurrentUser);
  const other = await t.build.user({ roles: ["VIEWER"] });
  const name = t.deps.newId();
  const body = alertBody([viewer.id, other], { ...OVER_50, name, sendsMail: true });
  await t.as("SYNC_MANAGER").call(createCardAlert, { params: { id: cardId }, body });
  for (const address of [viewer.email, await emailOf(other)]) {
    await expect.poll(() => mailsTo(address, name), { timeout: 30_000 }).toHaveLength(1);
    const [mail] = mailsTo(address, name);
    expect(mail).toContain(`${name}: Amounts has crossed its limit`);
    expect(mail).toContain("1,234 is above 50.");
    expect(mail).toContain(`/insights-studio/cards?alerts=${cardId}`);
  }
  const { rows } = await t.deps.appPool.query("SELECT FROM card_alert_delivery");
  expect(rows).toEqual([]);
}, 60_000);

test("without that wish nobody is mailed", async () => {
  const { cardId, set } = await makeMetric(t, t);
  await set(99);
  const name = t.deps.newId();
  const viewer = await t.as("VIEWER").call(getCurrentUser);
  const body = alertBody([viewer.id], { ...OVER_50, name });
  const editor = t.as("SYNC_MANAGER");
  await editor.call(createCardAlert, { params: { id: cardId }, body });
  const state = async () => (await editor.call(listCardAlerts, { params: { id: cardId } })).alerts[0]?.state;
  await expect.poll(state, { timeout: 30_000 }).toBe("CROSSED");
  await send();
  expect(mailsTo(viewer.email, name)).toEqual([]);
}, 60_000);

/** As it is left by a server that was killed after handing the mail on, and before noting that. */
test("a mail that was handed on and not noted is not sent again, and one to somebody who lost the right not at all", async () => {
  const alertId = await makeQuietAlert();
  const kept = await t.build.user({ roles: ["VIEWER"] });
  const left = await t.build.user({ roles: ["VIEWER"] });
  await setRoles(t.deps.appDb, left, t.instanceId, []);
  const name = t.deps.newId();
  const id = t.deps.newId<"mail">();
  const add = (userId: Id<"user">, mailId: Id<"mail">) =>
    addDelivery(t.deps.appDb, t.instanceId, {
      ...{ id: mailId, alertId, userId, content: { subject: name, text: "Text" } },
      now: t.clock.now().toISOString(),
    });
  await add(left, t.deps.newId<"mail">());
  await add(kept, id);
  await send();
  await add(kept, id);
  await send();
  await mails.next(await emailOf(kept), 1);
  const { rows } = await t.deps.appPool.query("SELECT FROM mail WHERE subject = $1", [name]);
  expect(rows).toHaveLength(1);
}, 60_000);

test("a mail that was stored by a server that ended before there was a job for it is sent all the same", async () => {
  const id = t.deps.newId<"mail">();
  const mail = { id, to: "late@example.com", subject: "Late", text: id, kind: "cardAlert" } as const;
  const message = { ...mail, organisationId: t.organisationId, instanceId: t.instanceId };
  const ended = outbox({ ...t.deps, jobs: { ...t.deps.jobs, send: () => Promise.reject(new Error("killed")) } });
  await expect(ended.send(message)).rejects.toThrow("killed");
  await t.deps.mail.send(message);
  await expect.poll(() => mailsTo(mail.to, id), { timeout: 30_000 }).toHaveLength(1);
}, 60_000);

async function makeQuietAlert(): Promise<Id<"cardAlert">> {
  const { cardId } = await makeMetric(t, t);
  const body = alertBody([(await t.as("VIEWER").call(getCurrentUser)).id], OVER_50);
  return (await t.as("SYNC_MANAGER").call(createCardAlert, { params: { id: cardId }, body })).id;
}
