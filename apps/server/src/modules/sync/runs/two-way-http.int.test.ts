/** A table and a JSON API kept in agreement both ways while people edit, lists move and the API fails or spells its own way. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { replayQuarantine } from "@accord/contracts/sync/runs";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import { expect, test } from "vitest";
import {
  apiCompanies,
  byEmail,
  type ListedCompany,
  type ShopAndRegister,
  shopAndRegister,
  shopCompanies,
} from "../../../../test-kit/shop-and-register.ts";
import { eventually } from "../../../../test-kit/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };

const writesIn = (calls: readonly string[]): string[] => calls.filter((call) => !call.startsWith("GET"));

const single = companies("all", { kind: "none" });
const { getById: _, ...listOnly } = single;
const edited: [string, HttpEntityInput, boolean][] = [
  ["ETags", { ...single, concurrency: { kind: "etag" } }, true],
  ["a look at each record just before it is written", single, false],
];

/** Looks for what was deleted are planned, and nothing is still on its way into a list. */
async function untilLooksArePlanned({ systems, schema }: ShopAndRegister): Promise<void> {
  await eventually("looks to be planned", async () =>
    (await systems.sql("SELECT FROM sync_look")).length === 2 ? true : undefined,
  );
  await systems.sql(
    `UPDATE ${schema}.link SET seen_at = now() - interval '1 hour', told_at = now() - interval '1 hour'`,
  );
}

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

