/** A table and a JSON API whose companies take each other's addresses: each is in both systems once, and none is written over. */
import { setTimeout as sleep } from "node:timers/promises";
import { replayQuarantine } from "@accord/contracts/sync/monitoring/quarantine";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import {
  apiCompanies,
  shopAndRegister,
  untilLooksArePlanned,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

test("a company that is deleted and entered again under its address arrives by itself", LONG_TIMEOUT, async () => {
  const world = await shopAndRegister(3, 0, single, { register: { sink: { matchOn: "email" } } });
  const { systems, api, schema, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
  await systems.sql(`
    DELETE FROM shop.company WHERE email = 's2@example.com';
    INSERT INTO shop.company (name, email, size) VALUES ('Entered again', 's2@example.com', 7)`);
  const quarantineEntries = () => systems.sql(`SELECT code FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`);
  await eventually("the new one to be set aside for the old one", async () =>
    (await quarantineEntries()).length === 1 ? true : undefined,
  );
  expect(await quarantineEntries()).toEqual([{ code: "already_linked" }]);
  await untilLooksArePlanned(world);
  await runNow();
  await untilAgreed("agreement");
  expect(apiCompanies(api)).toContainEqual({ email: "s2@example.com", name: "Entered again", size: 7 });
  expect(api.companies.size).toBe(3);
  expect(await quarantineEntries()).toEqual([]);
});

test("a company that takes the address of a renamed one arrives by itself", LONG_TIMEOUT, async () => {
  const { systems, api, schema, untilAgreed } = await shopAndRegister(3, 0, single, {
    register: { sink: { matchOn: "email" } },
  });
  await untilAgreed("the first load");
  await systems.sql(`
    UPDATE shop.company SET email = 'renamed@example.com' WHERE email = 's2@example.com';
    INSERT INTO shop.company (name, email, size) VALUES ('Its successor', 's2@example.com', 7)`);
  await untilAgreed("agreement");
  expect(apiCompanies(api)).toContainEqual({ email: "s2@example.com", name: "Its successor", size: 7 });
  expect(apiCompanies(api)).toContainEqual({ email: "renamed@example.com", name: "Shop 2", size: 2 });
  expect(api.companies.size).toBe(4);
  expect(await systems.sql(`SELECT code FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`)).toEqual([]);
});

test.each(["leaves", "updates"] as const)(
  "an API that %s what it holds when another company of its address is created is asked once, and both stay as they are",
  LONG_TIMEOUT,
  async (sameEmail) => {
    const { lookup: _lookup, ...blind } = single;
    const { t, params, systems, api, schema, untilAgreed, runNow } = await shopAndRegister(1, 0, blind);
    await untilAgreed("the first load");
    api.habits.sameEmail = sameEmail;
    const from = api.calls.length;
    const posts = () => api.calls.slice(from).filter((call) => call.startsWith("POST")).length;
    const held = () => apiCompanies(api).map(({ name }) => name);
    const quarantineEntries = (name: string) =>
      eventually(`${name} to be set aside`, async () => {
        const rows = await systems.sql(
          `SELECT code, message, record_id, payload->>'name' AS name FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`,
        );
        return rows[0]?.["name"] === name ? rows : undefined;
      });
    const untilIdle = () =>
      eventually("nothing to be outstanding", async () => {
        const open = await systems.sql(`SELECT FROM ${schema}.delivery WHERE NOT parked`);
        return open.length === 0 && held()[0] === "Shop 1" ? true : undefined;
      });
    await systems.sql("INSERT INTO shop.company (name, email, size) VALUES ('Other', 's1@example.com', 7)");
    const [entry] = await quarantineEntries("Other");
    expect(entry).toMatchObject({ code: "already_linked", message: expect.stringContaining("its record 1,") });
    const [tie] = await systems.sql(
      `SELECT l.record_id FROM ${schema}.link l JOIN ${schema}.place p ON p.number = l.place
       WHERE p.entity = 'companies' AND l.external_id = '1'`,
    );
    expect(tie).toBeDefined();
    expect(tie?.["record_id"]).not.toBe(entry?.["record_id"]);
    await untilIdle();
    for (const name of ["Second", "Third"]) {
      await systems.sql("UPDATE shop.company SET name = $1, updated_at = now() WHERE id = 2", [name]);
      await quarantineEntries(name);
    }
    await runNow();
    await sleep(2_000);
    await untilIdle();
    expect(posts()).toBe(1);
    expect(await systems.sql("SELECT name, size FROM shop.company ORDER BY id")).toEqual([
      { name: "Shop 1", size: 1 },
      { name: "Third", size: 7 },
    ]);
    const names = await systems.sql("SELECT name FROM crm.written WHERE id = 1");
    expect(names, "nothing is written back over the company that was there").toEqual([]);

    const manager = t.as("SYNC_MANAGER");
    await manager.call(replayQuarantine, { params, body: {} });
    await eventually("another creation", async () => (posts() === 2 ? true : undefined));
    await quarantineEntries("Third");
    await untilIdle();
    await systems.sql("UPDATE shop.company SET email = 'other@example.com', updated_at = now() WHERE id = 2");
    await eventually("the edit", async () => {
      const [row] = await systems.sql(
        `SELECT payload->>'email' AS email FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`,
      );
      return row?.["email"] === "other@example.com" ? true : undefined;
    });
    await manager.call(replayQuarantine, { params, body: {} });
    await untilAgreed("agreement");
    expect([posts(), held()]).toEqual([3, ["Third", "Shop 1"]]);
    expect(await systems.sql(`SELECT FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`)).toEqual([]);
  },
);
