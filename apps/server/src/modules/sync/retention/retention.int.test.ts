/** What is forgotten after its time, and what stays however old it is: on real storage. */
import { randomUUID } from "node:crypto";
import { getRetention } from "@accord/contracts/sync/retention";
import { describe, expect, test } from "vitest";
import { ENTITY, INSTANCE } from "../../../../test-kit/sync-world/sync-world.ts";
import { testApp } from "../../../../test-kit/test-app.ts";
import { inWorkingWorld, type WorkingWorld } from "../../../../test-kit/sync-world/working-world.ts";
import type { Pool } from "../../../platform/db/db.ts";
import { compactLedger, MIN_REWRITTEN_BYTES } from "./ledger-compaction.store.ts";
import type { RetentionModule } from "./index.ts";

const S = `"i_${INSTANCE}"`;
const KEPT_DAYS = 400;

interface Entry {
  daysAgo: number;
  record?: string;
  operation?: string;
  changes?: object;
  refused?: object;
}

async function plant(pool: Pool, entries: readonly Entry[]): Promise<void> {
  await pool.query(`INSERT INTO ${S}.sync_entity (pipeline_id) VALUES ($1) ON CONFLICT DO NOTHING`, [ENTITY]);
  for (const { daysAgo, record = "one", operation = "update", changes = {}, refused = null } of entries)
    await pool.query(
      `INSERT INTO ${S}.ledger (at, entity, record_id, operation, changes, refused)
       SELECT now() - $1 * interval '1 day', number, $2, $3, $4, $5 FROM ${S}.sync_entity WHERE pipeline_id = $6`,
      [daysAgo, record, operation, JSON.stringify(changes), refused && JSON.stringify(refused), ENTITY],
    );
}

