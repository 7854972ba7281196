/** Making alerts on cards: who may, what is refused and where it says so, how many there can be, and what a test says. */
import type { Id, Permission } from "@accord/contracts";
import { getCurrentUser } from "@accord/contracts/identity/users";
import {
  ALERT_LIMITS,
  createCardAlert,
  deleteCardAlert,
  listCardAlerts,
  testCardAlert,
  updateCardAlert,
} from "@accord/contracts/insights/card-alerts";
import { dataCardDependencies, deleteDataCard } from "@accord/contracts/insights/cards";
import { listNotifications } from "@accord/contracts/operations/notifications";
import { beforeAll, expect, test } from "vitest";
import { alertBody, makeAlert, makeMetric } from "../../../../test-kit/fixtures/card-alerts.ts";
import { makeCard, makeDataset } from "../../../../test-kit/fixtures/insights.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";

let t: TestApp;
let viewer: Id<"user">;
beforeAll(async () => {
  t = await testApp();
  viewer = (await t.as("VIEWER").call(getCurrentUser)).id;
}, 60_000);

const editor = () => t.as("SYNC_MANAGER");
const NUMBER = { watch: { kind: "value" as const }, condition: { kind: "above" as const, limit: 50 } };
const create = (id: Id<"dataCard">, more: object = {}) =>
  editor().send(createCardAlert, { params: { id }, body: { ...alertBody([viewer], NUMBER), ...more } });
const refused = (path: string, message: string | RegExp) => ({
  status: 400,
  body: {
    code: "validation_failed",
    errors: [{ path, message: typeof message === "string" ? message : (expect.stringMatching(message) as string) }],
  },
});

