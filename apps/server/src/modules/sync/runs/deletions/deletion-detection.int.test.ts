/** Systems that can only list their ids: what was deleted there for good is found, made sure of, and taken as deleted. */
import type { Connection } from "@accord/connector-sdk";
import { beforeEach, expect, test } from "vitest";
import { type CycleWorld, untilIdle } from "../../../../../test-kit/sync-world/sync-cycle.ts";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import {
  contactsIn,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  oneByOne,
  syncWorldNeeds,
} from "../../../../../test-kit/sync-world/sync-world.ts";
import { systemClock } from "../../../../platform/clock.ts";
import type { Pool } from "../../../../platform/db/db.ts";
import { makeNewId } from "../../../../platform/ids.ts";
import { makeLog } from "../../../../platform/log/log.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { DeletionScans, MAX_SCANS, takeTurn } from "./deletion-detection.ts";
import { deletionDetectionStore } from "./deletion-detection.store.ts";
import { deletionWarnings } from "./deletion-warnings.ts";
import type { RunsDependencies } from "../worker/plans.ts";
import { runsStore } from "../monitoring/runs.store.ts";
import { scheduleStore } from "../schedule/schedule.store.ts";
import { testSecrets } from "../../../../../test-kit/test-secrets.ts";

const log = makeLog({ logLevel: "error" });
const newId = makeNewId(systemClock);
const NOBODY_STOPS = new AbortController().signal;

let pool: Pool;
let world: CycleWorld;
/** Ids that system `a` leaves out of its lists, as a page that slipped while rows moved. */
let skipped: { ids: readonly string[]; times: number };
let listed = 0;
let isAskedById = true;
/** Ids that `a` was asked for one by one. */
let asked: string[] = [];
/** Ids that `a` lists but does not hand out. */
let ghosts: string[] = [];
/** Ids that `a` lists no more and, asked for one by one, says to be deleted. */
let marked: string[] = [];
/** Settings of `a` as a source. */
let settings: object;
/** Lists of ids come to nothing. */
let isFailing = false;

beforeEach(async () => {
  const database = await testDatabase();
  pool = database.data.pool;
  await makeSyncWorld(pool);
  skipped = { ids: [], times: 0 };
  listed = 0;
  isAskedById = true;
  asked = [];
  ghosts = [];
  marked = [];
  settings = {};
  isFailing = false;
  world = { pool, needs: needsOfWorld(), log, newId };
  return () => database.drop();
});

function needsOfWorld(): RunsDependencies {
  const usual = syncWorldNeeds(pool);
  const capabilities = () => [
    ...["read", "listIds", "create", "update", "delete", "idempotentCreate"],
    ...(isAskedById ? ["getById"] : []),
  ];
  const needs: RunsDependencies = {
    ...usual,
    connectors: {
      ...usual.connectors,
      entitySchema: async (at, id, entity) => {
        const facts = await usual.connectors.entitySchema(at, id, entity);
        return (id === "a" ? { ...facts, capabilities: capabilities() } : facts) as typeof facts;
      },
      findPlaces: (...call) => oneByOne(needs.connectors, ...call),
      openConnection: async (at, id, options) => {
        const connection = await usual.connectors.openConnection(at, id, options);
        return id === "a" ? withIds(connection) : connection;
      },
    },
    pipelines: {
      ...usual.pipelines,
      async publishedVersion(at, entityId) {
        const version = await usual.pipelines.publishedVersion(at, entityId);
        if (!version) return null;
        for (const { nodeType, configuration } of version.graph.nodes)
          if (nodeType === "ENTITY_SOURCE" && configuration.connectorId === "a") Object.assign(configuration, settings);
        return version;
      },
    },
  };
  return needs;
}

const withIds = (connection: Connection): Connection => ({
  ...connection,
  async getByIds(request) {
    asked.push(...request.ids);
    const records = (await connection.getByIds?.(request)) ?? [];
    return records.map((record) => (marked.includes(record.id) ? { ...record, deleted: true } : record));
  },
  async listIds({ cursor, pageSize }) {
    if (isFailing) throw new Error("the list breaks off");
    const { rows } = await pool.query("SELECT id::text FROM outside.a WHERE id > $1 ORDER BY a.id LIMIT $2", [
      Number(cursor ?? 0),
      pageSize,
    ]);
    const ids: string[] = rows.flatMap(({ id }) => (marked.includes(id) ? [] : [id]));
    if (rows.length < pageSize) listed += 1;
    const left = listed < skipped.times || (listed === skipped.times && rows.length < pageSize) ? skipped.ids : [];
    return {
      ids: [...ids.filter((id) => !left.includes(id)), ...(cursor === null ? ghosts : [])],
      cursor: ids.at(-1) ?? cursor ?? 0,
      drained: rows.length < pageSize,
    };
  },
});

