/** Values that don't fit: what people see of them, node by node, and how they get in once somebody has fixed them. */
import type { BadRecord, Connection, SourceRecord } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";
import { expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../../../test-kit/sync-world/sync-world.ts";
import {
  changingConnections,
  eventually,
  inWorkingWorld,
  type WorkingWorld,
} from "../../../../../../test-kit/sync-world/working-world.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import type { RunsDependencies } from "../../worker/plans.ts";

const TABLE = `"i_${INSTANCE}"."r_Contact"`;

const add = ({ pool }: WorkingWorld, email: string, phone: string): Promise<unknown> =>
  pool.query("INSERT INTO outside.a (email, name, phone) VALUES ($1, 'N', $2)", [email, phone]);

const phones = async (pool: Pool): Promise<[string, unknown][]> => {
  const { rows } = await pool.query(`SELECT email, phone FROM ${TABLE} ORDER BY email`);
  return rows.map(({ email, phone }) => [email, phone]);
};

const twoCycles = async ({ pool }: WorkingWorld): Promise<void> => {
  const { rows } = await pool.query("SELECT cycle_number FROM sync_pipeline");
  await eventually("two more cycles", async () => {
    const { rows: now } = await pool.query("SELECT cycle_number, owner FROM sync_pipeline");
    return Number(now[0].cycle_number) > Number(rows[0].cycle_number) + 2 && now[0].owner === null ? true : undefined;
  });
};

/** The core keeps phones as whole numbers. */
const phonesAreNumbers = (needs: RunsDependencies): RunsDependencies => ({
  ...needs,
  schema: {
    ...needs.schema,
    async getEntity(at, entityId) {
      const entity = await needs.schema.getEntity(at, entityId);
      const fields = (entity?.fields ?? []).map((field) =>
        field.apiName === "phone" ? { ...field, dataType: "integer" as const } : field,
      );
      return entity && { ...entity, fields };
    },
  },
});

test("[F11] text in a number field: the record goes on without it, and a warning names node, field, reason and how many", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await pool.query(`ALTER TABLE ${TABLE} ALTER COLUMN phone TYPE bigint USING NULL`);
    await add(world, "a@example.com", "12");
    await add(world, "b@example.com", "twelve");
    await add(world, "c@example.com", "thirteen");
    await world.startWorker();
    await eventually("three records", async () => ((await phones(pool)).length === 3 ? true : undefined));
    // Cycles without news take nothing back.
    await twoCycles(world);
    expect((await phones(pool)).map(([, phone]) => phone && Number(phone))).toEqual([12, null, null]);

    const { warnings } = await service.errors(person, ENTITY, {});
    expect(warnings).toEqual([
      {
        nodeId: "source-a",
        targetId: "phone",
        code: "not_convertible",
        errorMessage: expect.stringContaining("phone"),
        errorDetail: '"twelve" in record 2',
        count: 2,
      },
    ]);
    expect((await service.errors(person, ENTITY, { targetId: "email" })).warnings).toEqual([]);
    expect((await service.stateOf(person, ENTITY)).warningCount).toBe(1);
    const { cycles } = await service.cycles(person, ENTITY, { count: 10, direction: "next" });
    expect(cycles.flatMap((cycle) => cycle.warnings)).toMatchObject([{ targetId: "phone", count: 2 }]);
  }, phonesAreNumbers));

test("a value that is cleared where empty values never overwrite comes back, and a warning names node, field, record and how many", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await add(world, "a@example.com", "12");
    await add(world, "b@example.com", "13");
    await pool.query("INSERT INTO outside.a (email, name) VALUES ('c@example.com', 'N')");
    await world.startWorker();
    await eventually("three records", async () => ((await phones(pool)).length === 3 ? true : undefined));
    await twoCycles(world);
    expect((await service.errors(person, ENTITY, {})).warnings, "what was blank all along is no news").toEqual([]);

    await pool.query("UPDATE outside.a SET phone = NULL, change = nextval('outside.change') WHERE id IN (1, 2)");
    const warnings = await eventually("the warning", async () => {
      const found = (await service.errors(person, ENTITY, {})).warnings;
      return found[0]?.count === 2 ? found : undefined;
    });
    expect(warnings).toEqual([
      {
        nodeId: "source-a",
        targetId: "phone",
        code: "empty_rejected",
        errorMessage: expect.stringContaining("phone"),
        errorDetail: "record 1",
        count: 2,
        listedIn: "cycle",
        cycleId: expect.any(String),
      },
    ]);
    const page = await service.cycles(person, ENTITY, { count: 50, direction: "next" });
    const counted = page.cycles.find(({ id }) => id === warnings[0]?.cycleId);
    expect(counted?.warnings, "in that very cycle").toMatchObject([{ code: "empty_rejected", count: 2 }]);
    await eventually("the values to come back", async () => {
      const { rows } = await pool.query("SELECT phone FROM outside.a ORDER BY id");
      return rows[0].phone === "12" && rows[1].phone === "13" ? true : undefined;
    });
  }));

