/** Posts and actions as an older version kept them: sealed in batches that may be cut off, once, and nothing else changed. */
import type { Id } from "@accord/contracts";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../test-kit/database/database.ts";
import { testSecrets } from "../../../test-kit/test-secrets.ts";
import { openBody } from "../../modules/connections/webhooks/sealed-body.ts";
import { olderPosts } from "../../modules/connections/webhooks/older-posts.store.ts";
import { olderActions } from "../../modules/sync/actions/older-actions.store.ts";
import { openedOutcome, openedRun } from "../../modules/sync/actions/sealed-work.ts";
import { instanceSchema } from "../db/db.ts";
import { migrateInstance } from "../db/migrations.ts";
import { goOnSealing, type SealingPass, startSealing } from "./sealing-pass.store.ts";

const CANARY = "kanarienvogel";
const [I, J] = ["a".repeat(24), "b".repeat(24)] as [Id<"instance">, Id<"instance">];
const [SECRET, OPEN, GONE] = ["c".repeat(24), "d".repeat(24), "e".repeat(24)];
const NEVER = new AbortController().signal;

async function world() {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  for (const at of [I, J]) await migrateInstance(pool, at);
  const failures: unknown[] = [];
  const go = (pass: SealingPass, signal = NEVER) => goOnSealing(pool, pass, signal, (error) => failures.push(error));
  const posts = async (at: Id<"instance">): Promise<string[]> =>
    (await pool.query(`SELECT body FROM "${instanceSchema(at)}".webhook_message ORDER BY number`)).rows.map(
      ({ body }) => body,
    );
  const positions = async () =>
    (await pool.query("SELECT what, part, after, finished_at IS NOT NULL AS finished FROM sealing_pass ORDER BY 1, 2"))
      .rows;
  return { pool, go, posts, positions, failures };
}

/** Posts of one instance, each with so many characters. */
const keepPosts = (
  pool: Awaited<ReturnType<typeof world>>["pool"],
  at: Id<"instance">,
  count: number,
  length: number,
) =>
  pool.query(
    `INSERT INTO "${instanceSchema(at)}".webhook_message (connector_id, message_id, body, status)
     SELECT 'hook', n, '{"pin": "${CANARY} ' || n || '", "rest": "' || repeat('é', $2) || '"}', 202
     FROM generate_series(1, $1) n`,
    [count, length],
  );

test("posts of all instances are sealed, and read as before", async () => {
  const { pool, go, posts, positions, failures } = await world();
  await keepPosts(pool, I, 450, 10);
  await keepPosts(pool, J, 3, 9_000);
  const before = { I: await posts(I), J: await posts(J) };
  await go(olderPosts(pool, testSecrets));
  for (const [at, was] of [
    [I, before.I],
    [J, before.J],
  ] as const) {
    const now = await posts(at);
    expect(now.filter((body) => body.includes(CANARY)).length).toBe(0);
    expect(now.map((body) => openBody(testSecrets, at, body))).toEqual(was);
  }
  expect(failures).toEqual([]);
  expect(await positions()).toEqual([
    { what: "posts", part: I, after: "450", finished: true },
    { what: "posts", part: J, after: "3", finished: true },
  ]);
});

test("what was cut off goes on where it stood; what is through is not looked at again", async () => {
  const { pool, go, posts, positions, failures } = await world();
  await keepPosts(pool, I, 450, 10);
  await keepPosts(pool, J, 10, 10);
  const pass = olderPosts(pool, testSecrets);
  const stopping = new AbortController();
  const looked: (string | null)[] = [];
  const watched: SealingPass = {
    ...pass,
    async seal(client, part, after) {
      looked.push(after);
      if (looked.length === 2) stopping.abort();
      return pass.seal(client, part, after);
    },
  };
  await go(watched, stopping.signal);
  const open = async () => (await posts(I)).filter((body) => body.includes(CANARY)).length;
  expect([looked, await open()]).toEqual([[null, "200"], 50]);
  expect(await positions()).toContainEqual({ what: "posts", part: I, after: "400", finished: false });
  // A batch that breaks off leaves nothing of it behind.
  const breaking: SealingPass = {
    ...pass,
    async seal(client, part, after) {
      await pass.seal(client, part, after);
      if (part === I) throw new Error("the connection is gone");
      return null;
    },
  };
  await go(breaking);
  expect([failures.length, await open()]).toEqual([1, 50]);
  expect((await posts(J)).filter((body) => body.includes(CANARY))).toEqual([]);
  await go(watched);
  expect([looked.slice(2), await open()]).toEqual([["400", "450"], 0]);
  await go(watched);
  expect(looked).toHaveLength(4);
});

