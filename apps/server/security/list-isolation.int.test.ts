/** T1: whatever other tenants have, no list, search, count or preview shows it to anybody, and no write touches it. */
import { ENDPOINTS } from "@accord/contracts/endpoints";
import { notificationsChanged } from "@accord/contracts/operations/notifications";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isolationWorld, LISTED, READS, WRITES, type IsolationWorld } from "../test-kit/generated/isolation.ts";
import { NOT_COPIED } from "../test-kit/generated/tenant-copy.ts";
import { testApp } from "../test-kit/index.ts";
import { openWindow, type StreamWindow } from "../test-kit/stream-window.ts";

/** Tables that nothing fills here, and why they need not be. */
const EMPTY: Readonly<Record<string, string>> = {
  card_alert_delivery: "mails and calls of alerts that are still to be sent: only a worker reads them",
  error_report: "reports of crashes are written for whoever runs the server; no call reads them",
  pipeline_fragment_hidden: "of the instance that hides alone: fragments.int looks at it from another one",
  http_synapse_share:
    "names the instances that may connect a synapse: http-synapse.int looks from those and from others",
  oauth_grant:
    "grants are found by the connector's id and instance: sign-in.int and the swapped ids of tenant-swap.int",
  pipeline_fragment_share:
    "names the instances that may see a fragment: fragments.int looks from those and from others",
  rate_budget: "how many calls a system has left is known to workers; no call reads it",
  sdk_synapse_share: "names the instances that may use a synapse: sdk-synapses.int looks from those and from others",
  sealed_instance: "ids of instances alone, for the server when it starts; no call reads it",
};

let world: IsolationWorld;
/** Windows of the instance, of its sibling and of the strangers. */
const windows: StreamWindow[] = [];
afterAll(() => windows.forEach(({ socket }) => socket.disconnect()));
beforeAll(async () => {
  world = await isolationWorld(await testApp({ roles: ["web"], listen: true }));
}, 120_000);

describe("[T1] with two other tenants full of the same names", () => {
  test.each(READS.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s shows every role what it showed before they came",
    async (_, endpoint) => {
      await world.checkRead(endpoint);
    },
  );

  test("windows of each tenant listen to what is written", async () => {
    const { t, own, sibling, stranger } = world;
    for (const place of [own, sibling, stranger]) {
      const viewer = await t.asUser(await t.build.user({ ...place, roles: ["VIEWER"] }), place);
      windows.push(await openWindow(t.address, viewer.token));
    }
  });

  test.each(WRITES.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s shows nothing of theirs and changes nothing there",
    async (_, endpoint) => {
      await world.checkWrite(endpoint);
    },
  );

  test("no window of theirs heard of what was written", async () => {
    const [own, ...theirs] = windows;
    expect(own?.heard.length).toBeGreaterThan(0);
    for (const [index, place] of [world.sibling, world.stranger].entries()) {
      // Messages arrive in order: what is not there before this one never comes.
      await world.t.deps.realtime.publish(place.instanceId, notificationsChanged, {});
      await expect.poll(() => theirs[index]?.heard).toEqual([{ name: "notificationsChanged", payload: {} }]);
    }
  });

  test("no mail of the instance shows them", async () => {
    await world.checkMails();
  });

  test("they have something in every table that belongs to tenants", async () => {
    const tables: string[] = [];
    for (const pool of [world.t.deps.appPool, world.t.deps.dataPool]) {
      const { rows } = await pool.query(
        `SELECT DISTINCT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
          WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND column_name IN ('instance_id', 'organisation_id')`,
      );
      tables.push(...rows.map(({ name }) => name as string));
    }
    const empty = tables.filter((name) => !world.filled.has(name) && !(name in NOT_COPIED) && !(name in EMPTY));
    expect(empty, "fill these in a fixture, or say why nothing of them could show").toEqual([]);
    expect(Object.keys(EMPTY).filter((name) => world.filled.has(name) || !tables.includes(name))).toEqual([]);
  });

  test("every exception names an endpoint that exists", () => {
    const names = new Set(ENDPOINTS.map(({ name }) => name));
    expect(LISTED.filter((name) => !names.has(name))).toEqual([]);
  });
});
