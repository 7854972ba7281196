/** Evaluation takes turns: an instance gives way after a while, and what fails unexpectedly stands behind the others. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { type CardAlert, createCardAlert, listCardAlerts } from "@accord/contracts/insights/card-alerts";
import { beforeAll, expect, test } from "vitest";
import { alertBody, makeMetric } from "../../../../test-kit/fixtures/card-alerts.ts";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import type { Module } from "../../../platform/module.ts";
import type { NotificationsService } from "../../operations/notifications/index.ts";
import type { CardsService } from "../cards/index.ts";
import { type AlertRunnerParts, evaluateDue } from "./alert-runner.ts";

let t: TestApp;
beforeAll(async () => {
  t = await testApp({ roles: ["web"] });
}, 60_000);

const evaluate = (more: Partial<AlertRunnerParts> = {}): Promise<boolean> => {
  const cards = t.module<Module & { service: CardsService }>("insights/cards").service;
  const parts = { deps: t.deps, cards, notifications: notifications(), ...more };
  return evaluateDue(
    { wakeMails: async () => {}, wakeCalls: async () => {}, ...parts },
    t.instanceId,
    new AbortController().signal,
  );
};
const notifications = () => t.module<Module & { service: NotificationsService }>("operations/notifications").service;

/** On a metric of 35.75. */
async function crossed(): Promise<CardAlert> {
  const { cardId } = await makeMetric(t, t);
  const body = alertBody([(await t.as("VIEWER").call(getCurrentUser)).id], {
    ...{ name: t.deps.newId(), watch: { kind: "value" }, condition: { kind: "above", limit: 10 } },
  });
  return t.as("SYNC_MANAGER").call(createCardAlert, { params: { id: cardId }, body });
}
const stateOf = async ({ cardId }: CardAlert): Promise<string | undefined> =>
  (await t.as("SYNC_MANAGER").call(listCardAlerts, { params: { id: cardId } })).alerts[0]?.state;

test("an instance gives way after its turn, and says that there may be more", async () => {
  const alert = await crossed();
  expect(await evaluate({ turnMs: 0 })).toBe(true);
  expect(await stateOf(alert)).toBe("UNKNOWN");
  expect(await evaluate()).toBe(false);
  expect(await stateOf(alert)).toBe("CROSSED");
});

test("an alert that fails unexpectedly keeps the others from nothing, and is evaluated again a minute later", async () => {
  const [first, second] = [await crossed(), await crossed()];
  const record: NotificationsService["record"] = async (db, input) => {
    if (input.message.includes(first.name)) throw new Error("deadlock detected");
    return notifications().record(db, input);
  };
  await evaluate({ notifications: { announce: notifications().announce, record } });
  expect([await stateOf(first), await stateOf(second)]).toEqual(["UNKNOWN", "CROSSED"]);
  await evaluate();
  expect(await stateOf(first), "not at once").toBe("UNKNOWN");
  t.clock.advance(61_000);
  await evaluate();
  expect(await stateOf(first)).toBe("CROSSED");
});
