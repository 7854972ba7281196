/** Alerts on cards: each crossing is notified once, whoever evaluates; what fails or is empty is a state of its own. */
import type { Id } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  type CardAlert,
  createCardAlert,
  listCardAlerts,
  updateCardAlert,
} from "@accord/contracts/insights/card-alerts";
import { dataCardData } from "@accord/contracts/insights/cards";
import { listNotifications } from "@accord/contracts/operations/notifications";
import { afterEach, beforeAll, expect, test } from "vitest";
import { alertBody, makeMetric, type Metric } from "../../../../test-kit/fixtures/card-alerts.ts";
import {
  changeCard,
  columnCard,
  makeCard,
  makeDashboard,
  makePublished,
} from "../../../../test-kit/fixtures/insights.ts";
import { type Caller, testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { Module } from "../../../platform/module.ts";
import { setRoles } from "../../identity/roles/index.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { CardsService } from "../cards/index.ts";
import * as checks from "./alert-checks.store.ts";
import { type AlertRunnerParts, evaluateDue } from "./alert-runner.ts";

const INTERVAL_MS = 5 * 60_000 + 1_000;
const OVER_50 = { watch: { kind: "value" as const }, condition: { kind: "above" as const, limit: 50 } };

let t: TestApp;
let stopWorker: (() => Promise<void>) | undefined;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
}, 60_000);
afterEach(async () => {
  await stopWorker?.();
  stopWorker = undefined;
});

const editor = () => t.as("SYNC_MANAGER");
const idOf = async (person: Caller): Promise<Id<"user">> => (await person.call(getCurrentUser)).id;

const parts = (more: Partial<AlertRunnerParts> = {}): AlertRunnerParts => ({
  deps: t.deps,
  cards: t.module<Module & { service: CardsService }>("insights/cards").service,
  notifications: t.module<Module & { service: NotificationsService }>("operations/notifications").service,
  wakeMails: async () => {},
  wakeCalls: async () => {},
  ...more,
});
const evaluate = (more: Partial<AlertRunnerParts> = {}) =>
  evaluateDue(parts(more), t.instanceId, new AbortController().signal);
/** The next time an alert is due. */
async function later(more: Partial<AlertRunnerParts> = {}): Promise<void> {
  t.clock.advance(INTERVAL_MS);
  await evaluate(more);
}

/** An alert of the editor on a metric of its own; the viewer is notified. */
async function watched(more: Parameters<typeof alertBody>[1] = {}): Promise<{ metric: Metric; alert: CardAlert }> {
  const metric = await makeMetric(t, t);
  const body = alertBody([await idOf(t.as("VIEWER"))], { ...OVER_50, name: t.deps.newId(), ...more });
  return { metric, alert: await editor().call(createCardAlert, { params: { id: metric.cardId }, body }) };
}

async function read({ id, cardId }: CardAlert): Promise<CardAlert | undefined> {
  const { alerts } = await editor().call(listCardAlerts, { params: { id: cardId } });
  return alerts.find((one) => one.id === id);
}

/** What somebody found under the bell about an alert, the newest first. */
async function noticesOf({ name }: CardAlert, person: Caller = t.as("VIEWER")) {
  const { notifications } = await person.call(listNotifications, { query: { count: 100 } });
  return notifications.filter(({ message }) => message.includes(name));
}

test("a crossing is notified once, and again only after the value was back", async () => {
  const { metric, alert } = await watched();
  expect(alert).toMatchObject({ state: "UNKNOWN", checkedAt: null, last: null });
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "OK", last: { value: 35.75, text: "35.75" }, crossedAt: null });
  await metric.set(60.5);
  await later();
  const crossed = await read(alert);
  expect(crossed).toMatchObject({ state: "CROSSED", last: { value: 60.5 }, crossedAt: crossed?.checkedAt });
  await metric.set(70);
  await later();
  expect(await noticesOf(alert)).toMatchObject([
    {
      severity: "warning",
      message: `${alert.name}: Amounts has crossed its limit`,
      detail: "60.5 is above 50.",
      link: `/insights-studio/cards?alerts=${alert.cardId}`,
    },
  ]);
  await metric.set(50);
  await later();
  expect(await read(alert)).toMatchObject({ state: "OK", last: { value: 50 }, crossedAt: crossed?.checkedAt });
  await metric.set(51);
  await later();
  expect(await noticesOf(alert)).toHaveLength(2);
  expect(await noticesOf(alert, editor())).toEqual([]);
}, 60_000);

