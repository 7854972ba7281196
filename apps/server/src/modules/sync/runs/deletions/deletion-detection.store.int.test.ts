/** Looks for records that are gone: whose turn it is, what is missing of what is known, and what is listed but unknown. */
import type { Id } from "@accord/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../../test-kit/database/database.ts";
import { newId } from "../../../../../test-kit/replay/store-world.ts";
import { instanceSchema } from "../../../../platform/db/db.ts";
import { migrateInstance } from "../../../../platform/db/migrations.ts";
import { type IdComparison, type ScanKey, deletionDetectionStore } from "./deletion-detection.store.ts";

const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [P, Q] = ["c".repeat(24), "d".repeat(24)] as [Id<"entity">, Id<"entity">];
const KEY = { instanceId: I, pipelineId: P, placeId: 1 };
const OTHERS = [
  { ...KEY, placeId: 2 },
  { ...KEY, pipelineId: Q },
  { ...KEY, instanceId: J },
];
const T = `"${instanceSchema(I)}"`;
const hourly = (key: ScanKey) => ({ ...key, firstSeconds: 3_600, mostSeconds: null });

async function looks() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  const store = deletionDetectionStore(pool);
  await store.keepOnly([KEY, ...OTHERS].map(hourly));
  /** Mine is the first; others as text. */
  const rows = async () => {
    const { rows: all } = await pool.query(
      `SELECT instance_id || pipeline_id || place AS key, due_at <= now() AS due, held_until > now() AS held, ended_at IS NOT NULL AS ended, problem
       FROM sync_look ORDER BY instance_id, pipeline_id, place`,
    );
    return all.map(({ key, ...row }) => ({ isMine: key === `${I}${P}1`, ...row }));
  };
  return { pool, store, rows };
}

