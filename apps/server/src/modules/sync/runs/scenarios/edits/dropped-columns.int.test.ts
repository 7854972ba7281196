/** Columns that are dropped under a running pipeline: the schema is read again by itself, and everything else goes on. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { getConnectorEntity, refreshConnectorSchema } from "@accord/contracts/connections/connectors";
import { getPipelineErrors } from "@accord/contracts/sync/monitoring/runs";
import { expect, test } from "vitest";
import {
  apiCompanies,
  shopAndRegister,
  type ShopAndRegister,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

const inRegister = ({ api }: ShopAndRegister, email: string) => apiCompanies(api).find((one) => one.email === email);
const inShop = async ({ systems }: ShopAndRegister, email: string) =>
  (await systems.sql("SELECT * FROM shop.company WHERE email = $1", [email]))[0];

/** Reads the shop's schema again; answers once the columns that it has now are known. */
async function refreshShop({ t, systems }: ShopAndRegister): Promise<void> {
  const params = { connectorId: systems.shop };
  const admin = t.as("SYNC_MANAGER");
  await admin.call(refreshConnectorSchema, { params, body: {} });
  await eventually("the column in the schema", async () => {
    const { schema } = await admin.call(getConnectorEntity, { params: { ...params, entityApiName: "company" } });
    return schema.fields.some(({ apiName, status }) => apiName === "size" && status === "ACTIVE") ? true : undefined;
  });
}

test.each([
  ["the table", (world: ShopAndRegister) => world.systems.sql("UPDATE shop.company SET name = 'Edited' WHERE id = 2")],
  [
    "the other system",
    async ({ api }: ShopAndRegister) => {
      const { id } = [...api.companies.values()].find(({ email }) => email === "s2@example.com") ?? { id: 0 };
      api.touch(id, { name: "Edited", size: 77 });
    },
  ],
] as const)("[F11] a column is dropped, and the next edit comes from %s", LONG_TIMEOUT, async (_, edit) => {
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

test(
  "[F11] a column is dropped and made anew, and blanks count: nothing is cleared that nobody cleared",
  LONG_TIMEOUT,
  async () => {
    const core = { rejectEmptyValues: false };
    const world = await shopAndRegister(4, 0, single, { hasTimes: false, attaches: true, core });
    const { systems, untilAgreed } = world;
    await untilAgreed("the first load");
    await systems.sql("ALTER TABLE shop.company DROP COLUMN size");
    await systems.sql("UPDATE shop.company SET name = 'Edited' WHERE id = 2");
    await eventually("an edit while the column is missing", async () =>
      inRegister(world, "s2@example.com")?.name === "Edited" ? true : undefined,
    );
    await systems.sql("ALTER TABLE shop.company ADD COLUMN size int");
    await refreshShop(world);
    // Nobody has read these since: one is edited there, the other one in the other system first.
    const { id } = [...world.api.companies.values()].find(({ email }) => email === "s4@example.com") ?? { id: 0 };
    world.api.touch(id, { size: 44 });
    await systems.sql("UPDATE shop.company SET name = 'Edited too' WHERE id IN (3, 4)");
    await eventually("the edits in the register, and the sizes in the shop", async () => {
      const names = ["s3", "s4"].map((name) => inRegister(world, `${name}@example.com`)?.name);
      const sizes = [await inShop(world, "s3@example.com"), await inShop(world, "s4@example.com")];
      const isDone =
        names.every((name) => name === "Edited too") && sizes[0]?.["size"] === 3 && sizes[1]?.["size"] === 44;
      return isDone ? true : undefined;
    });
    expect(["s2", "s3", "s4"].map((name) => inRegister(world, `${name}@example.com`)?.size)).toEqual([2, 3, 44]);
    await systems.sql("UPDATE shop.company SET size = NULL WHERE id = 3");
    await eventually("a person's clearing", async () =>
      (inRegister(world, "s3@example.com")?.size ?? null) === null ? true : undefined,
    );
    expect(["s1", "s4"].map((name) => inRegister(world, `${name}@example.com`)?.size)).toEqual([1, 44]);
  },
);

test(
  "a column is dropped and made anew in one migration, and blanks count: nothing is cleared that nobody cleared",
  LONG_TIMEOUT,
  async () => {
    const core = { rejectEmptyValues: false };
    const world = await shopAndRegister(4, 0, single, { hasTimes: false, attaches: true, core });
    const { systems, api, untilAgreed } = world;
    await untilAgreed("the first load");
    await systems.sql("BEGIN; ALTER TABLE shop.company DROP COLUMN size, ADD COLUMN size int; COMMIT");
    const { id } = [...api.companies.values()].find(({ email }) => email === "s4@example.com") ?? { id: 0 };
    await systems.sql("UPDATE shop.company SET name = 'Edited' WHERE id = 2");
    await eventually("an edit of a row", async () =>
      inRegister(world, "s2@example.com")?.name === "Edited" ? true : undefined,
    );
    api.touch(id, { name: "Edited" });
    await systems.sql("UPDATE shop.company SET name = 'Edited', size = 33 WHERE id = 3");
    await eventually("the edits, and the sizes in the shop", async () => {
      const rows = await Promise.all(["s2", "s3", "s4"].map((name) => inShop(world, `${name}@example.com`)));
      const isDone =
        rows.every((row) => row?.["name"] === "Edited") &&
        JSON.stringify(rows.map((row) => row?.["size"])) === "[2,33,4]" &&
        inRegister(world, "s3@example.com")?.size === 33;
      return isDone ? true : undefined;
    });
    expect(["s1", "s2", "s3", "s4"].map((name) => inRegister(world, `${name}@example.com`)?.size)).toEqual([
      1, 2, 33, 4,
    ]);
    await systems.sql("UPDATE shop.company SET size = NULL WHERE id = 2");
    await eventually("a person's clearing", async () =>
      (inRegister(world, "s2@example.com")?.size ?? null) === null ? true : undefined,
    );
  },
);