test("the value is the one that the card shows, and the way leads to a dashboard that shows the card", async () => {
  const { metric, alert } = await watched();
  const dashboardId = await makePublished(t, t, [metric.cardId]);
  await makeDashboard(t, t, [metric.cardId]);
  await metric.set(1234.5);
  await evaluate();
  const shown = await editor().call(dataCardData, { params: { id: metric.cardId }, body: {} });
  expect(Number(shown.data.rows[0]?.["c0"])).toBe(1234.5);
  expect(await read(alert)).toMatchObject({ state: "CROSSED", last: { value: 1234.5, text: "1,234.5", mark: "" } });
  expect(await noticesOf(alert)).toMatchObject([{ link: `/insights-studio/${dashboardId}` }]);
});

test("of a chart the mark that goes furthest beyond is named, with its series", async () => {
  const cardId = await makeCard(t, t);
  const body = alertBody([await idOf(t.as("VIEWER"))], {
    name: t.deps.newId(),
    watch: {
      ...{ kind: "series", series: "y0", label: "Amount", marks: "any" },
      measure: { column: "amount", aggregate: "sum" },
    },
    condition: { kind: "outside", from: 0, to: 20 },
  });
  const alert = await editor().call(createCardAlert, { params: { id: cardId }, body });
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "CROSSED", last: { value: 25.25, mark: "paid" } });
  expect(await noticesOf(alert)).toMatchObject([{ detail: "Amount, paid: 25.25 is outside 0 to 20." }]);
});

test("two servers that evaluate at once notify once", async () => {
  const { metric, alert } = await watched();
  await metric.set(99);
  await Promise.all(Array.from({ length: 6 }, () => evaluate()));
  expect(await read(alert)).toMatchObject({ state: "CROSSED" });
  expect(await noticesOf(alert)).toHaveLength(1);
});

test("a run that lost its lease to another one, or to a change of the alert, writes nothing", async () => {
  const { metric, alert } = await watched();
  await metric.set(99);
  const claim = (runId: string) =>
    checks.claimDue(t.deps.appDb, t.instanceId, {
      ...{ cardId: alert.cardId, runId },
      now: t.clock.now().toISOString(),
    });
  const [first] = await claim("first");
  expect(first).toMatchObject({ id: alert.id, runId: "first" });
  expect(await claim("second")).toEqual([]);
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "UNKNOWN" });
  // As if it had been silent for too long.
  await t.deps.appPool.query("UPDATE card_alert SET lease_until = now() - interval '1 second' WHERE id = $1", [
    alert.id,
  ]);
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "CROSSED" });
  expect(first && (await checks.lockClaimed(t.deps.appDb, first))).toBeNull();
  expect(await noticesOf(alert)).toHaveLength(1);
});

test("no value is said, and is neither back nor crossed", async () => {
  const { metric, alert } = await watched();
  await metric.set(99);
  await evaluate();
  await metric.set(null);
  await later();
  expect(await read(alert)).toMatchObject({
    ...{ state: "NO_VALUE", problem: "The card has no value there now." },
    last: { value: 99 },
  });
  await metric.set(98);
  await later();
  expect(await read(alert)).toMatchObject({ state: "CROSSED", problem: null, last: { value: 98 } });
  expect(await noticesOf(alert)).toHaveLength(1);
}, 60_000);

test("an alert that fails says why, its owner is notified at the third time, and it is still crossed afterwards", async () => {
  const { metric, alert } = await watched();
  await metric.set(99);
  await evaluate();
  const { configuration } = await editor().call(dataCardData, { params: { id: metric.cardId }, body: {} });
  const broken = {
    ...configuration,
    columns: [{ column: "gone", name: "gone", displayName: "", displayFormat: "number" as const }],
  };
  await changeCard(t, metric.cardId, broken, (name) => name);
  for (const failures of [1, 2, 3, 4]) {
    await later();
    const problem = expect.stringContaining("The dataset has no column “gone”") as string;
    expect(await read(alert)).toMatchObject({ state: "FAILED", failures, problem });
    expect(await noticesOf(alert, editor())).toHaveLength(failures < 3 ? 0 : 1);
  }
  expect(await noticesOf(alert, editor())).toMatchObject([
    { severity: "error", link: `/insights-studio/cards?alerts=${alert.cardId}` },
  ]);
  await changeCard(t, metric.cardId, configuration, (name) => name);
  await later();
  expect(await read(alert)).toMatchObject({ state: "CROSSED", failures: 0, problem: null });
  expect(await noticesOf(alert)).toHaveLength(1);
}, 60_000);

