/** T28: the message stream reaches those who may listen, at once, and nobody else. */
import { event, type Id } from "@accord/contracts";
import { recordsChanged } from "@accord/contracts/data/records";
import { insightsChanged } from "@accord/contracts/insights/dashboards";
import { switchInstance } from "@accord/contracts/identity/instances";
import { signOut } from "@accord/contracts/identity/sign-in";
import { changeUserRoles, deactivateUser } from "@accord/contracts/identity/users";
import pg from "pg";
import type { Socket } from "socket.io-client";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { testApp, type TestApp } from "../../../test-kit/index.ts";
import { openWindow, type StreamWindow } from "../../../test-kit/stream-window.ts";

const pinged = event({
  name: "pinged",
  channel: "instance",
  access: "signedIn",
  payload: z.strictObject({ n: z.int() }),
});
let t: TestApp;
const sockets: Socket[] = [];
beforeAll(async () => {
  t = await testApp({ roles: ["web"], listen: true });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

/** A browser window with the cookie of a session, closed after the test. */
async function open(token: string, options: { origin?: string; transports?: string[] } = {}): Promise<StreamWindow> {
  const window = await openWindow(t.address, token, options);
  sockets.push(window.socket);
  return window;
}

/** Something that every window in the instance hears: what was not heard before it will never be. */
async function settled(window: StreamWindow, instanceId: Id<"instance">): Promise<void> {
  await t.deps.realtime.publish(instanceId, pinged, { n: -1 });
  await expect.poll(() => window.heard.some(({ payload }) => JSON.stringify(payload) === '{"n":-1}')).toBe(true);
}

const person = async (instanceId = t.instanceId) =>
  t.asUser(await t.build.user({ roles: ["VIEWER"], instanceId }), { instanceId });

describe("[T28] the message stream", () => {
  test("carries an instance's messages to its windows, by websocket and by polling, and to no other instance", async () => {
    const other = await t.build.instance();
    const here = await open((await person()).token);
    const polling = await open((await person()).token, { transports: ["polling"] });
    const there = await open((await person(other)).token);
    await t.deps.realtime.publish(t.instanceId, pinged, { n: 1 });
    await expect.poll(() => here.heard).toEqual([{ name: "pinged", payload: { n: 1 } }]);
    await expect.poll(() => polling.heard).toEqual([{ name: "pinged", payload: { n: 1 } }]);
    await settled(there, other);
    expect(there.heard).toHaveLength(1);
  });

  test("another role of the database can't speak in the channel, nor find out its name", async () => {
    const window = await open((await person()).token);
    const forged = JSON.stringify({
      kind: "push",
      room: `instance:${t.instanceId}`,
      event: "pinged",
      payload: { n: 6 },
    });
    const away = JSON.stringify({ kind: "disconnect", room: `instance:${t.instanceId}` });
    const { pathname } = new URL(t.deps.appPool.options.connectionString ?? "");
    const role = `stranger_${t.deps.newId()}`;
    await t.deps.appPool.query(`CREATE ROLE ${role} LOGIN PASSWORD 'stranger'`);
    const address = new URL(t.deps.appPool.options.connectionString ?? "");
    Object.assign(address, { username: role, password: "stranger" });
    const stranger = new pg.Client({ connectionString: address.href });
    try {
      await stranger.connect();
      const { rows } = await stranger.query<{ shown: string }>(
        "SELECT concat_ws(' ', application_name, query) AS shown FROM pg_stat_activity WHERE datname = $1",
        [pathname.slice(1)],
      );
      const names = rows.flatMap(({ shown }) => shown.match(/accord_\w+/g) ?? []);
      for (const channel of ["accord_realtime", ...names])
        for (const message of [forged, away]) await stranger.query("SELECT pg_notify($1, $2)", [channel, message]);
      await settled(window, t.instanceId);
      expect(window.heard.map(({ payload }) => payload)).toEqual([{ n: -1 }]);
    } finally {
      await stranger.end();
      await t.deps.appPool.query(`DROP ROLE ${role}`);
    }
  });

  test("a window hears only what its person may read", async () => {
    const of = async (role: "VIEWER" | "DASHBOARD_LIGHT_VIEWER") =>
      open((await t.asUser(await t.build.user({ roles: [role] }))).token);
    const [viewer, light] = [await of("VIEWER"), await of("DASHBOARD_LIGHT_VIEWER")];
    const entityId = t.deps.newId<"entity">();
    await t.deps.realtime.publish(t.instanceId, recordsChanged, { entityId, count: 1 });
    const dashboard = { kind: "dashboard", id: entityId, action: "published" } as const;
    await t.deps.realtime.publish(t.instanceId, insightsChanged, dashboard);
    for (const window of [viewer, light]) await settled(window, t.instanceId);
    // Either may have heard the other's last message too.
    const heard = (window: typeof viewer) => window.heard.map(({ name }) => name).filter((name) => name !== "pinged");
    expect(heard(viewer)).toEqual(["recordsChanged", "insightsChanged"]);
    expect(heard(light)).toEqual(["insightsChanged"]);
  });

  test("a window can ask for no channel: whatever it sends is nothing", async () => {
    const other = await t.build.instance();
    const window = await open((await person()).token);
    for (const name of ["join", "subscribe", "room", "message"]) window.socket.emit(name, `instance:${other}`);
    await t.deps.realtime.publish(other, pinged, { n: 7 });
    await settled(window, t.instanceId);
    expect(window.heard).toHaveLength(1);
  });

  test("without a session, with an invented one, or one that may only set a password nobody gets in", async () => {
    const expired = await t.asUser(await t.build.user({ roles: ["VIEWER"] }), { purpose: "passwordChange" });
    for (const token of ["", "x".repeat(43), expired.token]) {
      await expect(open(token)).rejects.toThrow("not_signed_in");
    }
  });

  test("a page of another origin is turned away", async () => {
    const { token } = await person();
    await expect(open(token, { origin: "https://evil.example" })).rejects.toThrow("websocket error");
    await expect(open(token, { origin: t.address })).resolves.toBeDefined();
  });

  test("after sign-out, deactivation, a change of roles or of the instance the window is closed and hears nothing more", async () => {
    const admin = await t.asUser(await t.build.user({ orgAdmin: true }));
    const witness = await open((await person()).token);
    const other = await t.build.instance();
    const ways: ((who: Awaited<ReturnType<typeof person>>, userId: Id<"user">) => Promise<unknown>)[] = [
      (who) => who.call(signOut),
      (_, userId) => admin.call(deactivateUser, { params: { userId } }),
      (_, userId) => admin.call(changeUserRoles, { params: { userId }, body: { userRoles: { [t.instanceId]: [] } } }),
      (who) => who.call(switchInstance, { params: { instanceId: other } }),
    ];
    for (const way of ways) {
      const userId = await t.build.user({ roles: ["VIEWER"], orgAdmin: ways.indexOf(way) === 3 });
      const who = await t.asUser(userId);
      const window = await open(who.token);
      const closed = new Promise((resolve) => window.socket.once("disconnect", resolve));
      await way(who, userId);
      await closed;
      await settled(witness, t.instanceId);
      expect(window.heard.filter(({ payload }) => JSON.stringify(payload) !== '{"n":-1}')).toEqual([]);
      witness.heard.length = 0;
    }
  });

  test("a message of more than 7,900 bytes is a mistake and is told so", async () => {
    const big = event({
      name: "big",
      channel: "instance",
      access: "signedIn",
      payload: z.strictObject({ text: z.string() }),
    });
    await expect(t.deps.realtime.publish(t.instanceId, big, { text: "x".repeat(8_000) })).rejects.toThrow(/7,900/);
  });
});
