/** A table and a JSON API: what is deleted, restored or left out of a list in either is so in both. */
import { setTimeout as sleep } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import {
  shopAndRegister,
  shopCompanies,
  untilLooksArePlanned,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });
const { getById: _, ...listOnly } = single;

test.each([
  ["with", single],
  ["without", listOnly],
])(
  "what is deleted in an API %s single reads is deleted everywhere when the pipeline is run",
  LONG_TIMEOUT,
  async (_name, entity) => {
    const world = await shopAndRegister(0, 12, entity);
    const { systems, api, untilAgreed, runNow } = world;
    await untilAgreed("the first load");
    await untilLooksArePlanned(world);
    api.companies.delete(3);
    await runNow();
    await eventually("the deletion", async () => ((await shopCompanies(systems)).length === 11 ? true : undefined));
    await untilAgreed("agreement");
  },
);

test("what an API without single reads lists and never handed out is taken up", LONG_TIMEOUT, async () => {
  const world = await shopAndRegister(0, 12, listOnly);
  const { systems, api, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
  await untilLooksArePlanned(world);
  const [some] = [...api.companies.values()];
  if (!some) throw new Error("the API holds companies");
  const restored = { ...some, id: 4711, email: "restored@example.com", updated_at: "1999-01-01T00:00:00.000Z" };
  api.companies.set(restored.id, restored);
  await runNow();
  await eventually("the restored company", async () =>
    (await shopCompanies(systems)).some(({ email }) => email === restored.email) ? true : undefined,
  );
  await untilAgreed("agreement");
});

test("an API that gives fewer records a page than before loses nobody a record", LONG_TIMEOUT, async () => {
  const { getById: _single, ...entity } = companies("offset", { kind: "offset", size: 100 }, { watermark: null });
  const world = await shopAndRegister(0, 60, entity);
  const { systems, api, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
  await untilLooksArePlanned(world);
  api.habits.largestPage = 50;
  const [began] = await systems.sql("SELECT now() AS at");
  await runNow();
  const looked = async () =>
    (await systems.sql("SELECT FROM sync_look WHERE ended_at > $1", [began?.["at"]])).length === 2;
  await eventually("the looks", async () => ((await looked()) ? true : undefined));
  await sleep(3_000);
  expect([api.companies.size, (await shopCompanies(systems)).length]).toEqual([60, 60]);
});

test(
  "what was deleted and is entered again under its id, in whichever system, is in both again",
  LONG_TIMEOUT,
  async () => {
    const world = await shopAndRegister(20, 0, single);
    const { systems, api, schema, untilAgreed, runNow } = world;
    await untilAgreed("the first load");
    const items = new Map([...api.companies.values()].map((item) => [item.email, item]));
    await systems.sql("DELETE FROM shop.company WHERE id <= 4");
    await untilLooksArePlanned(world);
    await runNow();
    await eventually("the deletions", async () => (api.companies.size === 16 ? true : undefined));
    await untilAgreed("the deletions");
    await sleep(1_500);

    // Restored as it was, entered anew, put back in the API, and given to somebody else there.
    await systems.sql(
      "INSERT INTO shop.company (id, name, email, size) VALUES (1, 'Shop 1', 's1@example.com', 1), (2, 'Anew', 's2@example.com', NULL)",
    );
    for (const [email, name] of [
      ["s3@example.com", "Shop 3"],
      ["s4@example.com", "Somebody else"],
    ] as const) {
      const item = items.get(email);
      if (!item) throw new Error(`no ${email} in the API`);
      api.companies.set(item.id, item);
      api.touch(item.id, { name });
    }
    await eventually("all four in both", async () => (api.companies.size === 20 ? true : undefined));
    await untilAgreed("all four in both");
    const returned = new Map((await shopCompanies(systems)).map(({ email, name, size }) => [email, [name, size]]));
    expect([1, 2, 3, 4].map((number) => returned.get(`s${number}@example.com`))).toEqual([
      ["Shop 1", 1],
      ["Anew", null],
      ["Shop 3", 3],
      ["Somebody else", 4],
    ]);
    expect(
      await systems.sql(`SELECT count(*)::int AS count FROM ${schema}.r_company WHERE NOT accord_deleted`),
    ).toEqual([{ count: 20 }]);
  },
);