test("two servers at the same time seal each post once", async () => {
  const { pool, go, posts, failures } = await world();
  await keepPosts(pool, I, 450, 10);
  const before = await posts(I);
  let looked = 0;
  const pass = olderPosts(pool, testSecrets);
  const counted: SealingPass = { ...pass, seal: (...of) => (looked++, pass.seal(...of)) };
  await Promise.all([go(counted), go(counted)]);
  await go(counted);
  expect((await posts(I)).map((body) => openBody(testSecrets, I, body))).toEqual(before);
  // Three batches and the look that finds no more, and one at the other instance.
  expect([failures, looked]).toEqual([[], 5]);
});

test("large posts go in batches of their own", async () => {
  const { pool, go, posts } = await world();
  await keepPosts(pool, I, 6, 2_400_000);
  const taken: number[] = [];
  const pass = olderPosts(pool, testSecrets);
  let last = 0;
  await go({
    ...pass,
    async seal(...of) {
      const after = await pass.seal(...of);
      if (after !== null) taken.push(Number(after) - last);
      last = Number(after);
      return after;
    },
  });
  expect(taken).toEqual([2, 2, 2]);
  expect((await posts(I)).filter((body) => body.startsWith("{")).length).toBe(0);
});

test("actions and their answers are sealed where an entity has, or may have had, a password field", async () => {
  const { pool, go, failures } = await world();
  const work = { kind: "http", url: "https://example.com", body: `pin ${CANARY}` };
  const answered = { succeeded: false, body: { stored: CANARY }, code: "http_400", message: `no: pin ${CANARY}` };
  let number = 0;
  const keep = (pipeline: string, given: object, outcome: object | null) =>
    pool.query(
      `INSERT INTO sync_action (id, instance_id, pipeline_id, version_number, node_id, label, action, work, outcome)
       VALUES ($1, $2, $3, 1, 'n', 'l', 'httpRequest', $4, $5)`,
      [String(++number), I, pipeline, JSON.stringify(given), outcome && JSON.stringify(outcome)],
    );
  for (const pipeline of [SECRET, OPEN, GONE]) {
    await keep(pipeline, work, answered);
    await keep(pipeline, work, null);
  }
  const asked: string[] = [];
  const pass = olderActions(testSecrets, async (at, pipeline) => {
    asked.push(`${at} ${pipeline}`);
    return pipeline !== OPEN;
  });
  await go(pass);
  expect(asked).toEqual([`${I} ${SECRET}`, `${I} ${OPEN}`, `${I} ${GONE}`]);
  const stored = async () =>
    (
      await pool.query(
        `SELECT pipeline_id, instance_id AS "instanceId", work, outcome, outcome IS NULL AS none FROM sync_action ORDER BY id`,
      )
    ).rows;
  const rows = await stored();
  expect(rows.map(({ work: held }) => JSON.stringify(held)).filter((text) => text.includes(CANARY))).toEqual([]);
  expect(rows.map(({ outcome }) => JSON.stringify(outcome).includes(CANARY))).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
  ]);
  expect(rows.map(({ none }) => none)).toEqual([false, true, false, true, false, true]);
  for (const row of rows) {
    expect(openedRun(testSecrets, row).work).toEqual(work);
    if (!row.none) expect(openedOutcome(testSecrets, I, row.outcome)?.body).toEqual(answered.body);
  }
  await pool.query("DELETE FROM sealing_pass");
  await go(pass);
  expect([await stored(), failures]).toEqual([rows, []]);
});

test("the background work ends between two batches when it is stopped", async () => {
  const { pool, posts } = await world();
  await keepPosts(pool, I, 450, 10);
  const failures: unknown[] = [];
  const stop = startSealing(pool, olderPosts(pool, testSecrets), (error) => failures.push(error));
  await expect.poll(async () => (await posts(I)).filter((body) => body.includes(CANARY)).length).toBeLessThan(450);
  await stop();
  expect((await posts(I)).filter((body) => body.includes(CANARY)).length % 50).toBe(0);
  expect(failures).toEqual([]);
});
