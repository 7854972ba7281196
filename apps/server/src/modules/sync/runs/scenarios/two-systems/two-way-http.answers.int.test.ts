/** A table and a JSON API whose answers to changes say little of what it stores, or nothing true: no newer edit is lost. */
import { setTimeout as sleep } from "node:timers/promises";
import type { HttpEntityInput } from "@accord/contracts/connections/http-entity";
import { companies } from "@accord/connectors/test-systems/json-api-entities";
import type { Habits } from "@accord/connectors/test-systems/json-api";
import { listConflicts } from "@accord/contracts/sync/monitoring/conflicts";
import { expect, test } from "vitest";
import {
  apiCompanies,
  type ShopAndRegister,
  shopAndRegister,
  shopCompanies,
} from "../../../../../../test-kit/systems/shop-and-register.ts";
import { eventually } from "../../../../../../test-kit/sync-world/working-world.ts";

const LONG_TIMEOUT = { timeout: 240_000 };
const ROWS = 20;
const single = companies("all", { kind: "none" });
const { getById: _single, ...listedOnly } = single;
const { watermark: _since, ...untimedList } = single.list;
const untimed: HttpEntityInput = {
  ...single,
  watermarkField: null,
  fields: (single.fields ?? []).filter(({ apiName }) => apiName !== "updated_at"),
  list: untimedList,
};

/** Numbers are rounded to a digit, texts cut and written in small letters. */
const stored = (name: string): string =>
  /^[\d.]+$/.test(name) ? String(Math.round(Number(name) * 10) / 10) : name.slice(0, 12).toLowerCase();
const spell = ({ name, ...values }: { name?: string }) => ({ ...values, ...(name && { name: stored(name) }) });

/** Numbers, texts that are cut, and texts that are not. */
const entered = (word: string, number: number): string =>
  `(ARRAY[(id + ${number})::text, '${word} ' || id || ' and more of it', '${word} ' || id])[id % 3 + 1]`;

async function newWorld(entity: HttpEntityInput, habits: Habits, prepared: Habits = {}): Promise<ShopAndRegister> {
  const world = await shopAndRegister(ROWS, 0, entity, {
    // Its clock is right.
    prepare: (api) => void Object.assign(api.habits, { clockOffsetMs: 0, ...prepared }),
  });
  await eventually("the first load", async () => (world.api.companies.size === ROWS ? true : undefined));
  Object.assign(world.api.habits, habits);
  return world;
}

const edit = ({ systems }: ShopAndRegister, name: string): Promise<unknown> =>
  systems.sql(`UPDATE shop.company SET name = ${name}, updated_at = clock_timestamp()`);

const inShop = async ({ systems }: ShopAndRegister): Promise<string[]> =>
  (await shopCompanies(systems)).map(({ name }) => name);
const inApi = ({ api }: ShopAndRegister): string[] => apiCompanies(api).map(({ name }) => name);

/** Names that rows of the shop ever got, whoever wrote them. */
const written = async ({ systems }: ShopAndRegister): Promise<unknown[]> =>
  (await systems.sql("SELECT name FROM crm.written ORDER BY write_id")).map(({ name }) => name);

const untilStored = (world: ShopAndRegister, names: readonly string[]): Promise<true> =>
  eventually("the API to hold what was entered", async () =>
    JSON.stringify(inApi(world)) === JSON.stringify(names.map(stored)) ? true : undefined,
  );

async function conflictsOf({ t, params }: ShopAndRegister): Promise<unknown[]> {
  const { conflicts } = await t.as("SYNC_MANAGER").call(listConflicts, { params });
  return conflicts.flatMap(({ competing }) => competing.map(({ value, reason }) => [value, reason]));
}

const ANSWERS: [string, HttpEntityInput, Habits, maxConflicts: number][] = [
  ["nothing", single, { quiet: true }, 0],
  // Nothing distinguishes what the API made of what it was written from what somebody entered there.
  ["nothing, where no record can be asked for", listedOnly, { quiet: true }, ROWS],
  ["no record", single, { answers: "ok" }, 0],
  ["what was sent", single, { answers: "asSent" }, 0],
  ["the record as it was", single, { answers: "asBefore" }, 0],
];

