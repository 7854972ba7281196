/** Notifications: told once, to whom they are meant for, read up to where each person has looked. */
import { getCurrentUser } from "@accord/contracts/identity/users";
import { listNotifications, markNotificationsRead } from "@accord/contracts/operations/notifications";
import { beforeEach, expect, test } from "vitest";
import { testApp, type TestApp } from "../../../../test-kit/index.ts";
import { type NotificationInput, notificationsService } from "./notifications.service.ts";

let t: TestApp;
beforeEach(async () => {
  t = await testApp();
});

const notify = (change: Partial<NotificationInput> = {}) =>
  notificationsService(t.deps).notify({
    instanceId: t.instanceId,
    subject: t.deps.newId(),
    severity: "info",
    message: "Hello",
    ...change,
  });
const inbox = (role: "SYNC_MANAGER" | "VIEWER", query: object = {}) => t.as(role).call(listNotifications, { query });

test("everybody is told, or those who hold a role, by its key or its name; the same is told once", async () => {
  await notify({ subject: "one", message: "To all" });
  await notify({ subject: "one", message: "To all, again" });
  await notify({ message: "To some", roles: ["Sync Manager"] });
  await notify({ message: "To others", roles: ["VIEWER"] });
  const messages = async (role: "SYNC_MANAGER" | "VIEWER") =>
    (await inbox(role)).notifications.map(({ message }) => message);
  expect(await messages("SYNC_MANAGER")).toEqual(["To some", "To all"]);
  expect(await messages("VIEWER")).toEqual(["To others", "To all"]);
});

test("what concerns one person is for them alone, who may look at it and be counted as having seen it", async () => {
  const { id: userId } = await t.as("VIEWER").call(getCurrentUser);
  await notify({ message: "To you", userId });
  expect(await inbox("SYNC_MANAGER")).toMatchObject({ unread: 0, notifications: [] });
  const { unread, notifications } = await inbox("VIEWER");
  expect({ unread, messages: notifications.map(({ message }) => message) }).toEqual({
    unread: 1,
    messages: ["To you"],
  });
  const upTo = notifications[0]!.id;
  const refused = await t.as("SYNC_MANAGER").send(markNotificationsRead, { body: { upTo } });
  expect(refused.status).toBe(404);
  await t.as("VIEWER").call(markNotificationsRead, { body: { upTo } });
  expect((await inbox("VIEWER")).unread).toBe(0);
});

test("what somebody has looked at is read for them alone, and newer ones are not", async () => {
  await notify({ message: "First" });
  await notify({ message: "Second" });
  const { notifications } = await inbox("VIEWER");
  await t.as("VIEWER").call(markNotificationsRead, { body: { upTo: notifications[0]!.id } });
  // Looking at an older one again makes nothing unread.
  await t.as("VIEWER").call(markNotificationsRead, { body: { upTo: notifications[1]!.id } });
  await notify({ message: "Third" });
  expect(await inbox("VIEWER")).toMatchObject({
    unread: 1,
    notifications: [
      { message: "Third", read: false },
      { message: "Second", read: true },
      { message: "First", read: true },
    ],
  });
  expect((await inbox("SYNC_MANAGER")).unread).toBe(3);
});

test("pages go back and forth without overlap or gap", async () => {
  for (let number = 1; number <= 5; number += 1) await notify({ message: String(number) });
  const page = async (query: object) => {
    const { notifications, pageInfo } = await inbox("VIEWER", { count: 2, ...query });
    return { ...pageInfo, shown: notifications.map(({ message }) => message) };
  };
  const first = await page({});
  expect(first).toMatchObject({ shown: ["5", "4"], previousCursor: null });
  const second = await page({ cursor: first.nextCursor });
  expect(second.shown).toEqual(["3", "2"]);
  expect((await page({ cursor: second.nextCursor })).shown).toEqual(["1"]);
  expect((await page({ cursor: second.previousCursor, direction: "previous" })).shown).toEqual(["5", "4"]);
});