const add = async (count: number): Promise<void> => {
  await pool.query(
    `INSERT INTO outside.a (email, name) SELECT 'p' || n || '@example.com', 'N' || n FROM generate_series(1, $1::int) n`,
    [count],
  );
};

const removeForGood = (...numbers: number[]) =>
  pool.query("DELETE FROM outside.a WHERE email = ANY($1)", [numbers.map((number) => `p${number}@example.com`)]);

const turn = (): Promise<void> =>
  takeTurn(
    {
      deps: { clock: systemClock, log, newId, secrets: testSecrets },
      needs: world.needs,
      schedule: scheduleStore(pool),
      store: runsStore(pool),
      missing: deletionDetectionStore(pool),
    },
    NOBODY_STOPS,
  );

/** As when a person runs the pipeline. */
const hurry = (): Promise<void> => deletionDetectionStore(pool).hurry(INSTANCE, ENTITY);

/** As when a person runs the pipeline: the ids are looked at, then the next cycle goes. */
async function look(): Promise<void> {
  await turn();
  await hurry();
  await turn();
  await untilIdle(world);
}

/** Seconds until the next look at `a`. */
async function nextLook(): Promise<number> {
  const { rows } = await pool.query("SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM sync_look");
  expect(rows).toHaveLength(1);
  return rows[0].seconds;
}

/** So long ago that nothing of it can still be on its way into a list. */
const longAgo = () =>
  pool.query(
    `UPDATE "i_${INSTANCE}".link SET seen_at = now() - interval '1 hour', told_at = now() - interval '1 hour'`,
  );

/** Every source of the pipeline was read from beginning to end. */
const wasReadWhole = async (): Promise<void> => {
  const version = await world.needs.pipelines.publishedVersion(INSTANCE, ENTITY);
  const sources = version?.graph.nodes.flatMap(({ id, nodeType }) => (nodeType === "ENTITY_SOURCE" ? [id] : []));
  await pool.query("UPDATE sync_pipeline SET whole_sources = $1", [sources]);
};

/** Records behind the reading position: whatever read them up to there passed them over. */
const addPassedOver = async (count: number): Promise<void> => {
  await pool.query(
    `INSERT INTO outside.a (email, name, change) SELECT 'slid' || n || '@example.com', 'S' || n, 0
     FROM generate_series(1, $1::int) n`,
    [count],
  );
};

const emails = async (where: "a" | "b" | "core"): Promise<string[]> =>
  [...(await contactsIn(pool, where)).keys()].sort();

test("a record deleted for good over there is deleted here and in every other system", async () => {
  await add(60);
  await untilIdle(world);
  await longAgo();
  await removeForGood(7, 52);
  await untilIdle(world);
  expect(await emails("core")).toHaveLength(60);

  await look();
  expect(await emails("core")).toHaveLength(58);
  expect(await emails("core")).not.toContain("p7@example.com");
  expect(await emails("b")).toEqual(await emails("core"));
  const { rows } = await pool.query(
    `SELECT operation, external_id FROM "i_${INSTANCE}".ledger WHERE operation = 'delete' ORDER BY external_id`,
  );
  expect(rows).toHaveLength(2);

  await look();
  expect(await emails("core")).toHaveLength(58);
});

test.each([
  ["asked for by its id", true],
  ["listed once more", false],
])("a record that a list left out by mistake is %s and stays", async (_, byId) => {
  isAskedById = byId;
  await add(20);
  await untilIdle(world);
  await longAgo();
  skipped = { ids: ["3"], times: 1 };
  await look();
  expect(listed).toBe(byId ? 1 : 2);
  expect(await emails("core")).toHaveLength(20);
});

test("a record that is listed no more, and says itself that it is deleted, is deleted in every system", async () => {
  await add(20);
  await untilIdle(world);
  await longAgo();
  marked = ["3"];
  await look();
  expect(asked).toEqual(["3"]);
  expect(await emails("core")).not.toContain("p3@example.com");
  expect(await emails("b")).toEqual(await emails("core"));
  expect(await emails("b")).toHaveLength(19);
});

test("a record that two lists left out, where it can't be asked for, is looked for in a third", async () => {
  isAskedById = false;
  await add(20);
  await untilIdle(world);
  await longAgo();
  skipped = { ids: ["3"], times: 2 };
  await look();
  expect(listed).toBe(3);
  expect(await emails("core")).toHaveLength(20);
});

