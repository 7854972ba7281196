/** Rows that are deleted and entered again between two readings, in a table and in a JSON API: changed records, no new ones. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

const AGAIN: [string, string][] = [
  [
    "its id, in one transaction",
    `BEGIN; DELETE FROM shop.company WHERE id = 2;
     INSERT INTO shop.company (id, name, email, size) VALUES (2, 'Again', 's2@example.com', 2); COMMIT`,
  ],
  [
    "another id, in one transaction",
    `BEGIN; DELETE FROM shop.company WHERE id = 2;
     INSERT INTO shop.company (id, name, email, size) VALUES (102, 'Again', 's2@example.com', 2); COMMIT`,
  ],
  [
    "its id, with the whole table",
    `BEGIN; CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM shop.company; TRUNCATE shop.company;
     INSERT INTO shop.company (id, name, email, size)
       SELECT id, CASE id WHEN 2 THEN 'Again' ELSE name END, email, size FROM kept; COMMIT`,
  ],
  [
    "another id, with the whole table",
    `BEGIN; CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM shop.company; TRUNCATE shop.company;
     INSERT INTO shop.company (id, name, email, size)
       SELECT id + 100, CASE id WHEN 2 THEN 'Again' ELSE name END, email, size FROM kept; COMMIT`,
  ],
];

test.each(AGAIN)(
  "a row that is deleted and entered again under %s is changed elsewhere",
  LONG_TIMEOUT,
  async (_, sql) => {
    const world = await shopAndRegister(4, 0, single, { hasTimes: false, attaches: true });
    const { systems, api, schema, untilAgreed, runNow } = world;
    await untilAgreed("the first load");
    const ids = [...api.companies.keys()];
    const records = () => systems.sql(`SELECT accord_id FROM ${schema}.r_company ORDER BY 1`);
    const before = await records();
    const from = api.calls.length;
    await systems.sql(sql);
    await eventually("the change in the register", async () =>
      apiCompanies(api).some(({ name }) => name === "Again") ? true : undefined,
    );
    await runNow();
    await untilAgreed("agreement");
    expect([...api.companies.keys()], "each is the company that it was").toEqual(ids);
    const writes = api.calls.slice(from).filter((call) => !call.startsWith("GET"));
    expect(
      writes.map((call) => call.split(" ")[0]),
      "one is changed",
    ).toEqual(["PATCH"]);
    expect(await records(), "nothing is made anew here").toEqual(before);
  },
);

test("what is entered again in a JSON API under another id is changed in the table", LONG_TIMEOUT, async () => {
  const { systems, api, untilAgreed, runNow } = await shopAndRegister(4, 0, single, {
    hasTimes: false,
    attaches: true,
  });
  await untilAgreed("the first load");
  const ids = await systems.sql("SELECT id FROM shop.company ORDER BY 1");
  const [id, old] = [...api.companies].find(([, { email }]) => email === "s2@example.com") ?? [];
  if (id === undefined || !old) throw new Error("the company is there");
  api.companies.delete(id);
  api.companies.set(9_002, { ...old, id: 9_002 });
  api.touch(9_002, { name: "Again" });
  await eventually("the change in the shop", async () =>
    (await shopCompanies(systems)).some(({ name }) => name === "Again") ? true : undefined,
  );
  await runNow();
  await untilAgreed("agreement");
  expect(await systems.sql("SELECT id FROM shop.company ORDER BY 1")).toEqual(ids);
});