test.each(ANSWERS)(
  "what is entered elsewhere right after a write that the API answers with %s, and stores its own way, stays",
  LONG_TIMEOUT,
  async (_, entity, habits, maxConflicts) => {
    const world = await newWorld(entity, { ...habits, spell });
    await edit(world, entered("First", 10.57));
    await untilStored(world, await inShop(world));
    await sleep(200);
    await edit(world, entered("Second", 89.17));
    const names = await inShop(world);
    await untilStored(world, names);
    await sleep(5_000);
    expect(await inShop(world)).toEqual(names);
    expect(inApi(world)).toEqual(names.map(stored));
    expect(await written(world), "nothing but what was entered").toHaveLength(2 * ROWS);
    expect((await conflictsOf(world)).length).toBeLessThanOrEqual(maxConflicts);
  },
);

test.each(ANSWERS)(
  "what is entered in the API right after a write that it answers with %s is taken, or listed",
  LONG_TIMEOUT,
  async (_, entity, habits) => {
    const world = await newWorld(entity, { ...habits, spell });
    await edit(world, entered("First", 10.57));
    await untilStored(world, await inShop(world));
    for (const { id } of world.api.companies.values()) world.api.touch(id, { name: `Entered there ${id}` });
    const there = inApi(world);
    await eventually("what was entered there, or its listing", async () => {
      const [shop, listed] = [await inShop(world), JSON.stringify(await conflictsOf(world))];
      return there.every((name) => shop.includes(name) || listed.includes(`"${name}"`)) ? true : undefined;
    });
  },
);

test.each([
  ["with times of change", single],
  ["without", untimed],
])(
  "a first load into an API that stores its own way and answers what it was sent writes nothing back: %s",
  LONG_TIMEOUT,
  async (_, entity) => {
    const world = await shopAndRegister(1, 0, entity, {
      prepare: async (api, { sql }) => {
        Object.assign(api.habits, { clockOffsetMs: 0, answers: "asSent", spell });
        await sql("DELETE FROM shop.company");
        await sql(`INSERT INTO shop.company (name, email) SELECT ${entered("First", 10.57)}, id || '@example.com'
                   FROM generate_series(1, ${ROWS}) AS id`);
      },
    });
    await eventually("the first load", async () => (world.api.companies.size === ROWS ? true : undefined));
    await sleep(5_000);
    expect(await written(world)).toEqual([]);
  },
);

test.each([250, 600])(
  "of quick edits of one field the last one stands, though the API answers with the record as it was after %i ms",
  LONG_TIMEOUT,
  async (answersAfterMs) => {
    const world = await newWorld(single, { answers: "asBefore", answersAfterMs });
    for (const word of ["First", "Second", "Third", "Fourth"]) {
      await edit(world, `'${word} ' || id`);
      await sleep(answersAfterMs * 2 + 100);
    }
    const names = await inShop(world);
    await eventually("the last one in the API", async () =>
      JSON.stringify(inApi(world)) === JSON.stringify(names) ? true : undefined,
    );
    await sleep(4_000);
    expect([await inShop(world), inApi(world)]).toEqual([names, names]);
    expect(await written(world)).toHaveLength(4 * ROWS);
    expect(await conflictsOf(world)).toEqual([]);
  },
);

test.each<[string, Habits]>([
  ["with the record", {}],
  ["with nothing", { quiet: true }],
  ["with the record as it was", { answers: "asBefore" }],
])(
  "what an API without times of change shows of before our writes, seconds late, is no edit; it answers %s",
  LONG_TIMEOUT,
  async (_, habits) => {
    const world = await newWorld(untimed, {});
    await sleep(3_000);
    Object.assign(world.api.habits, { lagMs: 5_000, ...habits });
    for (const word of ["First", "Second", "Third"]) {
      await edit(world, `'${word} ' || id`);
      await sleep(2_600);
    }
    const names = await inShop(world);
    await eventually("the last edit in the API", async () =>
      JSON.stringify(inApi(world)) === JSON.stringify(names) ? true : undefined,
    );
    await sleep(9_000);
    expect([await inShop(world), inApi(world)]).toEqual([names, names]);
    expect(await written(world)).toHaveLength(3 * ROWS);
    expect(await conflictsOf(world)).toEqual([]);
  },
);
