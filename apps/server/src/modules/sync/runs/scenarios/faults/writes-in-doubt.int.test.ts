/** Writes whose answer is lost, or that have to wait until the API takes them, while people edit the same field. */
import { setTimeout as sleep } from "node:timers/promises";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import { apiCompanies, shopAndRegister, shopCompanies } from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const single = companies("all", { kind: "none" });

/** Calls that change a record, each distinguished by its record. */
const isPatch = (call: string): boolean => call.startsWith("PATCH");

test.each([
  ["answers 500", { status: 500 }, "LATEST"],
  ["breaks off the connection", "reset", "NONE"],
] as const)(
  "[F5] what people enter in the table is kept when the API takes the value before, and %s",
  LONG_TIMEOUT,
  async (_, fault, authority) => {
    const { systems, api, untilAgreed } = await shopAndRegister(6, 0, single, { core: { authority } });
    await untilAgreed("the first load");
    const [asked, taken] = [new Set<string>(), new Set<string>()];
    api.habits.beforeCall = async (call) => {
      if (!isPatch(call) || asked.has(call)) return;
      asked.add(call);
      await sleep(700);
    };
    api.habits.afterCall = (call) => {
      if (!isPatch(call) || taken.has(call)) return undefined;
      taken.add(call);
      return fault;
    };
    const edit = (text: string) =>
      systems.sql("UPDATE shop.company SET name = $1 || id, updated_at = clock_timestamp()", [text]);
    await edit("First ");
    await eventually("the first edit to be on its way", async () => (asked.size > 0 ? true : undefined));
    await edit("Second ");
    await eventually("answers to be lost", async () => (taken.size > 0 ? true : undefined));
    await sleep(6_000);
    await untilAgreed("agreement");
    for (const { name } of [...(await shopCompanies(systems)), ...apiCompanies(api)]) expect(name).toMatch(/^Second /);
  },
);

test("what people enter in the API is kept while a write waits for its limit", LONG_TIMEOUT, async () => {
  const { systems, api, untilAgreed } = await shopAndRegister(4, 0, single);
  await untilAgreed("the first load");
  const refused = new Set<string>();
  api.habits.beforeCall = (call) => {
    if (!isPatch(call) || refused.has(call)) return undefined;
    refused.add(call);
    return { status: 429, headers: { "retry-after": "5" } };
  };
  await systems.sql("UPDATE shop.company SET name = 'Shop edit ' || id, updated_at = clock_timestamp()");
  await eventually("writes to be refused", async () => (refused.size > 0 ? true : undefined));
  await sleep(1_000);
  for (const { id } of api.companies.values()) api.touch(id, { name: `By hand ${id}` });
  await sleep(7_000);
  await untilAgreed("agreement");
  for (const { name } of [...(await shopCompanies(systems)), ...apiCompanies(api)]) expect(name).toMatch(/^By hand /);
});

test("[F5] a creation without an answer is not made again before the API shows what it did", LONG_TIMEOUT, async () => {
  const { create: _, ...others } = single;
  const entity = { ...others, create: { method: "POST" as const, path: "/all/companies" } };
  const register = { sink: { matchOn: "email" } };
  const { systems, api, untilAgreed } = await shopAndRegister(3, 0, entity, { register });
  await untilAgreed("the first load");
  api.habits.lagMs = 4_000;
  let isLost = false;
  api.habits.afterCall = (call) => {
    if (!call.startsWith("POST") || isLost) return undefined;
    isLost = true;
    return { status: 500 };
  };
  await systems.sql("INSERT INTO shop.company (name, email) VALUES ('New', 'new@example.com')");
  await eventually("a creation without an answer", async () => (isLost ? true : undefined));
  await systems.sql("UPDATE shop.company SET name = 'Edited', updated_at = clock_timestamp() WHERE id > 3");
  await untilAgreed("agreement");
  const emails = apiCompanies(api).map(({ email }) => email);
  expect(emails.toSorted()).toEqual(["new@example.com", "s1@example.com", "s2@example.com", "s3@example.com"]);
});