describe("a look", () => {
  test("is kept for each place that is wanted, as it was, and for no other", async () => {
    const { pool, store, rows } = await looks();
    expect((await rows()).map(({ due }) => due)).toEqual([false, false, false, false]);
    await pool.query("UPDATE sync_look SET due_at = now() WHERE place = 1 AND pipeline_id = $1 AND instance_id = $2", [
      P,
      I,
    ]);
    await store.keepOnly([KEY, { ...KEY, placeId: 7 }].map(hourly));
    expect(await rows()).toMatchObject([
      { isMine: true, due: true },
      { isMine: false, due: false },
    ]);
    await store.keepOnly([]);
    expect(await rows()).toEqual([]);
  });

  test("is taken when it is due for longest and nobody is at it, for two hours", async () => {
    const { pool, store, rows } = await looks();
    expect(await store.take()).toBeNull();
    await pool.query("UPDATE sync_look SET due_at = now() - interval '1 minute' WHERE place = 2");
    await pool.query(
      "UPDATE sync_look SET due_at = now() - interval '1 hour' WHERE place = 1 AND pipeline_id = $1 AND instance_id = $2",
      [P, I],
    );
    expect(await store.take()).toEqual(KEY);
    expect((await rows()).filter(({ held }) => held)).toMatchObject([{ isMine: true }]);
    expect(await store.take()).toMatchObject({ placeId: 2 });
    expect(await store.take()).toBeNull();
    await pool.query("UPDATE sync_look SET held_until = now() - interval '1 second'");
    expect(await store.take(), "whoever was at it is gone").toEqual(KEY);
  });

  test("is one that could be taken where it is due, nobody is at it, and its instance is not left out", async () => {
    const { pool, store } = await looks();
    const both = async (...except: string[]) => {
      const isDue = await store.isOneDue(except);
      const taken = await store.take(except);
      await pool.query("UPDATE sync_look SET held_until = NULL");
      return [isDue, taken?.instanceId];
    };
    expect(await both()).toEqual([false, undefined]);
    await pool.query("UPDATE sync_look SET due_at = now() - interval '1 minute' WHERE instance_id = $1", [J]);
    expect(await both()).toEqual([true, J]);
    expect(await both(I)).toEqual([true, J]);
    expect(await both(J)).toEqual([false, undefined]);
    await pool.query("UPDATE sync_look SET held_until = now() + interval '1 hour'");
    expect(await store.isOneDue([]), "somebody is at it").toBe(false);
    await pool.query("UPDATE sync_look SET held_until = now() - interval '1 second'");
    expect(await store.isOneDue([]), "whoever was at it is gone").toBe(true);
  });

  test("comes at once where a person wants to know, of the whole pipeline", async () => {
    const { pool, store, rows } = await looks();
    await migrateInstance(pool, I);
    await pool.query(
      `INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ($1, 'a', 'e'), ($1, 'b', 'e'), ($1, 'c', 'e'), ($2, 'a', 'e')`,
      [P, Q],
    );
    await store.hurry(I, P);
    const due = (await rows()).filter((row) => row.due);
    expect(due, "two that were planned, and one that no turn has seen yet").toHaveLength(3);
    expect(await store.take()).toMatchObject({ instanceId: I, pipelineId: P });
  });

  test("comes no later than people want it to, however it was planned", async () => {
    const { pool, store } = await looks();
    const seconds = async () => {
      const { rows } = await pool.query(
        `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM sync_look
         WHERE instance_id = $1 AND pipeline_id = $2 AND place IN (1, 7) ORDER BY place`,
        [I, P],
      );
      return rows.map(({ minutes }) => minutes);
    };
    await store.keepOnly([
      { ...KEY, firstSeconds: 300, mostSeconds: 600 },
      { ...KEY, placeId: 7, firstSeconds: 60, mostSeconds: 600 },
    ]);
    expect(await seconds()).toEqual([10, 1]);
    await store.keepOnly([hourly(KEY), { ...hourly(KEY), placeId: 7, mostSeconds: 7_200 }]);
    expect(await seconds(), "and is not put off").toEqual([10, 1]);
  });

  test("that broke off leaves what the last one found, and comes again", async () => {
    const { pool, store, rows } = await looks();
    const begin = () =>
      pool.query("UPDATE sync_look SET held_until = now() + interval '2 hours', due_at = now() - interval '1 hour'");
    await begin();
    await store.end(KEY, 3_600, { missing: 5, known: 6 });
    await pool.query("UPDATE sync_look SET ended_at = NULL");
    await begin();
    await store.abortCycle(KEY, 60);
    expect((await rows()).filter(({ isMine }) => isMine)).toMatchObject([
      { due: false, held: null, ended: false, problem: { missing: 5, known: 6 } },
    ]);
  });

  test("that ended says why nothing was done, and comes again", async () => {
    const { pool, store, rows } = await looks();
    const begin = (due: string) =>
      pool.query(`UPDATE sync_look SET held_until = now() + interval '2 hours', due_at = ${due}`);
    await begin("now() - interval '1 hour'");
    await store.end(KEY, 3_600, { missing: 5, known: 6 });
    const ended = (await rows()).filter((row) => row.ended);
    expect(ended).toMatchObject([{ isMine: true, due: false, held: null, problem: { missing: 5, known: 6 } }]);
    await store.end({ ...KEY, instanceId: J }, 60, { missing: 1, known: 2 });
    expect(Object.fromEntries(await store.problems(I))).toEqual({ 1: { missing: 5, known: 6 } });
    await store.end(KEY, 3_600, null);
    expect((await store.problems(I)).size).toBe(0);
    await begin("now() + interval '1 second'");
    await pool.query("UPDATE sync_look SET ended_at = NULL");
    await store.end(KEY, 3_600, null);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(
      (await rows()).filter((row) => row.ended),
      "somebody asked for it since it began",
    ).toMatchObject([{ due: true }]);
  });
});

/** Links of place 1 named by what is special about them, and the same ids at place 2. */
async function comparing<Result>(
  work: (ids: IdComparison, pool: Awaited<ReturnType<typeof looks>>["pool"]) => Promise<Result>,
) {
  const { pool, store } = await looks();
  await migrateInstance(pool, I);
  await pool.query(
    `INSERT INTO ${T}.place (pipeline_id, connector_id, entity) VALUES ('${P}', 'a', 'e'), ('${P}', 'b', 'e')`,
  );
  await pool.query(
    `INSERT INTO ${T}.link (place, external_id, record_id, dead, seen_at, told_at) VALUES
       (1, 'seen', 'r1', false, now() - interval '1 hour', NULL), (1, 'gone', 'r2', false, now() - interval '1 hour', NULL),
       (1, 'never', 'r3', false, NULL, NULL), (1, 'fresh', 'r4', false, now(), NULL),
       (1, 'told', 'r5', false, now() - interval '1 hour', now()), (1, 'dead', 'r6', true, NULL, NULL),
       (2, 'gone', 'r2', true, NULL, NULL), (2, 'elsewhere', 'r7', false, NULL, NULL)`,
  );
  return store.compare(KEY, (ids) => work(ids, pool));
}

