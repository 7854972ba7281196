/** An API that answers calls with a success and names an error in the body, on the way between two systems: nothing doubled, nothing lost. */
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const FAILED = { status: 200, text: '{"error":{"message":"Try again later"}}' };

test("nothing is created while its search fails, and once afterwards", LONG_TIMEOUT, async () => {
  const entity = companies("all", { kind: "none" });
  const { systems, api, untilAgreed } = await shopAndRegister(1, 0, entity, {
    register: { sink: { matchOn: "email" } },
  });
  await untilAgreed("the first load");
  const searches = (): number => api.calls.filter((call) => call.includes("?email=new")).length;
  api.habits.beforeCall = (call) => (call.includes("?email=") ? FAILED : undefined);
  await systems.sql("INSERT INTO shop.company (name, email, size) VALUES ('New', 'new@example.com', 7)");
  await eventually("two searches", async () => (searches() > 1 ? true : undefined));
  expect(apiCompanies(api).map(({ name }) => name)).toEqual(["Shop 1"]);
  api.habits.beforeCall = undefined;
  await untilAgreed("agreement");
  expect(apiCompanies(api)).toHaveLength(2);
});

const SINGLE = /^GET \/all\/companies\/(\d+)$/;

test("single reads whose wrapper nobody described delete nothing elsewhere", LONG_TIMEOUT, async () => {
  const { systems, api, untilAgreed } = await shopAndRegister(0, 30, companies("all", { kind: "none" }));
  await untilAgreed("the first load");
  // For as long a record that was just written may not be shown yet.
  await new Promise((done) => setTimeout(done, 16_000));
  let asked = 0;
  api.habits.beforeCall = (call) => {
    const id = SINGLE.exec(call)?.[1];
    if (id === undefined) return undefined;
    asked += 1;
    return { status: 200, text: JSON.stringify({ data: api.companies.get(Number(id)) }) };
  };
  await systems.sql("UPDATE shop.company SET name = 'edited ' || id, updated_at = now() WHERE size % 8 = 0");
  await eventually("a record to be asked for", async () => (asked > 0 ? true : undefined));
  // What follows from the answer takes a moment.
  await new Promise((done) => setTimeout(done, 5_000));
  expect(await shopCompanies(systems)).toHaveLength(30);
  api.habits.beforeCall = undefined;
  await untilAgreed("agreement");
  const edited = apiCompanies(api).filter(({ name }) => name.startsWith("edited"));
  expect([apiCompanies(api).length, edited.length]).toEqual([30, 3]);
});