test.each([
  ["asked for by their ids", true],
  ["found by reading everything once more", false],
])("records that are listed but were never read are %s, and go the way of all records", async (_, byId) => {
  isAskedById = byId;
  await add(20);
  await untilIdle(world);
  await wasReadWhole();
  await addPassedOver(3);
  await untilIdle(world);
  expect(await emails("core")).toHaveLength(20);

  await look();
  expect(await emails("core")).toHaveLength(23);
  expect(await emails("b")).toEqual(await emails("core"));
  const { rows } = await pool.query(`SELECT status FROM "i_${INSTANCE}".quarantine WHERE status <> 'RESOLVED'`);
  expect(rows).toEqual([]);
  // Once linked they are like all others: gone when they are gone.
  await longAgo();
  await pool.query("DELETE FROM outside.a WHERE email = 'slid2@example.com'");
  await look();
  expect(await emails("core")).toHaveLength(22);
});

test("what people chose not to bring in stays where it is", async () => {
  await add(20);
  await untilIdle(world);
  await addPassedOver(3);
  await look();
  expect(await emails("core")).toHaveLength(20);
  expect(asked).toEqual([]);
});

test("many of them are taken a part at a time, and what comes to nothing is asked for once", async () => {
  ghosts = ["900001", "900002"];
  await add(5);
  await untilIdle(world);
  await wasReadWhole();
  await addPassedOver(450);
  await look();
  expect(await emails("core")).toHaveLength(205);
  for (let turn = 0; turn < 3; turn += 1) await look();
  expect(await emails("core")).toHaveLength(455);
  expect(asked.filter((id) => ghosts.includes(id)).sort()).toEqual(ghosts);
  expect(new Set(asked).size).toBe(asked.length);
});

test("what was written a moment ago may not be listed yet, and is left alone", async () => {
  await add(5);
  await untilIdle(world);
  await longAgo();
  await pool.query(`UPDATE "i_${INSTANCE}".link SET told_at = now() + interval '1 second' WHERE external_id = '2'`);
  await removeForGood(2);
  await look();
  expect(await emails("core")).toHaveLength(5);
});

test("when far too much is missing nothing is deleted, a warning says so, and the limit can be raised", async () => {
  await add(40);
  await untilIdle(world);
  await longAgo();
  await removeForGood(...Array.from({ length: 15 }, (_, index) => index + 1));
  await look();
  expect(await emails("core")).toHaveLength(40);
  const version = await world.needs.pipelines.publishedVersion(INSTANCE, ENTITY);
  const problems = await deletionDetectionStore(pool).problems(INSTANCE);
  const warnings = deletionWarnings(version?.graph.nodes ?? [], await runsStore(pool).places(INSTANCE), problems);
  expect(warnings).toMatchObject([{ code: "too_many_missing", count: 15, nodeId: expect.any(String) }]);

  settings = { mostMissingPercent: 50 };
  await look();
  expect(await emails("core")).toHaveLength(25);
  expect(await deletionDetectionStore(pool).problems(INSTANCE)).toEqual(new Map());
});

test("a source that takes no deletions, or is told never to look, is not asked", async () => {
  await add(5);
  await untilIdle(world);
  await longAgo();
  await removeForGood(1);
  settings = { findDeletesMinutes: 0 };
  await look();
  settings = { acceptDeletes: false };
  await look();
  expect(listed).toBe(0);
  expect(await emails("core")).toHaveLength(5);
});

test("a source that is looked at every minute is: first after its pipeline was published, and after a look that failed", async () => {
  await add(5);
  await untilIdle(world);
  settings = { findDeletesMinutes: 1 };
  await turn();
  expect(listed).toBe(0);
  expect(await nextLook()).toBeGreaterThan(50);
  expect(await nextLook()).toBeLessThanOrEqual(60);
  isFailing = true;
  await hurry();
  await turn();
  expect(await nextLook(), "after a failure").toBeLessThanOrEqual(60);
  isFailing = false;
  await hurry();
  await turn();
  expect(listed).toBe(1);
  expect(await nextLook(), "after a look").toBeLessThanOrEqual(60);

  settings = { findDeletesMinutes: 60 };
  isFailing = true;
  await hurry();
  await turn();
  expect(await nextLook(), "one that is looked at seldom is tried again soon").toBeLessThanOrEqual(300);
  settings = { findDeletesMinutes: 1 };
  await turn();
  expect(await nextLook(), "once people want it more often").toBeLessThanOrEqual(60);
});

test("a person who runs a pipeline before its places were planned has them looked at too", async () => {
  await add(20);
  await untilIdle(world);
  await longAgo();
  await removeForGood(7);
  await hurry();
  await turn();
  await untilIdle(world);
  expect(await emails("core")).toHaveLength(19);
});

