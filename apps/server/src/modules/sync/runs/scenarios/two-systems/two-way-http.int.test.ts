/** A table and a JSON API kept in agreement both ways while people edit, lists move and the API fails or spells its own way. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import {
  apiCompanies,
  byEmail,
  type ListedCompany,
  shopAndRegister,
  shopCompanies,
  untilLooksArePlanned,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };

const writesIn = (calls: readonly string[]): string[] => calls.filter((call) => !call.startsWith("GET"));

const single = companies("all", { kind: "none" });
const edited: [string, HttpEntityInput, boolean][] = [
  ["ETags", { ...single, concurrency: { kind: "etag" } }, true],
  ["a look at each record just before it is written", single, false],
];

test.each(edited)(
  "[F15] people who edit the API while a long delivery goes on keep what they entered: %s",
  LONG_TIMEOUT,
  async (_, entity, etags) => {
    const { systems, api, untilAgreed } = await shopAndRegister(240, 0, entity);
    api.habits.etags = etags;
    await untilAgreed("the first load");
    expect(await systems.sql("SELECT * FROM crm.written"), "nothing is written back").toEqual([]);

    api.habits.beforeCall = async (call) => {
      if (call.startsWith("PATCH")) await sleep(150);
    };
    const from = api.calls.length;
    await systems.sql("UPDATE shop.company SET name = 'Changed ' || id, updated_at = now()");
    await eventually("the delivery to be under way", async () =>
      writesIn(api.calls.slice(from)).length > 20 ? true : undefined,
    );
    const open = [...api.companies.values()].filter(({ name }) => !name.startsWith("Changed")).slice(-40);
    expect(open.length, "there was something left to deliver").toBe(40);
    for (const { id, email } of open) api.touch(id, { name: `Entered by hand ${email}` });
    api.habits.beforeCall = undefined;
    await untilAgreed("agreement");

    const names = new Map((await shopCompanies(systems)).map(({ email, name }) => [email, name]));
    const emails = new Set(open.map(({ email }) => email));
    for (const [email, name] of names)
      expect(name).toBe(emails.has(email) ? `Entered by hand ${email}` : `Changed ${email.match(/\d+/)?.[0]}`);
  },
);

test(
  "[F3] an API that fails for everything is asked a few times while it is down, and all arrives once it is back",
  LONG_TIMEOUT,
  async () => {
    const { systems, api, schema, untilAgreed } = await shopAndRegister(150, 0, single);
    await untilAgreed("the first load");
    api.habits.beforeCall = (call) =>
      call.startsWith("GET") ? undefined : { status: 502, text: "<h1>Bad gateway</h1>" };
    const from = api.calls.length;
    await systems.sql("UPDATE shop.company SET name = name || ' moved', updated_at = now()");
    await systems.sql(
      "INSERT INTO shop.company (name, email) SELECT 'New ' || i, 'n' || i || '@example.com' FROM generate_series(1, 20) i",
    );
    await sleep(8_000);
    expect(writesIn(api.calls.slice(from)).length, "calls while it was down").toBeLessThan(30);
    api.habits.beforeCall = undefined;
    await untilAgreed("agreement once it is back");
    expect(api.companies.size).toBe(170);
    expect(await systems.sql(`SELECT message FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`)).toEqual([]);
  },
);

test("[F15] two systems that spell names their own way and answer nothing come to rest", LONG_TIMEOUT, async () => {
  const { systems, api } = await shopAndRegister(20, 0, single);
  await eventually("the first load", async () => (api.companies.size === 20 ? true : undefined));
  await systems.sql(`
    CREATE FUNCTION shop.spell() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.name := upper(NEW.name); NEW.updated_at := now(); RETURN NEW; END $$;
    CREATE TRIGGER spell BEFORE INSERT OR UPDATE ON shop.company FOR EACH ROW EXECUTE FUNCTION shop.spell()`);
  Object.assign(api.habits, {
    quiet: true,
    spell: (values: { name?: string }) => ({ ...values, ...(values.name && { name: values.name.toLowerCase() }) }),
  });
  await systems.sql("UPDATE shop.company SET name = 'Edited ' || id WHERE id = 7");
  await eventually("the edit to arrive", async () =>
    apiCompanies(api).some(({ name }) => name === "edited 7") ? true : undefined,
  );
  await sleep(6_000);
  const quiet = { calls: api.calls.length, written: (await systems.sql("SELECT 1 FROM crm.written")).length };
  await sleep(8_000);
  expect(writesIn(api.calls.slice(quiet.calls))).toEqual([]);
  expect((await systems.sql("SELECT 1 FROM crm.written")).length).toBe(quiet.written);
});

test(
  "rows that a numbered list skips because others were deleted meanwhile are there all the same",
  LONG_TIMEOUT,
  async () => {
    const paged = companies("page", { kind: "page", sizeParam: "size", size: 100 });
    let pages = 0;
    const { systems, api } = await shopAndRegister(1, 1_000, paged, {
      prepare: (api) => {
        api.habits.beforeCall = (call) => {
          if (!call.startsWith("GET /page/companies?")) return;
          pages += 1;
          if (pages === 3) for (const id of [5, 6, 7]) api.companies.delete(id);
          if (pages === 5) api.companies.delete(300);
        };
      },
    });
    await eventually("every company to be in the shop", async () => {
      const emails = new Set((await shopCompanies(systems)).map(({ email }) => email));
      const isThere = [...api.companies.values()].every(({ email }) => emails.has(email ?? ""));
      return pages > 5 && isThere ? true : undefined;
    });
    expect(api.companies.size).toBeGreaterThanOrEqual(996);
  },
);

test("changes in an API that leave the time of change as it was, or set an old one, arrive", LONG_TIMEOUT, async () => {
  const world = await shopAndRegister(20, 0, single);
  const { systems, api, schema, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
  // Until what was written has been read, what the API shows with the write's own time of change is what it made of it.
  await eventually("the first reading after the writes", async () =>
    (await systems.sql(`SELECT FROM ${schema}.link WHERE starts_with(seen, '-')`)).length === 0 ? true : undefined,
  );
  const [same, old] = [...api.companies.values()];
  if (!same || !old) throw new Error("the API holds companies");
  api.companies.set(same.id, { ...same, name: "Changed in silence" });
  api.companies.set(old.id, { ...old, name: "Changed long ago", updated_at: "1999-01-01T00:00:00.000Z" });
  await untilLooksArePlanned(world);
  await runNow();
  const nameOf = async ({ email }: { email: string | null }) =>
    (await shopCompanies(systems)).find((company) => company.email === email)?.name;
  await eventually("both changes", async () =>
    (await nameOf(same)) === "Changed in silence" && (await nameOf(old)) === "Changed long ago" ? true : undefined,
  );
  await untilAgreed("agreement");
  expect(await systems.sql("SELECT FROM sync_look WHERE problem IS NOT NULL")).toEqual([]);
});

test(
  "two systems that hold the same companies hold each of them once when they are brought in",
  LONG_TIMEOUT,
  async () => {
    const whole = { ...companies("all", { kind: "none" }), watermarkField: null };
    const { list, ...entity } = whole;
    const { watermark: _, ...listed } = list;
    const here = Array.from({ length: 40 }, (_, index) => `s${index + 1}@example.com`);
    const { systems, api, schema, untilAgreed, untilBroughtIn } = await shopAndRegister(
      40,
      0,
      { ...entity, list: listed },
      {
        attaches: true,
        prepare: async (register, { sql }) => {
          await sql("UPDATE shop.company SET updated_at = '2024-01-01'");
          for (const [index, email] of here.entries())
            register.create({ email, name: `Shop ${index + 1}`, size: index + 1 });
        },
      },
    );
    await untilBroughtIn();
    await untilAgreed("agreement");
    const emails = (all: ListedCompany[]): string[] => all.map(({ email }) => email);
    const once = here.map((email) => ({ email, name: "", size: null })).toSorted(byEmail);
    expect(emails(await shopCompanies(systems))).toEqual(emails(once));
    expect(emails(apiCompanies(api))).toEqual(emails(once));
    expect(await systems.sql(`SELECT message FROM ${schema}.quarantine`)).toEqual([]);
  },
);
