/** Columns that are dropped under a running pipeline: the schema is read again by itself, and everything else goes on. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { getPipelineErrors } from "@accord/contracts/sync/runs";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, type ShopAndRegister } from "../../../../test-kit/shop-and-register.ts";
import { eventually } from "../../../../test-kit/working-world.ts";

const PATIENCE = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

const inRegister = ({ api }: ShopAndRegister, email: string) => apiCompanies(api).find((one) => one.email === email);
const inShop = async ({ systems }: ShopAndRegister, email: string) =>
  (await systems.sql("SELECT * FROM shop.company WHERE email = $1", [email]))[0];

test.each([
  ["the table", (world: ShopAndRegister) => world.systems.sql("UPDATE shop.company SET name = 'Edited' WHERE id = 2")],
  [
    "the other system",
    async ({ api }: ShopAndRegister) => {
      const { id } = [...api.companies.values()].find(({ email }) => email === "s2@example.com") ?? { id: 0 };
      api.touch(id, { name: "Edited", size: 77 });
    },
  ],
] as const)("[F11] a column is dropped, and the next edit comes from %s", PATIENCE, async (_, edit) => {
  const world = await shopAndRegister(4, 0, single, { hasTimes: false, attaches: true });
  const { t, systems, params, untilAgreed } = world;
  await untilAgreed("the first load");
  await systems.sql("ALTER TABLE shop.company DROP COLUMN size");
  await edit(world);
  await eventually("the edit in both systems", async () =>
    inRegister(world, "s2@example.com")?.name === "Edited" &&
    (await inShop(world, "s2@example.com"))?.["name"] === "Edited"
      ? true
      : undefined,
  );
  await systems.sql("INSERT INTO shop.company (name, email) VALUES ('New', 'new@example.com')");
  await eventually("a new row in the register", () => Promise.resolve(inRegister(world, "new@example.com")));
  expect(inRegister(world, "s1@example.com")?.size, "what was there stays").toBe(1);
  const warnings = await eventually("the warning", async () => {
    const { warnings: all } = await t.as("SYNC_MANAGER").call(getPipelineErrors, { params, query: {} });
    const found = all.filter(({ targetId }) => targetId === "size");
    return found.length > 0 ? found : undefined;
  });
  expect(warnings[0]).toMatchObject({
    nodeId: "from_shop",
    code: "field_missing",
    errorMessage: expect.stringContaining("size"),
  });
});