test("whoever may change cards makes, changes, tests and deletes alerts; viewers get nothing of them", async () => {
  const { cardId } = await makeMetric(t, t);
  const params = { id: cardId };
  const body = alertBody([viewer], NUMBER);
  const both: Permission[] = ["UPDATE_DATACARD", "READ_INSIGHTS"];
  const maker = t.as(both);
  const alert = await maker.call(createCardAlert, { params, body });
  expect(alert).toMatchObject({ name: "Too much", state: "UNKNOWN", recipients: [viewer], version: 1 });
  const change = { params: { alertId: alert.id }, body: { ...body, name: "Far too much", version: 1 } };
  for (const who of [t.as("VIEWER"), t.as(["READ_INSIGHTS"]), t.as(["UPDATE_DATACARD"])]) {
    const answers = [
      await who.send(listCardAlerts, { params }),
      await who.send(createCardAlert, { params, body }),
      await who.send(updateCardAlert, change),
      await who.send(testCardAlert, { params, body: NUMBER }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  }
  expect((await t.as("VIEWER").send(deleteCardAlert, { params: { alertId: alert.id } })).status).toBe(403);
  expect(await maker.call(updateCardAlert, change)).toMatchObject({ name: "Far too much", version: 2 });
  const { alerts, people } = await maker.call(listCardAlerts, { params });
  expect(alerts.map(({ name }) => name)).toEqual(["Far too much"]);
  expect(people).toContainEqual({ id: viewer, name: "Test Person" });
  await maker.call(deleteCardAlert, { params: { alertId: alert.id } });
  expect((await maker.call(listCardAlerts, { params })).alerts).toEqual([]);
  expect((await maker.send(deleteCardAlert, { params: { alertId: alert.id } })).status).toBe(404);
});

test("what can't be is refused at its field", async () => {
  const { cardId } = await makeMetric(t, t);
  const range = { kind: "outside", from: 3, to: 1 };
  expect(await create(cardId, { name: "  " })).toMatchObject(refused("name", "Enter a name."));
  expect(await create(cardId, { recipients: [] })).toMatchObject(refused("recipients", "Choose somebody to notify."));
  expect(await create(cardId, { condition: range })).toMatchObject(refused("condition.to", /must not be less/));
  expect(await create(cardId, { condition: { kind: "above" } })).toMatchObject(
    refused("condition.limit", "Enter a number."),
  );
  expect(await create(cardId, { everyMinutes: 1 })).toMatchObject(refused("everyMinutes", /must be one of 5, 15/));
  const series = { kind: "series", series: "y0", label: "", marks: "any" };
  expect(await create(cardId, { watch: series })).toMatchObject(refused("watch", /no such series/));
  const chart = await makeCard(t, t);
  expect(await create(chart)).toMatchObject(refused("watch", /no single number/));
  const table = await makeCard(t, t, await makeDataset(t, t), {
    vizType: "TABLE",
    columns: [{ column: "status", name: "status", displayFormat: "text" }],
  });
  expect(await create(table)).toMatchObject(refused("watch", /A table can't be watched/));
});

test("only people of the instance who may see cards can be notified, each by their name in the refusal", async () => {
  const { cardId } = await makeMetric(t, t);
  const blind = await t.build.user({ roles: [] });
  const guest = await t.build.user({ instanceId: await t.build.instance(), roles: ["VIEWER"] });
  for (const outside of [blind, guest, t.deps.newId()])
    expect(await create(cardId, { recipients: [viewer, outside] })).toMatchObject({ status: 404 });
  const without = (await t.as(["UPDATE_DATACARD"]).call(getCurrentUser)).id;
  expect(await create(cardId, { recipients: [without] })).toMatchObject(refused("recipients", /may not see cards: /));
});

test("a recipient who may no longer see cards is listed, and named when the alert is saved", async () => {
  const { cardId } = await makeMetric(t, t);
  const leaving = await t.build.user({ roles: ["VIEWER"] });
  const body = alertBody([viewer, leaving], NUMBER);
  const { id: alertId } = await editor().call(createCardAlert, { params: { id: cardId }, body });
  const custom = (await t.as(["UPDATE_DATACARD"]).call(getCurrentUser)).id;
  await t.deps.appPool.query(
    "UPDATE user_role SET role = (SELECT role FROM user_role WHERE user_id = $2 LIMIT 1) WHERE user_id = $1",
    [leaving, custom],
  );
  const { people } = await editor().call(listCardAlerts, { params: { id: cardId } });
  expect(people.map(({ id }) => id)).toContain(leaving);
  const change = await editor().send(updateCardAlert, { params: { alertId }, body: { ...body, version: 1 } });
  expect(change).toMatchObject(refused("recipients", /may not see cards: /));
});

test("a change of name keeps what was found, another limit starts anew, and an old version is refused", async () => {
  const { cardId } = await makeMetric(t, t);
  const body = alertBody([viewer], NUMBER);
  const { id: alertId } = await editor().call(createCardAlert, { params: { id: cardId }, body });
  await t.deps.appPool.query(
    "UPDATE card_alert SET latch = 'CROSSED', outcome = 'VALUE', value = 60, value_text = '60', mark = '' WHERE id = $1",
    [alertId],
  );
  const change = (more: object) => editor().send(updateCardAlert, { params: { alertId }, body: { ...body, ...more } });
  expect((await change({ name: "Other", version: 1 })).body).toMatchObject({ state: "CROSSED", last: { value: 60 } });
  expect(await change({ name: "Third", version: 1 })).toMatchObject({
    status: 409,
    body: { code: "stale_version", details: { newest: { name: "Other", version: 2 } } },
  });
  const other = { condition: { kind: "above", limit: 51 }, version: 2 };
  expect((await change(other)).body).toMatchObject({ state: "UNKNOWN", last: null, version: 3 });
});

test("a test says the value of now, changes nothing and notifies nobody; what is wrong with the card is refused", async () => {
  const { cardId, set } = await makeMetric(t, t);
  const alertId = await makeAlert(t, t, cardId, NUMBER);
  const run = (condition: object, watch: object = NUMBER.watch) =>
    editor().send(testCardAlert, { params: { id: cardId }, body: { watch, condition } });
  expect((await run(NUMBER.condition)).body).toEqual({
    state: "OK",
    value: { value: 35.75, text: "35.75", mark: "" },
  });
  // Not the answer of before, which is kept for a while.
  await set(80);
  expect((await run(NUMBER.condition)).body).toMatchObject({ state: "CROSSED", value: { value: 80 } });
  await set(null);
  expect((await run(NUMBER.condition)).body).toEqual({ state: "NO_VALUE", value: null });
  const chart = await makeCard(t, t);
  const latest = { kind: "series", series: "y0", label: "", marks: "latest" };
  expect(
    await editor().send(testCardAlert, { params: { id: chart }, body: { ...NUMBER, watch: latest } }),
  ).toMatchObject(refused("watch.marks", /have no dates/));
  const { alerts } = await editor().call(listCardAlerts, { params: { id: cardId } });
  expect(alerts).toMatchObject([{ id: alertId, state: "UNKNOWN", checkedAt: null }]);
  const { notifications } = await t.as("SUPER_ADMIN").call(listNotifications, { query: {} });
  expect(notifications).toEqual([]);
});

test("a card and an instance have a limited number of alerts, also when many are made at once", async () => {
  const at = { ...t, instanceId: await t.build.instance() };
  const { cardId } = await makeMetric(t, at);
  const body = alertBody([(await t.as("SUPER_ADMIN", at).call(getCurrentUser)).id], NUMBER);
  const make = (id: Id<"dataCard">) => t.as("SUPER_ADMIN", at).send(createCardAlert, { params: { id }, body });
  const answers = await Promise.all(Array.from({ length: ALERT_LIMITS.perCard + 3 }, () => make(cardId)));
  expect(answers.filter(({ status }) => status < 300)).toHaveLength(ALERT_LIMITS.perCard);
  expect(answers.find(({ status }) => status >= 300)).toMatchObject({
    status: 409,
    body: { code: "too_many_alerts", message: "No more alerts can be kept: 20 of a card." },
  });
  const other = await makeMetric(t, at);
  await t.deps.appPool.query(
    `INSERT INTO card_alert (instance_id, id, card_id, name, watch, condition, every_minutes, recipients, next_at, created_at, updated_at)
     SELECT instance_id, lpad(to_hex(number), 24, '0'), card_id, name, watch, condition, every_minutes, recipients, next_at, created_at, updated_at
     FROM (SELECT * FROM card_alert WHERE card_id = $1 LIMIT 1) one, generate_series(1, $2::integer) number`,
    [cardId, ALERT_LIMITS.perInstance - ALERT_LIMITS.perCard],
  );
  expect(await make(other.cardId)).toMatchObject({
    status: 409,
    body: { message: "No more alerts can be kept: 500 of an instance." },
  });
});

test("a card's alerts are deleted with it, and whoever may delete it is asked with their number", async () => {
  const { cardId } = await makeMetric(t, t);
  const params = { id: cardId };
  await makeAlert(t, t, cardId, NUMBER);
  await makeAlert(t, t, cardId, NUMBER);
  expect(await editor().call(dataCardDependencies, { params })).toMatchObject({ dependencies: [], alerts: 2 });
  expect(await t.as("VIEWER").call(dataCardDependencies, { params })).toMatchObject({ alerts: 0 });
  await editor().call(deleteDataCard, { params, query: {} });
  const { rows } = await t.deps.appPool.query("SELECT FROM card_alert WHERE card_id = $1", [cardId]);
  expect(rows).toEqual([]);
  expect((await editor().send(listCardAlerts, { params })).status).toBe(404);
});