/** `days ago operation` of each entry of a record, the oldest first. */
async function entriesOf(pool: Pool, record = "one"): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT round(extract(epoch FROM now() - at) / 86400) AS days, operation FROM ${S}.ledger
     WHERE record_id = $1 ORDER BY number`,
    [record],
  );
  return rows.map(({ days, operation }) => `${days} ${operation}`);
}

const anew = (pool: Pool) => pool.query(`UPDATE ${S}.ledger_compaction SET finished_at = NULL`);

describe("the ledger", () => {
  const inScenario = (story: (world: WorkingWorld) => Promise<void>) =>
    inWorkingWorld(story, undefined, { ACCORD_KEEP_LEDGER_DAYS: String(KEPT_DAYS) });

  test("keeps of old entries those that still held at the end of the time, so that every later time is whole", () =>
    inScenario(async ({ pool, service, person }) => {
      await plant(pool, [
        { daysAgo: 500, operation: "create", changes: { name: [null, "Ada"], phone: [null, "1"] } },
        { daysAgo: 450, changes: { phone: ["1", "2"] } },
        { daysAgo: 449, operation: "write", changes: { phone: ["1", "2"] } },
        { daysAgo: 410, changes: { phone: ["2", "3"] } },
        { daysAgo: 409, operation: "refuse", refused: { name: ["Eve", "lower rank"] } },
        { daysAgo: 100, changes: { phone: ["3", "4"] } },
        { daysAgo: 90, operation: "write", changes: { phone: ["3", "4"] } },
        { daysAgo: 50, changes: { name: ["Ada", "Bea"] } },
      ]);
      const asOf = async (daysAgo: number) => {
        const at = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
        const { fields, complete } = await service.recordAsOf(person, ENTITY, "one" as never, { at });
        const known = fields.filter(({ field }) => ["name", "phone"].includes(field));
        return {
          complete,
          fields: known.map(({ field, value, setBy }) => ({ field, value, transaction: setBy?.transactionId })),
        };
      };
      const times = [399, 250, 99, 60, 10, 0];
      const before = await Promise.all(times.map(asOf));
      expect(before.map(({ complete }) => complete)).toEqual(times.map(() => true));
      expect(await compactLedger(pool, INSTANCE, KEPT_DAYS)).toBe(false);
      expect(await entriesOf(pool)).toEqual(["500 create", "410 update", "100 update", "90 write", "50 update"]);
      expect(await Promise.all(times.map(asOf))).toEqual(before);
      expect((await asOf(449)).complete).toBe(false);
    }));

  test("keeps that a record was deleted, and lets a restored one be", () =>
    inScenario(async ({ pool }) => {
      const life = ["create", "delete", "restore", "delete"];
      await plant(
        pool,
        life.map((operation, index) => ({ daysAgo: 500 - index, operation, changes: {} })),
      );
      await compactLedger(pool, INSTANCE, KEPT_DAYS);
      expect(await entriesOf(pool)).toEqual(["497 delete"]);
    }));

  test("keeps values that their destination can't take up to now", () =>
    inScenario(async ({ pool }) => {
      const refused = { name: ["long", "not_convertible"] };
      const write = (record: string, daysAgo: number) => ({ daysAgo, record, operation: "write", refused });
      await plant(pool, [
        ...[write("one", 460), write("one", 450), write("two", 450)],
        ...[write("new", 450), write("new", 10)],
        ...[write("elsewhere", 450), write("elsewhere", 440)],
      ]);
      await pool.query(`UPDATE ${S}.ledger SET place = 1`);
      await pool.query(
        `UPDATE ${S}.ledger SET place = 2 WHERE number = (SELECT max(number) FROM ${S}.ledger WHERE record_id = 'elsewhere')`,
      );
      await pool.query(
        `INSERT INTO ${S}.delivery (place, record_id, parked, unfit)
         SELECT 1, id, true, 'v1' FROM unnest(ARRAY['one', 'new', 'elsewhere']) id`,
      );
      await compactLedger(pool, INSTANCE, KEPT_DAYS);
      const kept = await Promise.all(["one", "two", "new", "elsewhere"].map((record) => entriesOf(pool, record)));
      expect(kept, "of each only the newest").toEqual([["450 write"], [], ["10 write"], ["450 write"]]);
    }));

  test("goes through many entries in batches, once a day, and drops months that are empty", () =>
    inScenario(async ({ pool }) => {
      await pool.query(
        `CREATE TABLE ${S}.ledger_2024_03 PARTITION OF ${S}.ledger FOR VALUES FROM ('2024-03-01') TO ('2024-04-01');
         CREATE TABLE ${S}.ledger_2024_04 PARTITION OF ${S}.ledger FOR VALUES FROM ('2024-04-01') TO ('2024-05-01')`,
      );
      await plant(pool, [{ daysAgo: 0, record: "new", operation: "write" }]);
      // 12 MB of writes, of which nothing stays, and one creation among them.
      await pool.query(
        `INSERT INTO ${S}.ledger (at, entity, record_id, operation, changes)
         SELECT CASE WHEN n < 1500 THEN '2024-03-10'::timestamptz ELSE '2024-04-10' END, number, 'many',
           CASE WHEN n = 9000 THEN 'create' ELSE 'write' END,
           json_build_object('name', json_build_array(null, (SELECT string_agg(md5(n::text || i), '') FROM generate_series(1, 20) i)))
         FROM generate_series(1, 20000) n, ${S}.sync_entity WHERE pipeline_id = $1`,
        [ENTITY],
      );
      const size = async () =>
        (await pool.query(`SELECT pg_total_relation_size('${S}.ledger_2024_04') AS bytes`)).rows[0].bytes;
      expect(Number(await size())).toBeGreaterThan(10_000_000);
      let turns = 1;
      while (await compactLedger(pool, INSTANCE, KEPT_DAYS)) turns += 1;
      expect(turns).toBe(21);
      expect(await entriesOf(pool, "many")).toHaveLength(1);
      expect(await entriesOf(pool, "new")).toHaveLength(1);
      // Rows that another transaction may still see outlive the rewriting: the next pass gives their room back, where what
      // is left is still worth it.
      const smaller = async () => {
        await anew(pool);
        await compactLedger(pool, INSTANCE, KEPT_DAYS);
        return Number(await size());
      };
      await expect.poll(smaller).toBeLessThan(MIN_REWRITTEN_BYTES);
      const { rows } = await pool.query(`SELECT to_regclass('${S}.ledger_2024_03') AS march`);
      expect(rows[0].march).toBeNull();

      await plant(pool, [{ daysAgo: 600, record: "late", operation: "write" }]);
      expect(await compactLedger(pool, INSTANCE, KEPT_DAYS)).toBe(false);
      expect(await entriesOf(pool, "late")).toHaveLength(1);
      await anew(pool);
      await compactLedger(pool, INSTANCE, KEPT_DAYS);
      expect(await entriesOf(pool, "late")).toHaveLength(0);
    }));

  test("is compacted by one server at a time", () =>
    inScenario(async ({ pool }) => {
      await plant(pool, [{ daysAgo: 500, operation: "write" }]);
      const other = await pool.connect();
      try {
        await other.query(`BEGIN; SELECT FROM ${S}.ledger_compaction FOR UPDATE`);
        expect(await compactLedger(pool, INSTANCE, KEPT_DAYS)).toBe(false);
        expect(await entriesOf(pool)).toHaveLength(1);
      } finally {
        await other.query("ROLLBACK");
        other.release();
      }
    }));
});

test("cycles, resolved records and mails go after their time; the newest cycles, open records and waiting mails stay", async () => {
  const t = await testApp({ config: { keepDays: { posts: 0, ledger: 0, cycles: 90, quarantine: 60, mails: 30 } } });
  const { dataPool, appPool } = t.deps;
  const schema = `"i_${t.instanceId}"`;
  await dataPool.query(
    `INSERT INTO sync_pipeline (instance_id, pipeline_id, version_id, version_number)
     VALUES ($1, 'busy', 'v', 1), ($1, 'idle', 'v', 1)`,
    [t.instanceId],
  );
  await dataPool.query(
    `INSERT INTO ${schema}.cycle (number, pipeline_id, is_resync, version_number, began_at, finished_at, outcome, counts, problems)
     SELECT n, p, false, 1, at, at, 'done', '{}', '[]' FROM (
       SELECT n, 'busy' AS p, CASE WHEN n <= 1500 THEN now() - interval '91 days' ELSE now() - interval '89 days' END AS at
       FROM generate_series(1, 1600) n
       UNION ALL SELECT n, 'idle', now() - interval '1 year' FROM generate_series(2001, 2080) n) c`,
  );
  const asides = { open: "OPEN 400", retrying: "RETRYING 400", old: "RESOLVED 61", young: "RESOLVED 59" };
  for (const [id, text] of Object.entries(asides)) {
    const [status, days] = text.split(" ");
    await dataPool.query(
      `INSERT INTO ${schema}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, at, resolved_at)
       VALUES ($1, 'busy', 1, 'source', $2, $1, 'bad', 'Bad', now() - interval '2 years', now() - $3 * interval '1 day')`,
      [id, status, days],
    );
  }
  const mail = async (status: string, daysAgo: number): Promise<void> => {
    const at = new Date(t.clock.now().getTime() - daysAgo * 86_400_000);
    await appPool.query(
      `INSERT INTO mail (id, organisation_id, kind, recipient, subject, body, status, attempts, created_at)
       VALUES ($1, $2, 'test', 'a@example.com', $3, '', $4, 0, $5)`,
      [randomUUID(), t.organisationId, `${status} ${daysAgo}`, status, at],
    );
  };
  for (const status of ["SENT", "KEPT", "FAILED", "WAITING"]) for (const days of [29, 31]) await mail(status, days);

  await t.module<RetentionModule>("sync/retention").forgetOld();

  const cycles = await dataPool.query(
    `SELECT pipeline_id AS p, count(*)::int AS n, min(number)::int AS first FROM ${schema}.cycle GROUP BY 1 ORDER BY 1`,
  );
  expect(cycles.rows).toEqual([
    { p: "busy", n: 100, first: 1501 },
    { p: "idle", n: 50, first: 2031 },
  ]);
  const left = await dataPool.query(`SELECT id FROM ${schema}.quarantine ORDER BY id`);
  expect(left.rows.map(({ id }) => id)).toEqual(["open", "retrying", "young"]);
  const mails = await appPool.query("SELECT subject FROM mail WHERE kind = 'test' ORDER BY subject");
  expect(mails.rows.map(({ subject }) => subject)).toEqual([
    "FAILED 29",
    "KEPT 29",
    "SENT 29",
    "WAITING 29",
    "WAITING 31",
  ]);
});

test("everybody of an installation is told how long what happened is kept, and which setting says so", async () => {
  const t = await testApp({ config: { keepDays: { posts: 0, ledger: 400, cycles: 90, quarantine: 60, mails: 30 } } });
  const { kept } = await t.as("DASHBOARD_LIGHT_VIEWER").call(getRetention);
  expect(kept.map(({ kind, days, setting }) => `${kind} ${days} ${setting}`)).toEqual([
    "posts 0 ACCORD_KEEP_POSTS_DAYS",
    "ledger 400 ACCORD_KEEP_LEDGER_DAYS",
    "cycles 90 ACCORD_KEEP_CYCLES_DAYS",
    "quarantine 60 ACCORD_KEEP_QUARANTINE_DAYS",
    "mails 30 ACCORD_KEEP_MAILS_DAYS",
  ]);
});
