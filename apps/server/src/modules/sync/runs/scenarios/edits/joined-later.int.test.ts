/** A table without times of change joins a running pipeline with old copies of what was edited elsewhere meanwhile. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { previewResync } from "@accord/contracts/sync/monitoring/explain";
import { startResync } from "@accord/contracts/sync/monitoring/runs";
import { expect, test } from "vitest";
import {
  apiCompanies,
  byEmail,
  shopAndRegister,
  shopCompanies,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };

test.each(["NONE", "LATEST"])(
  "what was edited before it joined stays, and reaches it: %s",
  LONG_TIMEOUT,
  async (authority) => {
    const single = companies("all", { kind: "none" });
    const { systems, api, schema, untilAgreed, publish } = await shopAndRegister(12, 0, single, {
      hasTimes: false,
      attaches: true,
      core: { authority },
      joinsLater: true,
      prepare: (register) => {
        for (let id = 1; id <= 12; id += 1)
          register.create({ name: `Shop ${id}`, email: `s${id}@example.com`, size: id <= 6 ? id : null });
      },
    });
    const known = async (count: number): Promise<void> => {
      await eventually("the records to be known", async () => {
        const rows = await systems.sql(
          `SELECT record_id FROM ${schema}.ledger WHERE operation IN ('create', 'update')`,
        );
        return rows.length >= count ? true : undefined;
      });
    };
    await known(12);
    const edited = [...api.companies.values()].filter(({ email }) => /^s[1-3]@/.test(email ?? ""));
    for (const { id } of edited) api.touch(id, { name: `Edited ${id}` });
    await known(15);

    await publish((node) => node);
    await untilAgreed("agreement");
    const names = new Map((await shopCompanies(systems)).map(({ email, name }) => [email, name]));
    for (const { email, id } of edited) expect(names.get(email ?? ""), authority).toBe(`Edited ${id}`);
    expect(await shopCompanies(systems)).toHaveLength(12);
    // What nobody had set was filled in from the table.
    expect(apiCompanies(api).map(({ size }) => size)).toEqual(
      (await shopCompanies(systems)).map(({ email }) => Number(email.slice(1, email.indexOf("@")))),
    );
    const refused = await systems.sql(`SELECT refused FROM ${schema}.ledger WHERE refused IS NOT NULL`);
    expect(refused.length, "the table's own values are in the history").toBe(3);
  },
);

test.each(["publishing it", "a resync"])(
  "an empty table that joins gets what is known already with %s, and nothing is written back",
  LONG_TIMEOUT,
  async (how) => {
    const { t, params, systems, api, schema, untilBroughtIn, runNow, publish } = await shopAndRegister(
      0,
      12,
      companies("all", { kind: "none" }),
      {
        attaches: true,
        joinsLater: true,
      },
    );
    await eventually("the records to be known", async () =>
      (await systems.sql(`SELECT FROM ${schema}.ledger WHERE operation = 'create'`)).length === 12 ? true : undefined,
    );
    await untilBroughtIn(1);
    await publish((node) => node, how !== "a resync");
    if (how === "a resync") {
      const person = t.as("SYNC_MANAGER");
      const body = { scope: "all" as const, sourceEntityIds: ["from_register"] };
      const preview = await person.call(previewResync, { params, body });
      expect(preview).toMatchObject({ read: 12, created: 0, updated: 0, told: { to_shop: 12, to_register: 0 } });
      await person.call(startResync, { params, body });
    }
    const told = await eventually("all of it to be there", async () => {
      const rows = await shopCompanies(systems);
      return rows.length >= 12 ? rows : undefined;
    });
    expect(told.toSorted(byEmail)).toEqual(apiCompanies(api).toSorted(byEmail));
    await runNow();
    await eventually("nothing to be outstanding", async () =>
      (await systems.sql(`SELECT FROM ${schema}.delivery`)).length === 0 ? true : undefined,
    );
    expect(await shopCompanies(systems)).toHaveLength(12);
    expect(api.calls.filter((call) => !call.startsWith("GET"))).toEqual([]);
  },
);
