/** What a list warns of at each reading, on real storage: told once while it stands, shown for as long, and no longer. */
import type { Connection } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import {
  changingConnections,
  eventually,
  inWorkingWorld,
  type WorkingWorld,
} from "../../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema } from "../../../../../platform/db/db.ts";

const CODE = "total_not_reached";

/** System `a` warns of its list wherever it is read to its end, as long as its total is wrong. */
const warning = (list: { total: number | null }) => changingConnections("a", (connection) => warned(connection, list));

const warned = (connection: Connection, list: { total: number | null }): Connection => ({
  ...connection,
  async read(request) {
    const page = await connection.read(request);
    if (list.total === null || !page.drained) return page;
    return { ...page, warnings: [{ code: CODE, message: `The list ended before ${list.total} records.` }] };
  },
});

const cyclesRun = async ({ pool }: WorkingWorld, more: number): Promise<void> => {
  const number = async (): Promise<number> =>
    Number((await pool.query("SELECT cycle_number FROM sync_pipeline")).rows[0].cycle_number);
  const from = await number();
  await eventually("more cycles", async () => ((await number()) >= from + more ? true : undefined));
};

const listed = async ({ service, person }: WorkingWorld): Promise<string[]> => {
  const { cycles } = await service.cycles(person, ENTITY, { count: 50, direction: "next" });
  return cycles.flatMap(({ warnings }) => warnings.filter(({ code }) => code === CODE).map((one) => one.errorMessage));
};

const shown = async ({ service, person }: WorkingWorld): Promise<unknown[]> =>
  (await service.errors(person, ENTITY, {})).warnings
    .filter(({ code }) => code === CODE)
    .map(({ errorMessage, count }) => [errorMessage, count]);

test("a warning that each reading of a list gives is one cycle, stands in health, and is over once it is fixed", async () => {
  const list: { total: number | null } = { total: 3 };
  await inWorkingWorld(async (world) => {
    await world.startWorker();
    const three = "The list ended before 3 records.";
    await eventually("the warning", async () => ((await shown(world)).length > 0 ? true : undefined));
    await cyclesRun(world, 4);
    expect(await listed(world), "its cycle alone").toEqual([three]);
    expect(await shown(world)).toEqual([[three, 1]]);

    // What happens elsewhere meanwhile neither takes it back nor tells it as news.
    await world.addOutside("b", "new@example.com", "b");
    await eventually("the record", async () => {
      const { rows } = await world.pool.query("SELECT FROM outside.a WHERE email = 'new@example.com'");
      return rows.length === 1 ? true : undefined;
    });
    await cyclesRun(world, 4);
    expect(await shown(world)).toEqual([[three, 1]]);
    const before = (await listed(world)).length;
    await cyclesRun(world, 4);
    expect((await listed(world)).length, "cycles of before").toBe(before);

    list.total = 4;
    const four = "The list ended before 4 records.";
    await eventually("other words", async () => ((await listed(world)).includes(four) ? true : undefined));
    await cyclesRun(world, 3);
    expect((await listed(world)).filter((message) => message === four)).toHaveLength(1);
    expect(await shown(world)).toEqual([[four, 1]]);

    list.total = null;
    await eventually("its end", async () => ((await shown(world)).length === 0 ? true : undefined));
    expect((await world.service.stateOf(world.person, ENTITY)).health).toMatchObject({ state: "IN_AGREEMENT" });
  }, warning(list));
});

test("a warning of a list stands while cycles break off one after the other, and is over once the list is read again", async () => {
  const list: { total: number | null } = { total: 3 };
  await inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await world.startWorker();
    await eventually("the warning", async () => ((await shown(world)).length > 0 ? true : undefined));
    await pool.query(
      "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$",
    );
    const link = `"${instanceSchema(INSTANCE)}".link`;
    await pool.query(`CREATE TRIGGER refuse BEFORE INSERT ON ${link} FOR EACH ROW EXECUTE FUNCTION refuse()`);
    await world.addOutside("a", "ada@example.com", "a");
    await eventually("cycles that break off", async () => {
      const { error } = await service.errors(person, ENTITY, {});
      return error.some(({ code }) => code === "cycle_broke_off") ? true : undefined;
    });
    expect(await shown(world)).toEqual([["The list ended before 3 records.", 1]]);
    await cyclesRun(world, 1);
    expect(await shown(world)).toEqual([["The list ended before 3 records.", 1]]);

    list.total = null;
    await pool.query(`DROP TRIGGER refuse ON ${link}`);
    await pool.query("UPDATE sync_pipeline SET due_at = now()");
    await eventually("its end", async () => ((await shown(world)).length === 0 ? true : undefined));
  }, warning(list));
});
