/** A worker that is woken at awkward moments: what it was woken for is done at once, and by one cycle. */
import { type Connection, ConnectorError } from "@accord/connector-sdk";
import { expect, test } from "vitest";
import { newSyncWorld } from "../../../../../test-kit/sync-world/new-sync-world.ts";
import { runWorker } from "../../../../../test-kit/sync-world/running-worker.ts";
import { ENTITY, INSTANCE, syncWorldNeeds } from "../../../../../test-kit/sync-world/sync-world.ts";
import { eventually } from "../../../../../test-kit/sync-world/working-world.ts";
import { instanceSchema, type Pool } from "../../../../platform/db/db.ts";
import { scheduleStore } from "../schedule/schedule.store.ts";
import { syncState } from "../monitoring/sync-state.ts";

/** Of a test with several waits, each of which has a minute and says what never came. */
const STEPS_MS = 300_000;

test("a pipeline that is woken while its last cycle winds down is read by one cycle, which keeps its lease", async () => {
  const pool = await newSyncWorld();
  const schedule = scheduleStore(pool);
  const needs = syncWorldNeeds(pool);
  const [windingDown, lastWord, reading, answer] = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
  let cycles = 0;
  const { openConnection } = needs.connectors;
  needs.connectors.openConnection = async (...at): Promise<Connection> => {
    const connection = await openConnection(...at);
    return {
      ...connection,
      read: async (request) => {
        if (cycles === 1) {
          reading?.resolve();
          await answer?.promise;
        }
        return connection.read(request);
      },
    };
  };
  // The first cycle has given its lease back when it says its last word.
  const realtime = {
    publish: async () => {
      const row = await schedule.find(INSTANCE, ENTITY);
      if (cycles > 0 || row?.lastCycle === null) return;
      windingDown?.resolve();
      await lastWord?.promise;
    },
    publishToUser: async () => {},
    disconnect: async () => {},
  };
  await runWorker(pool, { needs, schedule }, realtime);

  await windingDown?.promise;
  cycles = 1;
  await schedule.requestCycle(INSTANCE, ENTITY);
  await reading?.promise;
  const epoch = async (): Promise<number> => {
    const { rows } = await pool.query("SELECT epoch FROM sync_pipeline");
    return rows[0].epoch;
  };
  const second = await epoch();
  lastWord?.resolve();
  // Meanwhile it looks for what is due.
  for (let look = 0; look < 20; look += 1) expect(await epoch()).toBe(second);
  answer?.resolve();
  await eventually("the end of the second cycle", async () => {
    const row = await schedule.find(INSTANCE, ENTITY);
    return row?.isRunning ? undefined : row;
  });
  expect(await epoch()).toBe(second);
});

test("what a worker that vanished was woken for is done by the next one", async () => {
  const pool = await newSyncWorld();
  const schedule = scheduleStore(pool);
  await schedule.requestCycle(INSTANCE, ENTITY);
  expect(await schedule.acquire("one", [])).toMatchObject({ wasRequested: true, wasHeld: false });
  await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second', due_at = now()");
  expect(await schedule.acquire("two", []), "its lease ran out").toMatchObject({ wasRequested: true, wasHeld: true });
  await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '1 hour'");
  expect(await schedule.releaseStalled(60)).toBe(1);
  const third = await schedule.acquire("three", []);
  expect(third, "it hung").toMatchObject({ wasRequested: true, wasHeld: true });
  if (third) await schedule.putBack(third);
  expect(await schedule.acquire("four", []), "nobody has looked yet").toMatchObject({ wasHeld: true });
});

