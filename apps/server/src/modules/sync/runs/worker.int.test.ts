/** A worker that is woken at awkward moments: what it was woken for is done at once, and by one cycle. */
import type { Connection } from "@accord/connector-sdk";
import { expect, onTestFinished, test } from "vitest";
import { testDatabase } from "../../../../test-kit/database.ts";
import { ENTITY, INSTANCE, makeSyncWorld, syncWorldNeeds } from "../../../../test-kit/sync-world.ts";
import { eventually } from "../../../../test-kit/working-world.ts";
import { systemClock } from "../../../platform/clock.ts";
import { makeNewId } from "../../../platform/ids.ts";
import { makeLog } from "../../../platform/log/log.ts";
import { pipelinePlans } from "./plans.ts";
import { scheduleStore } from "./schedule.store.ts";
import { startWorker } from "./worker.ts";

test("a pipeline that is woken while its last cycle winds down is read by one cycle, which keeps its lease", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await makeSyncWorld(pool);
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
  const log = makeLog({ logLevel: "silent" });
  const deps = { clock: systemClock, newId: makeNewId(systemClock), log, dataPool: pool, realtime };
  const stop = await startWorker({ deps, needs, schedule, plans: pipelinePlans(deps, needs, schedule) });
  onTestFinished(stop);

  await windingDown?.promise;
  cycles = 1;
  await schedule.poke(INSTANCE, ENTITY);
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
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await makeSyncWorld(pool);
  const schedule = scheduleStore(pool);
  await schedule.poke(INSTANCE, ENTITY);
  expect(await schedule.acquire("one", [])).toMatchObject({ wasPoked: true });
  await pool.query("UPDATE sync_pipeline SET lease_until = now() - interval '1 second', due_at = now()");
  expect(await schedule.acquire("two", []), "its lease ran out").toMatchObject({ wasPoked: true });
  await pool.query("UPDATE sync_pipeline SET heard_at = now() - interval '1 hour'");
  expect(await schedule.freeStalled(60)).toBe(1);
  expect(await schedule.acquire("three", []), "it hung").toMatchObject({ wasPoked: true });
});