describe("of the ids that a place lists", () => {
  test("those are missing that are known and alive, were not listed, and were not touched just now", async () => {
    await comparing(async (ids) => {
      await ids.saw(["seen", "new"]);
      await ids.saw(["seen"]);
      expect(await ids.findMissing(60_000)).toEqual({ missing: 2, known: 5 });
      expect(await ids.missing("", 10)).toEqual(["gone", "never"]);
      expect(await ids.missing("gone", 10)).toEqual(["never"]);
      expect(await ids.missing("", 1)).toEqual(["gone"]);
      await ids.found(["gone", "nobody"]);
      expect(await ids.missing("", 10)).toEqual(["never"]);
    });
  });

  test("what was last read is known of those that live and were ever read, at this place alone", async () => {
    await comparing(async (ids, pool) => {
      await pool.query(
        `UPDATE ${T}.link SET seen = external_id || place WHERE external_id IN ('seen', 'dead', 'elsewhere')`,
      );
      const known = await ids.readLast(["seen", "never", "dead", "elsewhere", "nobody"]);
      expect([...known]).toEqual([["seen", "seen1"]]);
    });
  });

  test("what is missing is left to the next cycle, beside what still waits there", async () => {
    await comparing(async (ids, pool) => {
      await pool.query(
        `INSERT INTO ${T}.missing_record (place, external_id) VALUES (1, 'seen'), (1, 'dead'), (1, 'nobody'), (2, 'nobody'), (2, 'gone'), (1, 'elsewhere')`,
      );
      await ids.findMissing(60_000);
      await ids.found(["never"]);
      expect(await ids.handOver(), "one of both waits there already").toBe(1);
      const { rows } = await pool.query(`SELECT place, external_id FROM ${T}.missing_record ORDER BY 1, 2`);
      expect(rows.map((row) => `${row.place} ${row.external_id}`)).toEqual(["1 gone", "1 seen", "2 gone", "2 nobody"]);
      expect(await ids.handOver()).toBe(0);
    });
  });

  test("those are taken up that nobody knows anything of", async () => {
    await comparing(async (ids, pool) => {
      const quarantineEntries = (id: string, place: number, direction: string, status: string, isDismissed = false) =>
        pool.query(
          `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message, dismissed_at)
           VALUES ($1, '${P}', $2, $3, $4, $1, 'bad', '', CASE WHEN $5 THEN now() END)`,
          [id, place, direction, status, isDismissed],
        );
      await quarantineEntries("open", 1, "source", "OPEN");
      await quarantineEntries("let go", 1, "source", "RESOLVED", true);
      await quarantineEntries("over", 1, "source", "RESOLVED");
      await quarantineEntries("told to", 1, "destination", "OPEN");
      await quarantineEntries("theirs", 2, "source", "OPEN");
      await pool.query(`INSERT INTO ${T}.unlinked_record (place, external_id) VALUES (1, 'reviewed'), (2, 'theirs')`);
      await ids.saw(["seen", "dead", "elsewhere", "open", "let go", "over", "told to", "theirs", "reviewed", "new"]);
      expect(await ids.unlinked(10)).toEqual(["elsewhere", "new", "over", "theirs", "told to"]);
      expect(await ids.unlinked(2)).toEqual(["elsewhere", "new"]);
      await ids.reclaim(
        [
          { id: "new", values: { n: 1 } },
          { id: "open", values: {} },
        ],
        newId,
      );
      const { rows } = await pool.query(
        `SELECT place, status, direction, external_id, payload FROM ${T}.quarantine WHERE code = 'never_read'`,
      );
      expect(rows).toEqual([
        { place: 1, status: "RETRYING", direction: "source", external_id: "new", payload: { n: 1 } },
      ]);
      expect(await ids.unlinked(10)).not.toContain("new");
    });
  });

  test("those that were reviewed are forgotten once they are linked, or listed no more", async () => {
    await comparing(async (ids, pool) => {
      await ids.review(["seen", "here", "away"]);
      await ids.review(["here"]);
      await pool.query(`INSERT INTO ${T}.unlinked_record (place, external_id) VALUES (2, 'away')`);
      await pool.query(
        `INSERT INTO ${T}.quarantine (id, pipeline_id, place, direction, status, external_id, code, message)
         SELECT row_number() OVER (), '${P}', place, direction, status, status || place || direction || code, code, ''
         FROM unnest('{1,2}'::int[]) place, unnest('{source,destination}'::text[]) direction,
              unnest('{OPEN,RESOLVED}'::text[]) status, unnest('{never_read,bad}'::text[]) code`,
      );
      await ids.saw(["seen", "here"]);
      await ids.forgetReviewed();
      const { rows } = await pool.query(`SELECT place, external_id FROM ${T}.unlinked_record ORDER BY 1, 2`);
      expect(rows).toEqual([
        { place: 1, external_id: "here" },
        { place: 2, external_id: "away" },
      ]);
      const left = await pool.query(`SELECT external_id FROM ${T}.quarantine`);
      expect(left.rowCount, "one entry is over").toBe(15);
      expect(left.rows.map((row) => row.external_id)).not.toContain("RESOLVED1sourcenever_read");
    });
  });
});