test("[F5] [F13] what a worker sent just before it lost its lease is held until its system can show it", async () => {
  const pool = await newSyncWorld();
  await pool.query("INSERT INTO outside.a (email, name) VALUES ('ada@example.com', 'Ada')");
  const needs = syncWorldNeeds(pool);
  const { openConnection, getConnector } = needs.connectors;
  needs.connectors.getConnector = async (...at) => {
    const connector = await getConnector(...at);
    return connector && { ...connector, readDelaySeconds: 3600 };
  };
  const [sending, late] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  let sent = 0;
  needs.connectors.openConnection = async (...at): Promise<Connection> => ({
    ...(await openConnection(...at)),
    write: () => {
      sent += 1;
      sending.resolve();
      return late.promise;
    },
  });
  await runWorker(pool, { needs, schedule: scheduleStore(pool) });
  await sending.promise;
  // It slept between saying so and sending, until its lease was over.
  await pool.query(`UPDATE ${instanceSchema(INSTANCE)}.delivery SET next_at = now()`);
  await pool.query(
    "UPDATE sync_pipeline SET owner = 'gone', epoch = epoch + 1, due_at = now(), lease_until = '-infinity'",
  );
  const heldFor = await eventually("the next cycle", async () => {
    const { rows } = await pool.query(
      `SELECT extract(epoch FROM next_at - now())::float8 AS seconds FROM ${instanceSchema(INSTANCE)}.delivery WHERE next_at > now()`,
    );
    return rows[0]?.seconds;
  });
  expect(heldFor).toBeGreaterThan(3000);
  expect(sent).toBe(1);
  late.reject(new ConnectorError("unavailable", "Nobody answers."));
});

