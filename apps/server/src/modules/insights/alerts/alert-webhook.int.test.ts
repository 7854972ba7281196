/** Addresses that alerts call: one body for each crossing, tried again under one key, kept secret and within bounds. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  type CardAlert,
  createCardAlert,
  listCardAlerts,
  updateCardAlert,
} from "@accord/contracts/insights/card-alerts";
import { listAuditEntries } from "@accord/contracts/operations/audit";
import { listNotifications } from "@accord/contracts/operations/notifications";
import { afterEach, beforeAll, expect, test } from "vitest";
import { alertBody, makeMetric } from "../../../../test-kit/fixtures/card-alerts.ts";
import { type Place, testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { Module } from "../../../platform/module.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { CardsService } from "../cards/index.ts";
import { sendCalls } from "./alert-deliveries.ts";
import { evaluateDue } from "./alert-runner.ts";

interface Call {
  path: string;
  key: unknown;
  body: { [key: string]: unknown };
}
const TOKEN = "canary-token-of-the-address";
const OVER_50 = { watch: { kind: "value" as const }, condition: { kind: "above" as const, limit: 50 } };
const HOUR_MS = 3_600_000;

let t: TestApp;
let address: string;
let calls: Call[] = [];
const ok = (reply: ServerResponse): void => void reply.writeHead(204).end();
let answer = ok;

beforeAll(async () => {
  t = await testApp();
  const server = createServer((request, reply) => {
    void textOf(request).then((text) => {
      calls.push({ path: request.url ?? "", key: request.headers["idempotency-key"], body: JSON.parse(text) });
      answer(reply);
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  address = `http://127.0.0.1:${port}`;
  t.deps.outbound.allow(`127.0.0.1:${port}`);
  return () => {
    server.closeAllConnections();
    server.close();
  };
}, 60_000);
afterEach(() => {
  [calls, answer] = [[], ok];
});

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
}

const notifications = () => t.module<Module & { service: NotificationsService }>("operations/notifications").service;
const signal = () => new AbortController().signal;
const evaluate = ({ instanceId }: Place) =>
  evaluateDue(
    {
      ...{ deps: t.deps, notifications: notifications(), wakeMails: async () => {}, wakeCalls: async () => {} },
      cards: t.module<Module & { service: CardsService }>("insights/cards").service,
    },
    instanceId,
    signal(),
  );
const sendOf = ({ instanceId }: Place) =>
  sendCalls({ deps: t.deps, notifications: notifications() }, instanceId, signal());
const send = () => sendOf(t);
const editor = () => t.as("SYNC_MANAGER");

async function crossed(webhook: string, at: Place = t): Promise<{ alert: CardAlert; cardId: Id<"dataCard"> }> {
  const { cardId, set } = await makeMetric(t, at);
  await set(60.5);
  const viewer = (await t.as("VIEWER", at).call(getCurrentUser)).id;
  const body = alertBody([viewer], { ...OVER_50, name: t.deps.newId(), webhook });
  const alert = await t.as("SYNC_MANAGER", at).call(createCardAlert, { params: { id: cardId }, body });
  await evaluate(at);
  return { alert, cardId };
}
const read = async (cardId: Id<"dataCard">): Promise<CardAlert | undefined> =>
  (await editor().call(listCardAlerts, { params: { id: cardId } })).alerts[0];

test("an address is called once for a crossing, with the value, the condition and the way to the card", async () => {
  const { alert, cardId } = await crossed(`${address}/hooks/${TOKEN}`);
  await Promise.all([send(), send()]);
  await send();
  expect(calls).toEqual([
    {
      path: `/hooks/${TOKEN}`,
      key: calls[0]?.body["id"],
      body: {
        ...{ id: expect.any(String) as string, event: "cardAlert.crossed", at: expect.any(String) as string },
        ...{ instanceId: t.instanceId, alert: { id: alert.id, name: alert.name } },
        card: { id: cardId, name: "Amounts" },
        ...{ value: 60.5, text: "60.5", series: null, mark: null, condition: OVER_50.condition },
        link: new URL(`/insights-studio/cards?alerts=${cardId}`, t.deps.config.baseUrl).href,
      },
    },
  ]);
  expect(await read(cardId)).toMatchObject({ state: "CROSSED", webhook: address, webhookProblem: null });
});

test("a refused call is tried again under the same key, says why meanwhile, and is not made twice once it was taken", async () => {
  answer = (reply) => void reply.writeHead(503).end();
  const { cardId } = await crossed(`${address}/down`);
  await send();
  await send();
  expect(calls).toHaveLength(1);
  expect(await read(cardId)).toMatchObject({ webhookProblem: "it answered 503." });
  t.clock.advance(61_000);
  answer = ok;
  await send();
  t.clock.advance(3 * HOUR_MS);
  await send();
  expect(calls).toHaveLength(2);
  expect(calls[1]?.key).toBe(calls[0]?.key);
  expect(await read(cardId)).toMatchObject({ webhookProblem: null });
});

test("a crossing that an address has not taken goes to the one that is entered instead", async () => {
  answer = (reply) => void reply.writeHead(503).end();
  const { alert, cardId } = await crossed(`${address}/former`);
  await send();
  const body = { ...alertBody(alert.recipients, OVER_50), version: 1, webhook: `${address}/present` };
  await editor().call(updateCardAlert, { params: { alertId: alert.id }, body });
  answer = ok;
  await send();
  expect(calls.map(({ path }) => path)).toEqual(["/former", "/present"]);
  expect(await read(cardId)).toMatchObject({ webhookProblem: null });
});

test("a call that ends with the server is no try, and is made again at once", async () => {
  answer = () => {};
  const { alert } = await crossed(`${address}/interrupted`);
  const stopping = new AbortController();
  const sending = sendCalls({ deps: t.deps, notifications: notifications() }, t.instanceId, stopping.signal);
  await expect.poll(() => calls).toHaveLength(1);
  stopping.abort();
  await sending;
  const { rows } = await t.deps.appPool.query("SELECT attempts FROM card_alert_delivery WHERE alert_id = $1", [
    alert.id,
  ]);
  expect(rows).toEqual([{ attempts: 0 }]);
  answer = ok;
  await send();
  expect(calls).toHaveLength(2);
});

test("after five tries it is given up, and the owner is notified once", async () => {
  answer = (reply) => void reply.writeHead(302, { location: `${address}/elsewhere` }).end();
  const { alert, cardId } = await crossed(`${address}/moved`);
  for (let tries = 0; tries < 8; tries += 1) {
    await send();
    t.clock.advance(3 * HOUR_MS);
  }
  expect(calls).toHaveLength(5);
  expect(new Set(calls.map(({ path }) => path))).toEqual(new Set(["/moved"]));
  const { notifications: found } = await editor().call(listNotifications, { query: {} });
  expect(found.filter(({ message }) => message.includes(alert.name))).toMatchObject([
    { message: `The alert ${alert.name} could not call ${address}`, link: `/insights-studio/cards?alerts=${cardId}` },
  ]);
  expect((await read(cardId))?.webhookProblem).not.toBeNull();
});

test("addresses that do not answer delay the calls of their own instance alone", async () => {
  const silent: ServerResponse[] = [];
  answer = (reply) => void silent.push(reply);
  for (let count = 0; count < 6; count += 1) await crossed(`${address}/silent`);
  const own = send();
  await expect.poll(() => silent).toHaveLength(4);
  answer = ok;
  const elsewhere = { organisationId: t.organisationId, instanceId: await t.build.instance() };
  const { alert } = await crossed(`${address}/elsewhere`, elsewhere);
  await sendOf(elsewhere);
  expect(calls.filter(({ path }) => path === "/elsewhere").map(({ body }) => body["alert"])).toEqual([
    { id: alert.id, name: alert.name },
  ]);
  expect(calls).toHaveLength(5);
  for (const reply of silent) reply.end();
  await own;
  expect(calls.filter(({ path }) => path === "/silent")).toHaveLength(6);
});

test("an answer without end is cut at its limit", async () => {
  answer = (reply) => void reply.writeHead(200).end("x".repeat(100_000));
  const { cardId } = await crossed(`${address}/large`);
  await send();
  expect((await read(cardId))?.webhookProblem).toMatch(/bytes|large|longer|more than/i);
});

test("an address inside the server's own network is refused, as to everything else that calls out", async () => {
  const { cardId } = await crossed("http://169.254.169.254/latest");
  await send();
  expect((await read(cardId))?.webhookProblem).toMatch(/169\.254\.169\.254/);
});

test("the address is in no reply, no log of changes and no column; leaving it out keeps it, null removes it", async () => {
  const { alert, cardId } = await crossed(`${address}/hooks/${TOKEN}`);
  const viewer = (await t.as("VIEWER").call(getCurrentUser)).id;
  const body = { ...alertBody([viewer], OVER_50), name: "Renamed" };
  const change = (more: object) =>
    editor().call(updateCardAlert, { params: { alertId: alert.id }, body: { ...body, version: 1, ...more } });
  expect(await change({})).toMatchObject({ name: "Renamed", webhook: address });
  const { entries } = await t.as("SUPER_ADMIN").call(listAuditEntries, { query: {} });
  const { rows } = await t.deps.appPool.query("SELECT * FROM card_alert");
  const replies = [alert, await read(cardId), entries, rows];
  expect(JSON.stringify(entries)).toContain(address);
  expect(JSON.stringify(replies)).not.toContain(TOKEN);
  expect(await change({ version: 2, webhook: null })).toMatchObject({ webhook: null });
  await send();
  expect(calls).toEqual([]);
  const wrong = { params: { id: cardId }, body: { ...body, webhook: "ftp://example.com" } };
  expect(await editor().send(createCardAlert, wrong)).toMatchObject({
    status: 400,
    body: { errors: [{ path: "webhook", message: "must be a web address: https://…" }] },
  });
});