test.each([
  ["3 s, answering with the record", 3_000, false],
  ["10 s, answering with the record", 10_000, false],
  ["3 s, answering nothing", 3_000, true],
])(
  "edits of rows whose last edit the API does not show yet arrive, and are not undone: %s",
  LONG_TIMEOUT,
  async (_, lagMs, quiet) => {
    const { systems, api, untilAgreed } = await shopAndRegister(5, 0, single);
    await untilAgreed("the first load");
    Object.assign(api.habits, { lagMs, quiet });
    await sleep(lagMs + 1_000);
    const edit = (text: string) =>
      systems.sql("UPDATE shop.company SET name = $1 || id, updated_at = clock_timestamp()", [text]);
    await edit("First ");
    await eventually("the first edit to be written", async () =>
      apiCompanies(api).every(({ name }) => name.startsWith("First")) ? true : undefined,
    );
    await sleep(500);
    await edit("Second ");
    const isThere = (companies: readonly ListedCompany[]) => companies.every(({ name }) => name.startsWith("Second"));
    await eventually("the second edit in both", async () =>
      isThere(await shopCompanies(systems)) && isThere(apiCompanies(api)) ? true : undefined,
    );
    await sleep(lagMs + 3_000);
    expect([await shopCompanies(systems), apiCompanies(api)].map(isThere)).toEqual([true, true]);
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
  const { systems, api, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
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

test(
  "two systems that hold the same companies hold each of them once when they are brought in",
  LONG_TIMEOUT,
  async () => {
    const whole = { ...companies("all", { kind: "none" }), watermarkField: null };
    const { list, ...entity } = whole;
    const { watermark: _, ...listed } = list;
    const here = Array.from({ length: 40 }, (_, index) => `s${index + 1}@example.com`);
    const { systems, api, schema, untilAgreed } = await shopAndRegister(
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
    await eventually("everything brought in", async () => {
      const [row] = await systems.sql("SELECT resync, whole_sources FROM sync_pipeline");
      return row?.["resync"] === null && (row["whole_sources"] as string[]).length === 2 ? true : undefined;
    });
    await untilAgreed("agreement");
    const emails = (all: ListedCompany[]): string[] => all.map(({ email }) => email);
    const once = here.map((email) => ({ email, name: "", size: null })).toSorted(byEmail);
    expect(emails(await shopCompanies(systems))).toEqual(emails(once));
    expect(emails(apiCompanies(api))).toEqual(emails(once));
    expect(await systems.sql(`SELECT message FROM ${schema}.quarantine`)).toEqual([]);
  },
);

test("a company that is deleted and entered again under its address arrives by itself", LONG_TIMEOUT, async () => {
  const world = await shopAndRegister(3, 0, single, { register: { sink: { matchOn: "email" } } });
  const { systems, api, schema, untilAgreed, runNow } = world;
  await untilAgreed("the first load");
  await systems.sql(`
    DELETE FROM shop.company WHERE email = 's2@example.com';
    INSERT INTO shop.company (name, email, size) VALUES ('Entered again', 's2@example.com', 7)`);
  const quarantineEntries = () => systems.sql(`SELECT code FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`);
  await eventually("the new one to be set aside for the old one", async () =>
    (await quarantineEntries()).length === 1 ? true : undefined,
  );
  expect(await quarantineEntries()).toEqual([{ code: "already_linked" }]);
  await untilLooksArePlanned(world);
  await runNow();
  await untilAgreed("agreement");
  expect(apiCompanies(api)).toContainEqual({ email: "s2@example.com", name: "Entered again", size: 7 });
  expect(api.companies.size).toBe(3);
  expect(await quarantineEntries()).toEqual([]);
});

test("a company that takes the address of a renamed one arrives by itself", LONG_TIMEOUT, async () => {
  const { systems, api, schema, untilAgreed } = await shopAndRegister(3, 0, single, {
    register: { sink: { matchOn: "email" } },
  });
  await untilAgreed("the first load");
  await systems.sql(`
    UPDATE shop.company SET email = 'renamed@example.com' WHERE email = 's2@example.com';
    INSERT INTO shop.company (name, email, size) VALUES ('Its successor', 's2@example.com', 7)`);
  await untilAgreed("agreement");
  expect(apiCompanies(api)).toContainEqual({ email: "s2@example.com", name: "Its successor", size: 7 });
  expect(apiCompanies(api)).toContainEqual({ email: "renamed@example.com", name: "Shop 2", size: 2 });
  expect(api.companies.size).toBe(4);
  expect(await systems.sql(`SELECT code FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`)).toEqual([]);
});

test.each(["leaves", "updates"] as const)(
  "an API that %s what it holds when another company of its address is created is asked once, and both stay as they are",
  LONG_TIMEOUT,
  async (sameEmail) => {
    const { lookup: _lookup, ...blind } = single;
    const { t, params, systems, api, schema, untilAgreed, runNow } = await shopAndRegister(1, 0, blind);
    await untilAgreed("the first load");
    api.habits.sameEmail = sameEmail;
    const from = api.calls.length;
    const posts = () => api.calls.slice(from).filter((call) => call.startsWith("POST")).length;
    const held = () => apiCompanies(api).map(({ name }) => name);
    const quarantineEntries = (name: string) =>
      eventually(`${name} to be set aside`, async () => {
        const rows = await systems.sql(
          `SELECT code, message, record_id, payload->>'name' AS name FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`,
        );
        return rows[0]?.["name"] === name ? rows : undefined;
      });
    const untilIdle = () =>
      eventually("nothing to be outstanding", async () => {
        const open = await systems.sql(`SELECT FROM ${schema}.delivery WHERE NOT parked`);
        return open.length === 0 && held()[0] === "Shop 1" ? true : undefined;
      });
    await systems.sql("INSERT INTO shop.company (name, email, size) VALUES ('Other', 's1@example.com', 7)");
    const [entry] = await quarantineEntries("Other");
    expect(entry).toMatchObject({ code: "already_linked", message: expect.stringContaining("its record 1,") });
    const [tie] = await systems.sql(
      `SELECT l.record_id FROM ${schema}.link l JOIN ${schema}.place p ON p.number = l.place
       WHERE p.entity = 'companies' AND l.external_id = '1'`,
    );
    expect(tie).toBeDefined();
    expect(tie?.["record_id"]).not.toBe(entry?.["record_id"]);
    await untilIdle();
    for (const name of ["Second", "Third"]) {
      await systems.sql("UPDATE shop.company SET name = $1, updated_at = now() WHERE id = 2", [name]);
      await quarantineEntries(name);
    }
    await runNow();
    await sleep(2_000);
    await untilIdle();
    expect(posts()).toBe(1);
    expect(await systems.sql("SELECT name, size FROM shop.company ORDER BY id")).toEqual([
      { name: "Shop 1", size: 1 },
      { name: "Third", size: 7 },
    ]);
    const names = await systems.sql("SELECT name FROM crm.written WHERE id = 1");
    expect(names, "nothing is written back over the company that was there").toEqual([]);

    const manager = t.as("SYNC_MANAGER");
    await manager.call(replayQuarantine, { params, body: {} });
    await eventually("another creation", async () => (posts() === 2 ? true : undefined));
    await quarantineEntries("Third");
    await untilIdle();
    await systems.sql("UPDATE shop.company SET email = 'other@example.com', updated_at = now() WHERE id = 2");
    await eventually("the edit", async () => {
      const [row] = await systems.sql(
        `SELECT payload->>'email' AS email FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`,
      );
      return row?.["email"] === "other@example.com" ? true : undefined;
    });
    await manager.call(replayQuarantine, { params, body: {} });
    await untilAgreed("agreement");
    expect([posts(), held()]).toEqual([3, ["Third", "Shop 1"]]);
    expect(await systems.sql(`SELECT FROM ${schema}.quarantine WHERE status <> 'RESOLVED'`)).toEqual([]);
  },
);