/** A pipeline with one record to read, whose cycles break off since its database refuses every link with this message. */
async function refusingWorld(message: string): Promise<{ pool: Pool; schema: string }> {
  const pool = await newSyncWorld();
  await pool.query("INSERT INTO outside.a (email, name) VALUES ('ada@example.com', 'Ada')");
  const schema = instanceSchema(INSTANCE);
  await pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '${message}'; END $$`,
  );
  await pool.query(`CREATE TRIGGER refuse BEFORE INSERT ON ${schema}.link FOR EACH ROW EXECUTE FUNCTION refuse()`);
  return { pool, schema };
}

test("cycles that break off one after the other are a problem of the pipeline that people see, and stop it after hours", async () => {
  const { pool, schema } = await refusingWorld('relation "x" is corrupt');
  const schedule = scheduleStore(pool);
  const told: unknown[] = [];
  const notify = async (news: { message: string }): Promise<void> => void told.push(news.message);
  await runWorker(pool, { needs: { ...syncWorldNeeds(pool), notify }, schedule });
  const state = async () => {
    const row = await schedule.find(INSTANCE, ENTITY);
    return row ? syncState(row) : undefined;
  };
  const shown = await eventually("the problem", async () => {
    const found = await state();
    return found?.errors[0] && found.status !== "RUNNING" ? found : undefined;
  });
  expect(shown).toMatchObject({
    status: "RETRYING",
    errors: [{ code: "cycle_broke_off", errorDetail: 'relation "x" is corrupt.' }],
  });
  expect(shown.errors[0]?.errorMessage).toMatch(/break off before their end: [34] in a row/);
  expect(told).toEqual([]);

  await pool.query("UPDATE sync_pipeline SET broken_since = now() - interval '4 hours', due_at = now()");
  const stopped = await eventually("its stop", async () => {
    const found = await state();
    return found?.status === "ERROR" ? found : undefined;
  });
  expect(stopped.errors[0]).toMatchObject({
    code: "paused_in_error",
    errorDetail: expect.stringMatching(/^relation "x" is corrupt\. It is tried again every 15 minutes/),
  });
  await eventually("the notice", async () => (told.length > 0 ? true : undefined));
  expect(told).toEqual(["Contact stopped with an error"]);

  await pool.query(`DROP TRIGGER refuse ON ${schema}.link`);
  await pool.query("UPDATE sync_pipeline SET due_at = now()");
  await eventually("its end", async () => {
    const found = await state();
    return found?.errors.length === 0 && found.status === "RUNNING" ? true : undefined;
  });
  const { rows } = await pool.query("SELECT broken_times, broken_since FROM sync_pipeline");
  expect(rows).toEqual([{ broken_times: 0, broken_since: null }]);
});

test("a cycle that breaks off again and again leaves growing pauses, and ends once what broke it is fixed", async () => {
  const { pool, schema } = await refusingWorld("broken");
  await runWorker(pool, { needs: syncWorldNeeds(pool), schedule: scheduleStore(pool) });
  const epoch = async (): Promise<number> => (await pool.query("SELECT epoch FROM sync_pipeline")).rows[0].epoch;
  await eventually("some tries", async () => ((await epoch()) >= 3 ? true : undefined));
  await eventually("a pause of several seconds", async () => {
    const { rows } = await pool.query(
      "SELECT extract(epoch FROM due_at - now())::float8 AS seconds FROM sync_pipeline",
    );
    return rows[0].seconds > 2 ? true : undefined;
  });
  await pool.query(`DROP TRIGGER refuse ON ${schema}.link`);
  await eventually("the record", async () => {
    const found = await pool.query("SELECT FROM outside.b WHERE email = 'ada@example.com'");
    return found.rowCount === 1 ? true : undefined;
  });
});

test(
  "an outage of hours stops a pipeline in error, and the pipeline goes on by itself once it is over",
  async () => {
    const pool = await newSyncWorld();
    const schedule = scheduleStore(pool);
    const needs = syncWorldNeeds(pool);
    /** What people read: sent again under the same subject, it is one notice. */
    const notices = new Map<string, string>();
    needs.notify = async ({ subject, message }) => void notices.set(subject, message);
    const told = (isOfSystem: boolean): string[] =>
      [...notices.values()].filter((message) => message.startsWith("Contact: ") === isOfSystem);
    let isDown = true;
    const { openConnection } = needs.connectors;
    needs.connectors.openConnection = async (...at): Promise<Connection> => {
      if (isDown) throw new ConnectorError("unavailable", "The system can't be reached.");
      return openConnection(...at);
    };
    await runWorker(pool, { needs, schedule });
    const row = async () => (await schedule.find(INSTANCE, ENTITY))!;
    const until = (what: string, is: (now: Awaited<ReturnType<typeof row>>) => boolean) =>
      eventually(what, async () => {
        const now = await row();
        return !now.isRunning && is(now) ? now : undefined;
      });
    const since = Date.now() - 4 * 3_600_000;
    /** As if the last cycle had been so long ago. */
    const wait = async (): Promise<void> => {
      const [place, failure] = Object.entries((await row()).failures)[0]!;
      const failures = { [place]: { ...failure, since, nextAt: 0 } };
      await pool.query("UPDATE sync_pipeline SET failures = $1, due_at = now()", [JSON.stringify(failures)]);
      await pool.query("NOTIFY accord_sync");
    };

    await until("the first failure", ({ failures }) => Object.keys(failures).length > 0);
    expect(await row()).toMatchObject({ isPaused: false, error: null });
    await wait();
    const stopped = await until("the stop", ({ error }) => error !== null);
    expect(syncState(stopped)).toMatchObject({ status: "ERROR" });
    expect(stopped.error?.detail).toContain("goes on by itself");
    expect(Date.parse(stopped.dueAt) - Date.now()).toBeGreaterThan(10 * 60_000);
    const { epoch } = stopped;
    await wait();
    const still = await until("a look that finds it down", (now) => now.epoch > epoch);
    expect(still).toMatchObject({ isPaused: true });
    expect(told(false), "told once").toEqual(["Contact stopped with an error"]);
    expect(new Set(told(true))).toEqual(new Set(["Contact: a fails"]));
    const before = told(true).length;

    isDown = false;
    await wait();
    const going = await until("a look that finds it back", ({ isPaused }) => !isPaused);
    expect(going).toMatchObject({ error: null, failures: {} });
    expect(syncState(going).status).toBe("RUNNING");
    expect(told(false)).toEqual(["Contact stopped with an error", expect.stringContaining("goes on")]);
    expect(told(true).slice(before)).toEqual(["Contact: a works again"]);
  },
  STEPS_MS,
);

test("a pipeline that a person pauses while an outage has stopped it is not looked after", async () => {
  const pool = await newSyncWorld();
  const schedule = scheduleStore(pool);
  await pool.query(
    `UPDATE sync_pipeline SET paused = true, probing = true, error = '{"message":"Down","detail":null}'`,
  );
  expect(await schedule.acquire("one", [])).toMatchObject({ isProbing: true });
  await schedule.pause(INSTANCE, ENTITY, "somebody");
  await pool.query("UPDATE sync_pipeline SET owner = NULL, lease_until = NULL, due_at = now()");
  expect(await schedule.acquire("one", [])).toBeNull();
  await schedule.resume(INSTANCE, ENTITY);
  expect(await schedule.acquire("one", [])).toMatchObject({ isProbing: false, isPaused: false, error: null });
});
