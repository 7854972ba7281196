/** Records edited in one real system and deleted in the other while their pipeline was paused: one of the two wins everywhere. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as runs from "@accord/contracts/sync/monitoring/runs";
import * as quarantine from "@accord/contracts/sync/monitoring/quarantine";
import { expect, test } from "vitest";
import type { TestApp } from "../../../../../../test-kit/index.ts";
import { type ShopAndRegister, shopAndRegister } from "../../../../../../test-kit/systems/shop-and-register.ts";
import type { TwoSystems } from "../../../../../../test-kit/systems/two-systems.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const ROWS = 8;

/** A shop and a register in agreement about some companies, and paused. */
async function paused(register: { source?: object; sink?: object } = {}): Promise<ShopAndRegister> {
  const entity = { ...companies("all", { kind: "none" }), missingMeansDeleted: false };
  const world = await shopAndRegister(ROWS, 0, entity, { register });
  const { t, params, systems, api } = world;
  const manager = t.as("SYNC_MANAGER");
  await eventually("all companies in the register", async () => (api.companies.size === ROWS ? true : undefined));
  await eventually("everything told", async () => ((await waiting(t, systems)) === 0 ? true : undefined));
  // A record that was just written and is missing may only not be shown yet.
  await systems.sql(
    `UPDATE "i_${t.instanceId}".link SET told_at = now() - interval '1 hour', seen_at = now() - interval '1 hour'`,
  );
  await manager.call(runs.pausePipeline, { params, body: {} });
  await eventually("the pause", async () =>
    (await manager.call(runs.getSyncStatus, { params })).status === "PAUSED" ? true : undefined,
  );
  return world;
}

async function waiting(t: TestApp, { sql }: TwoSystems): Promise<number> {
  const [row] = await sql(`SELECT count(*)::int AS count FROM "i_${t.instanceId}".delivery`);
  return Number(row?.["count"]);
}

const editShop = ({ systems }: ShopAndRegister, email: string): Promise<unknown> =>
  systems.sql("UPDATE shop.company SET name = 'Edited', updated_at = clock_timestamp() WHERE email = $1", [email]);

/** Id in the register of a company that both know. */
const idOf = ({ api }: ShopAndRegister, email: string): number =>
  [...api.companies.values()].find((company) => company.email === email)?.id ?? 0;

async function emails(world: ShopAndRegister): Promise<[string[], string[]]> {
  const rows = await world.systems.sql("SELECT email FROM shop.company");
  const there = [...world.api.companies.values()].map(({ email }) => email ?? "");
  return [rows.map(({ email }) => String(email)).sort(), there.sort()];
}

const resume = ({ t, params }: ShopAndRegister): Promise<unknown> =>
  t.as("SYNC_MANAGER").call(runs.resumePipeline, { params, body: {} });

const entries = async ({ t, params }: ShopAndRegister): Promise<readonly { status: string; attempts: number }[]> =>
  (await t.as("SYNC_MANAGER").call(quarantine.listQuarantine, { params, query: {} })).entries;

test(
  "where deletions count they go first, whichever system they come from, and the edit stays in the history",
  LONG_TIMEOUT,
  async () => {
    const world = await paused();
    await editShop(world, "s1@example.com");
    await editShop(world, "s2@example.com");
    for (const email of ["s1@example.com", "s2@example.com"]) world.api.companies.delete(idOf(world, email));
    for (const email of ["s3@example.com", "s4@example.com"]) world.api.touch(idOf(world, email), { name: "Edited" });
    await world.systems.sql("DELETE FROM shop.company WHERE email IN ('s3@example.com', 's4@example.com')");
    await resume(world);
    const left = [5, 6, 7, 8].map((number) => `s${number}@example.com`);
    await eventually("both systems to hold the same", async () => {
      const [here, there] = await emails(world);
      return JSON.stringify([here, there]) === JSON.stringify([left, left]) ? true : undefined;
    });
    await eventually("nothing to be left to do", async () =>
      (await waiting(world.t, world.systems)) === 0 ? true : undefined,
    );
    expect(await entries(world)).toEqual([]);
    const refused = await world.systems.sql(
      `SELECT refused FROM "i_${world.t.instanceId}".ledger WHERE refused IS NOT NULL`,
    );
    expect(refused).toHaveLength(4);
    for (const { refused: fields } of refused) expect(fields).toEqual({ name: ["Edited", "deleted"] });
  },
);

test(
  "where they do not count, trying again asks the destination once more, and nothing is settled that is not",
  LONG_TIMEOUT,
  async () => {
    const world = await paused({ source: { acceptDeletes: false } });
    await editShop(world, "s1@example.com");
    const id = idOf(world, "s1@example.com");
    const company = world.api.companies.get(id)!;
    world.api.companies.delete(id);
    await resume(world);
    await eventually("it to be set aside", async () => ((await entries(world)).length === 1 ? true : undefined));
    const from = world.api.calls.length;
    const manager = world.t.as("SYNC_MANAGER");
    await manager.call(quarantine.replayQuarantine, { params: world.params, body: {} });
    await eventually("it to be tried", async () => ((await entries(world))[0]?.attempts === 2 ? true : undefined));
    expect(await entries(world)).toMatchObject([{ status: "OPEN", attempts: 2 }]);
    expect(world.api.calls.slice(from).some((call) => call.includes(`/companies/${id}`))).toBe(true);

    // Another edit is no reason to call it settled.
    await world.systems.sql(
      "UPDATE shop.company SET name = 'Edited again', updated_at = clock_timestamp() WHERE email = $1",
      ["s1@example.com"],
    );
    await eventually("the edit in the core", async () => {
      const rows = await world.systems.sql(
        `SELECT FROM "i_${world.t.instanceId}"."r_company" WHERE name = 'Edited again'`,
      );
      return rows.length === 1 && (await waiting(world.t, world.systems)) === 0 ? true : undefined;
    });
    expect(await entries(world)).toMatchObject([{ status: "OPEN", attempts: 2 }]);

    // Somebody puts it back.
    world.api.companies.set(id, company);
    await manager.call(quarantine.replayQuarantine, { params: world.params, body: {} });
    await eventually("the edit to arrive", async () =>
      world.api.companies.get(id)?.name === "Edited again" ? true : undefined,
    );
    await eventually("it to be settled", async () => {
      const [entry] = await entries(world);
      return entry === undefined || entry.status === "RESOLVED" ? true : undefined;
    });
  },
);