/** System `a` has a type of its own for phones: what is no number there can't even be read. */
const unreadablePhones = (needs: RunsDependencies): RunsDependencies =>
  changingConnections(
    "a",
    withStrictPhones,
  )({
    ...needs,
    connectors: {
      ...needs.connectors,
      async entitySchema(at, id, entity) {
        const facts = await needs.connectors.entitySchema(at, id, entity);
        return facts && { ...facts, capabilities: [...facts.capabilities, "getById" as const] };
      },
    },
  });

function withStrictPhones(connection: Connection): Connection {
  const isUnfit = ({ values }: { values: { [field: string]: unknown } }): boolean => /\D/.test(String(values["phone"]));
  return {
    ...connection,
    async read(request) {
      const page = await connection.read(request);
      const bad = page.records.filter(isUnfit).map(({ id, values }): BadRecord => ({
        place: `id ${id}`,
        id,
        message: `Phone: ${String(values["phone"])} is no number.`,
      }));
      return { ...page, bad, records: page.records.filter((record) => !isUnfit(record)) };
    },
    async getByIds(request) {
      return ((await connection.getByIds?.(request)) ?? []).filter((record) => !isUnfit(record));
    },
  };
}

/** System `a` sends what no database holds, under names that the table can hold. */
const hostile = changingConnections("a", (connection) => withHostileRecords(connection));

function nested(levels: number): Value {
  let value: Value = "x";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

const HOSTILE: Readonly<Record<string, (record: SourceRecord) => SourceRecord>> = {
  nul: (record) => ({ ...record, values: { ...record.values, phone: "1\0 2\ud800" } }),
  deep: (record) => ({ ...record, values: { ...record.values, phone: nested(10_000) } }),
  id: (record) => ({ ...record, id: "x\0" }),
};

const withHostileRecords = (connection: Connection): Connection => ({
  ...connection,
  async read(request) {
    const page = await connection.read(request);
    return {
      ...page,
      records: page.records.map((record) => HOSTILE[String(record.values["phone"])]?.(record) ?? record),
    };
  },
});

test("[F10] what can't be stored does not hold up its page: characters are replaced, a record without end is quarantined", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await add(world, "a@example.com", "12");
    for (const name of Object.keys(HOSTILE)) await add(world, `${name}@example.com`, name);
    await add(world, "z@example.com", "13");
    await world.startWorker();
    const list = () => service.quarantine(person, ENTITY, { count: 10, direction: "next" });
    await eventually("both entries", async () => ((await list()).entries.length === 2 ? true : undefined));
    expect(await phones(pool)).toEqual([
      ["a@example.com", "12"],
      ["nul@example.com", "1\ufffd 2\ufffd"],
      ["z@example.com", "13"],
    ]);
    const { entries } = await list();
    expect(entries.map(({ code, externalId }) => `${code}: ${externalId}`).toSorted()).toEqual([
      "unreadable: 3",
      "unreadable: id x\ufffd",
    ]);
    const warnings = await eventually("the warnings", async () => {
      const found = (await service.errors(person, ENTITY, {})).warnings;
      return found.length === 3 ? found : undefined;
    });
    expect(warnings.map(({ code, listedIn }) => `${code}: ${listedIn}`).toSorted()).toEqual([
      "characters_replaced: cycle",
      "unreadable: quarantine",
      "unreadable: quarantine",
    ]);
  }, hostile));

test("a record that can't be read waits in quarantine as a warning, and is read again by its id once it is fixed", () =>
  inWorkingWorld(async (world) => {
    const { pool, service, person } = world;
    await add(world, "a@example.com", "12");
    await add(world, "b@example.com", "twelve");
    await world.startWorker();
    const list = () => service.quarantine(person, ENTITY, { count: 10, direction: "next" });
    const { entries } = await eventually("the entry", async () => {
      const found = await list();
      // Counted after the entries were read: it may be there already when they were not.
      return found.entries.length > 0 ? found : undefined;
    });
    expect(entries).toMatchObject([{ code: "unreadable", externalId: "2", nodeId: "source-a", status: "OPEN" }]);
    await twoCycles(world);
    const { warnings } = await service.errors(person, ENTITY, {});
    expect(warnings).toMatchObject([{ nodeId: "source-a", code: "unreadable", errorMessage: entries[0]?.message }]);

    const ids = entries.map(({ id }) => id);
    expect(await service.replay(person, ENTITY, { ids })).toEqual({ replayed: 0, cleared: 0, unreadable: 1 });
    // Mended without a trace that the incremental reading would see.
    await pool.query("UPDATE outside.a SET phone = '13' WHERE id = 2");
    expect(await service.replay(person, ENTITY, { ids })).toEqual({ replayed: 1, cleared: 0, unreadable: 0 });
    await eventually("the record", async () => ((await phones(pool)).length === 2 ? true : undefined));
    await eventually("the end of it", async () => ((await list()).open === 0 ? true : undefined));
    await expect(service.replay(person, ENTITY, { ids })).rejects.toMatchObject({ code: "not_found" });
  }, unreadablePhones));