test("a card that becomes a chart of another kind fails its alert with what to do", async () => {
  const { metric, alert } = await watched();
  const { configuration } = await editor().call(dataCardData, { params: { id: metric.cardId }, body: {} });
  await changeCard(t, metric.cardId, columnCard(configuration.datasetId), (name) => name);
  await evaluate();
  expect(await read(alert)).toMatchObject({
    state: "FAILED",
    problem: "This card is no single number. Choose a series of its chart.",
  });
});

test("an owner who may edit cards no more, or is deleted, fails the alert, until somebody else saves it", async () => {
  const metric = await makeMetric(t, t);
  await metric.set(99);
  const ownerId = await t.build.user({ roles: ["SYNC_MANAGER"] });
  const owner = await t.asUser(ownerId);
  const body = alertBody([await idOf(t.as("VIEWER"))], { ...OVER_50, name: t.deps.newId() });
  const alert = await owner.call(createCardAlert, { params: { id: metric.cardId }, body });
  await setRoles(t.deps.appDb, ownerId, t.instanceId, ["VIEWER"]);
  await evaluate();
  const problem = expect.stringContaining("may no longer edit or see cards") as string;
  expect(await read(alert)).toMatchObject({ state: "FAILED", problem, owner: "Test Person", last: null });
  await t.deps.appPool.query("DELETE FROM app_user WHERE id = $1", [ownerId]);
  await later();
  expect(await read(alert)).toMatchObject({ state: "FAILED", problem, owner: "" });
  expect(await noticesOf(alert)).toEqual([]);
  const changed = { params: { alertId: alert.id }, body: { ...body, version: alert.version } };
  await editor().call(updateCardAlert, changed);
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "CROSSED", failures: 0 });
  expect(await noticesOf(alert)).toHaveLength(1);
}, 60_000);

test("a recipient who may see cards no more is not notified, the others are", async () => {
  const leaving = await t.build.user({ roles: ["VIEWER"] });
  const { metric, alert } = await watched({ recipients: [leaving, await idOf(t.as("VIEWER"))] });
  await setRoles(t.deps.appDb, leaving, t.instanceId, []);
  await metric.set(99);
  await evaluate();
  expect(await noticesOf(alert)).toHaveLength(1);
  const { rows } = await t.deps.appPool.query("SELECT FROM notification WHERE user_id = $1", [leaving]);
  expect(rows).toHaveLength(0);
});

test("a slow card ends at its time limit and keeps no other one waiting", async () => {
  const [slow, quick] = [await watched(), await watched()];
  await quick.metric.set(99);
  const client = await t.deps.dataPool.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${slow.metric.table} IN ACCESS EXCLUSIVE MODE`);
    const run = evaluate({ evaluationMs: 3_000 });
    await expect.poll(async () => (await read(quick.alert))?.state, { timeout: 2_500 }).toBe("CROSSED");
    expect(await read(slow.alert)).toMatchObject({ state: "UNKNOWN" });
    await run;
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  expect(await read(slow.alert)).toMatchObject({
    state: "FAILED",
    problem: expect.stringContaining("This took too long.") as string,
  });
}, 60_000);

test("a worker evaluates a new alert by itself, and gives back what it works on when the server stops", async () => {
  const { metric, alert } = await watched();
  stopWorker = await t.module("insights/alerts").startWorker?.();
  await expect.poll(async () => (await read(alert))?.state, { timeout: 30_000 }).toBe("OK");
  await stopWorker?.();
  stopWorker = undefined;
  const client = await t.deps.dataPool.connect();
  try {
    await client.query(`BEGIN; LOCK TABLE ${metric.table} IN ACCESS EXCLUSIVE MODE`);
    t.clock.advance(INTERVAL_MS);
    const stopping = new AbortController();
    const run = evaluateDue(parts(), t.instanceId, stopping.signal);
    const claims = async () =>
      (await t.deps.appPool.query("SELECT FROM card_alert WHERE id = $1 AND run_id IS NOT NULL", [alert.id])).rows
        .length;
    await expect.poll(claims).toBe(1);
    stopping.abort(new Error("the server stops"));
    await run;
    expect(await claims()).toBe(0);
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
  await evaluate();
  expect(await read(alert)).toMatchObject({ state: "OK", failures: 0 });
}, 60_000);
