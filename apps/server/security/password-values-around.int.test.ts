/** T27: values of password fields that come by webhook, are mailed and are repeated by a service: nowhere stored or shown. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Id } from "@accord/contracts";
import { listWebhookLog } from "@accord/contracts/connections/webhooks";
import { listRecords } from "@accord/contracts/data/records";
import { getMail, listMails } from "@accord/contracts/operations/mails";
import { listNotifications } from "@accord/contracts/operations/notifications";
import { PASSWORD_MASK } from "@accord/contracts/data/records";
import { listPipelineActions } from "@accord/contracts/sync/actions";
import { beforeAll, expect, test } from "vitest";
import { node } from "../test-kit/graphs.ts";
import { mailServer, type MailServer, testApp, type TestApp } from "../test-kit/index.ts";
import { passwordWebhook, type PasswordWebhook } from "../test-kit/systems/password-webhook.ts";
import { storedRows } from "../test-kit/database/stored-rows.ts";
import { eventually } from "../test-kit/sync-world/working-world.ts";

const CANARY = "kanarienvogel";
const RECIPIENT = "desk@example.com";
let t: TestApp;
let mails: MailServer;
let connectorId: Id<"connector">;
let entityId: Id<"entity">;
let post: PasswordWebhook["post"];
let toEcho = "";

beforeAll(async () => {
  mails = await mailServer();
  const echo = createServer(async (request, reply) => {
    let body = "";
    for await (const part of request) body += String(part);
    toEcho = body;
    reply.setHeader("content-type", "application/json").end(JSON.stringify({ stored: JSON.parse(body) }));
  });
  await new Promise<void>((resolve) => echo.listen(0, "127.0.0.1", resolve));
  const { port } = echo.address() as AddressInfo;
  t = await testApp({
    roles: ["web", "worker"],
    realTime: true,
    listen: true,
    config: { smtpUrl: mails.url, outboundAllow: [`127.0.0.1:${port}`] },
  });
  ({ connectorId, entityId, post } = await passwordWebhook(t, aroundNodes(port)));
  return async () => {
    echo.closeAllConnections();
    echo.close();
    await mails.close();
  };
}, 60_000);

const manager = () => t.as("SYNC_MANAGER");

/** What happens to a login on its way: it is sent to a service that repeats it, mailed, and told. */
function aroundNodes(echoPort: number) {
  const echo = {
    method: "POST",
    url: `http://127.0.0.1:${echoPort}/`,
    body: '{"pin": "{{Desk.payload.pin}}"}',
    bodyType: "json",
  };
  const mail = {
    to: RECIPIENT,
    subject: "Pin {{Desk.payload.pin}}",
    body: "It is {{Desk.payload.pin}}.",
    format: "text",
  };
  return [
    node("echo", "ACTION", echo, "httpRequest"),
    node("mail", "ACTION", mail, "sendEmail"),
    node("tell", "ACTION", { text: "Pin {{previous.values.pin}} of {{previous.values.name}}" }, "sendNotification"),
  ];
}

/** Rows of both databases that hold it as it is. */
const plainRows = async () => (await storedRows(t)).filter(({ text }) => text.includes(CANARY));

test("[T27] a post, what a service repeats of it, mails and notifications about it: a system gets the value, people the mask", async () => {
  const long = "x".repeat(9_000);
  expect(await post(JSON.stringify({ note: long, logins: [{ id: "1", name: "Ada", pin: `${CANARY} one` }] }))).toBe(
    202,
  );
  await eventually("the login", async () => {
    const { records } = await manager().call(listRecords, { params: { entityId } });
    return records.length === 1 ? records : undefined;
  });
  await expect.poll(() => toEcho).toContain(`${CANARY} one`);
  const sent = await mails.next(RECIPIENT, 1);
  expect(sent).not.toContain(CANARY);
  expect(sent).toContain(`It is ${PASSWORD_MASK}.`);

  const actions = await eventually("the end of all actions", async () => {
    const found = await t.as("VIEWER").call(listPipelineActions, { params: { entityId }, query: {} });
    return found.actions.filter(({ state }) => state === "DONE").length === 3 ? found.actions : undefined;
  });
  expect(await plainRows()).toEqual([]);
  expect(new Map(actions.map(({ action, body }) => [action, body]))).toEqual(
    new Map([
      ["httpRequest", PASSWORD_MASK],
      ["sendEmail", PASSWORD_MASK],
      ["sendNotification", null],
    ]),
  );
  const { notifications } = await manager().call(listNotifications, {});
  expect(notifications.map(({ message }) => message)).toContain(`Pin ${PASSWORD_MASK} of Ada`);
  const outbox = await t.as("ORG_ADMIN").call(listMails, {});
  const [mail] = outbox.mails.filter(({ kind }) => kind === "pipelineAction");
  const shown = await t.as("ORG_ADMIN").call(getMail, { params: { mailId: mail?.id ?? ("" as never) } });
  const { entries } = await manager().call(listWebhookLog, { params: { connectorId }, query: {} });
  expect(JSON.stringify([outbox, shown, entries])).not.toContain(CANARY);
  expect(shown).toMatchObject({ to: RECIPIENT, text: expect.stringContaining("hidden") });
});
