/** An API that forbids to write some records, or all, on the way between two systems: who is at fault, and who goes on. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import * as connectors from "@accord/contracts/connections/connectors";
import { expect, test } from "vitest";
import {
  apiCompanies,
  shopAndRegister,
  type ShopAndRegister,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const LOCKED = { status: 403, text: '{"message":"Record is locked for your role"}' };
const entity = companies("all", { kind: "none" });

/** What people are shown: the pipeline's failures, the register's state, and what is in quarantine. */
async function shown({ systems, schema, t }: ShopAndRegister) {
  const [pipeline] = await systems.sql(`SELECT failures FROM sync_pipeline WHERE instance_id = $1`, [t.instanceId]);
  const { connectors: all } = await t.as("SYNC_MANAGER").call(connectors.listConnectors, {});
  const quarantine = await systems.sql(`SELECT code, message FROM ${schema}.quarantine WHERE status = 'OPEN'`);
  return {
    failures: Object.values(Object(pipeline?.["failures"])),
    register: all.find(({ name }) => name === "Register")?.status,
    quarantine,
  };
}

test(
  "one record that is locked is quarantined with its reason after its attempts; all others go on",
  LONG_TIMEOUT,
  async () => {
    const world = await shopAndRegister(0, 6, entity);
    const { systems, api, schema, untilAgreed } = world;
    await untilAgreed("the first load");
    api.habits.beforeCall = (call) => (/^PATCH \/all\/companies\/3$/.test(call) ? LOCKED : undefined);
    await systems.sql("UPDATE shop.company SET name = 'Locked', updated_at = now() WHERE name = 'Company 3'");
    const tries = (): number => api.calls.filter((call) => call === "PATCH /all/companies/3").length;
    for (let count = 1; count <= 5; count += 1) {
      await eventually(`try ${count}`, async () => (tries() >= count ? true : undefined));
      await eventually(`try ${count} to be counted`, async () => {
        const [open] = await systems.sql(`SELECT attempts FROM ${schema}.delivery`);
        return Number(open?.["attempts"]) >= Math.min(count, 4) ? true : undefined;
      });
      if (count < 5) await systems.sql(`UPDATE ${schema}.delivery SET next_at = now()`);
    }
    const found = await eventually("quarantine", async () => {
      const now = await shown(world);
      return now.quarantine.length > 0 ? now : undefined;
    });
    expect(found).toEqual({
      failures: [],
      register: "ACTIVE",
      quarantine: [{ code: "forbidden", message: expect.stringContaining("Record is locked for your role") }],
    });
    await systems.sql("UPDATE shop.company SET name = 'Free', updated_at = now() WHERE name = 'Company 4'");
    await eventually("another record", async () => (api.companies.get(4)?.name === "Free" ? true : undefined));
    api.habits.beforeCall = undefined;
    await systems.sql(`UPDATE ${schema}.delivery SET next_at = now()`);
    await untilAgreed("the record once it is no longer locked");
  },
);

test(
  "a permission that is missing for all is the system's failure, and over once it is there",
  LONG_TIMEOUT,
  async () => {
    const world = await shopAndRegister(0, 6, entity);
    const { systems, api, untilAgreed } = world;
    await untilAgreed("the first load");
    api.habits.beforeCall = (call) => (call.startsWith("PATCH") ? LOCKED : undefined);
    await systems.sql("UPDATE shop.company SET name = name || ' edited', updated_at = now()");
    const found = await eventually("the failure", async () => {
      const now = await shown(world);
      return now.failures.length > 0 ? now : undefined;
    });
    expect(found.failures).toMatchObject([{ problem: { code: "permission" } }]);
    expect(found.quarantine).toEqual([]);
    api.habits.beforeCall = undefined;
    await untilAgreed("all records");
    expect(apiCompanies(api).every(({ name }) => name.endsWith(" edited"))).toBe(true);
    // What stands is stored when the cycle that wrote them ends.
    await eventually("no failure", async () => ((await shown(world)).failures.length === 0 ? true : undefined));
  },
);
