/** A table without times of change joins a running pipeline with old copies of what was edited elsewhere meanwhile. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../test-kit/shop-and-register.ts";
import { eventually } from "../../../../test-kit/working-world.ts";

const PATIENCE = { timeout: 240_000 };

test.each(["NONE", "LATEST"])(
  "what was edited before it joined stays, and reaches it: %s",
  PATIENCE,
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