test("a system that takes its time to list its ids does not keep another instance's looks waiting", async () => {
  const other = newId<"instance">();
  await migrateInstance(pool, other);
  await untilIdle(world);
  await pool.query(
    `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number)
     SELECT $1, pipeline_id, version_id, version_number FROM sync_pipeline`,
    [other],
  );
  await pool.query(
    `INSERT INTO ${instanceSchema(other)}.place (pipeline_id, connector_id, entity)
     SELECT pipeline_id, connector_id, entity FROM ${instanceSchema(INSTANCE)}.place`,
  );
  const [hanging, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { openConnection } = world.needs.connectors;
  world.needs.connectors.openConnection = async (at, ...options) => {
    const connection = await openConnection(at, ...options);
    if (at !== INSTANCE || !connection.listIds) return connection;
    const listIds: Connection["listIds"] = async (request) => {
      hanging.resolve();
      await answer.promise;
      return { ids: [], cursor: request.cursor ?? 0, drained: true };
    };
    return { ...connection, listIds };
  };
  const missing = deletionDetectionStore(pool);
  const parts = {
    deps: { clock: systemClock, log, newId, secrets: testSecrets },
    needs: world.needs,
    schedule: scheduleStore(pool),
    store: runsStore(pool),
    missing,
  };
  const ended = async (instanceId: string): Promise<boolean> => {
    const { rows } = await pool.query("SELECT ended_at FROM sync_look WHERE instance_id = $1", [instanceId]);
    return rows.length > 0 && rows.every((row) => row.ended_at !== null);
  };
  await takeTurn(parts, NOBODY_STOPS);
  await pool.query("UPDATE sync_look SET due_at = now() - interval '1 hour' WHERE instance_id = $1", [INSTANCE]);
  await pool.query("UPDATE sync_look SET due_at = now() WHERE instance_id = $1", [other]);
  const turn = takeTurn(parts, NOBODY_STOPS);
  await hanging.promise;
  await eventually("the look of the other instance", async () => ((await ended(other)) ? true : undefined));
  expect(await ended(INSTANCE)).toBe(false);
  answer.resolve();
  await turn;
  expect(await ended(INSTANCE)).toBe(true);
});

test("a look that has had its time makes room where other instances wait, and comes back later", async () => {
  const instances = Array.from({ length: MAX_SCANS + 1 }, () => newId<"instance">());
  for (const instance of instances) {
    await migrateInstance(pool, instance);
    await pool.query(
      `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number)
       SELECT $1, pipeline_id, version_id, version_number FROM sync_pipeline WHERE instance_id = $2`,
      [instance, INSTANCE],
    );
    await pool.query(
      `INSERT INTO ${instanceSchema(instance)}.place (pipeline_id, connector_id, entity) VALUES ($1, 'a', 'contact')`,
      [ENTITY],
    );
  }
  await pool.query("DELETE FROM sync_pipeline WHERE instance_id = $1", [INSTANCE]);
  const begun: string[] = [];
  let isHanging = true;
  const { openConnection } = world.needs.connectors;
  world.needs.connectors.openConnection = async (at, ...options) => ({
    ...(await openConnection(at, ...options)),
    listIds: async ({ signal }) => {
      begun.push(at);
      if (isHanging) await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      return { ids: [], cursor: 0, drained: true };
    },
  });
  let now = 0;
  const looks = new DeletionScans({
    deps: { clock: { ...systemClock, monotonicMs: () => now }, log, newId, secrets: testSecrets },
    needs: world.needs,
    schedule: scheduleStore(pool),
    store: runsStore(pool),
    missing: deletionDetectionStore(pool),
  });
  const stopping = new AbortController();
  await looks.takeTurn(stopping.signal);
  await pool.query("UPDATE sync_look SET due_at = now()");
  await looks.takeTurn(stopping.signal);
  await eventually("as many as may be", async () => (begun.length === MAX_SCANS ? true : undefined));
  now = 29 * 60_000;
  await looks.takeTurn(stopping.signal);
  expect(begun).toHaveLength(MAX_SCANS);
  now = 31 * 60_000;
  await looks.takeTurn(stopping.signal);
  await eventually("the one that waited", async () => (begun.length === MAX_SCANS + 1 ? true : undefined));
  expect(new Set(begun)).toEqual(new Set(instances));
  const { rows } = await pool.query("SELECT instance_id FROM sync_look WHERE due_at > now() + interval '4 minutes'");
  expect(rows).toEqual([{ instance_id: begun[0] }]);
  isHanging = false;
  stopping.abort();
  await looks.ended();
});
