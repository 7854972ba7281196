/** What outside systems do to us, one fault at a time, on real storage: retried where it must be, done once, never lost. */
import { expect, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { expectReconciled, judgedSyncWorld, reconciliationFaults } from "../../../../../../test-kit/reconcile.ts";
import { startWorkerHere, FaultInjector } from "../../../../../../test-kit/sync-world/sync-troubles.ts";
import {
  converged,
  insertContact,
  ledgerFaults,
  renameContact,
  settled,
} from "../../../../../../test-kit/sync-world/sync-workers.ts";
import { contactsIn, ENTITY, INSTANCE, makeSyncWorld } from "../../../../../../test-kit/sync-world/sync-world.ts";
import { type Clock, systemClock } from "../../../../../platform/clock.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { scheduleStore } from "../../schedule/schedule.store.ts";

interface World {
  pool: Pool;
  troubles: FaultInjector;
  start: (clock?: Clock) => Promise<void>;
}

async function inWorld(scenario: (world: World) => Promise<void>): Promise<void> {
  const database = await testDatabase();
  const { pool } = database.data;
  const troubles = new FaultInjector();
  const stops: (() => Promise<void>)[] = [];
  try {
    await makeSyncWorld(pool);
    await scenario({
      pool,
      troubles,
      start: async (clock) => void stops.push(await startWorkerHere(pool, troubles, clock)),
    });
    await expectReconciled(judgedSyncWorld(pool));
  } finally {
    for (const stop of stops) await stop();
    await database.drop();
  }
}

const writesIn = async (pool: Pool, system: "a" | "b"): Promise<number[]> =>
  (await pool.query(`SELECT writes FROM outside.${system} ORDER BY id`)).rows.map(({ writes }) => writes);

const LONG_TIMEOUT = { timeout: 180_000 };

test("[F3] a system that asks for fewer calls or is away is told later, each record once", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    for (let index = 0; index < 5; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    troubles.ahead.push("tooManyCalls", "unreachable");
    await start();
    await settled(pool, 2);
    expect(troubles.met).toEqual(["tooManyCalls", "unreachable"]);
    expect((await converged(pool)).size).toBe(5);
    expect(await writesIn(pool, "b")).toEqual([0, 0, 0, 0, 0]);
  }),
);

test("[F4] of a batch that was half done only the rest is sent again", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    for (let index = 0; index < 6; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    await start();
    await settled(pool, 2);
    for (let index = 0; index < 6; index += 1) await renameContact(pool, "a", `p${index}@example.com`, `new ${index}`);
    troubles.ahead.push("halfDone");
    await settled(pool, 2);
    expect(troubles.met).toEqual(["halfDone"]);
    expect(await writesIn(pool, "b")).toEqual([1, 1, 1, 1, 1, 1]);
    await converged(pool);
  }),
);

test("[F5] an acknowledgement lost does not create twice", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    for (let index = 0; index < 4; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    troubles.ahead.push("answerLost");
    await start();
    await settled(pool, 2);
    expect(troubles.met).toEqual(["answerLost"]);
    expect((await contactsIn(pool, "b")).size).toBe(4);
    expect((await converged(pool)).size).toBe(4);
    expect(await ledgerFaults(pool)).toEqual([]);
  }),
);

test("[F5] somebody's edit after an update whose acknowledgement was lost is not overwritten", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    await insertContact(pool, "a", "p@example.com", "a");
    await start();
    await settled(pool, 2);
    troubles.ahead.push("answerLost");
    await renameContact(pool, "a", "p@example.com", "from a");
    while (troubles.met.length === 0) await pool.query("SELECT pg_sleep(0.02)");
    await renameContact(pool, "b", "p@example.com", "from b, later");
    await settled(pool, 2);
    expect(JSON.parse((await converged(pool)).get("p@example.com") ?? "[]")[0]).toBe("from b, later");
  }),
);

test("[F6] rows that change and appear while pages are read are all there in the end", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    for (let index = 0; index < 130; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    troubles.ahead.push("readBreaks");
    await start();
    for (let index = 0; index < 20; index += 1) {
      await renameContact(pool, "a", `p${index * 6}@example.com`, `moved ${index}`);
      await insertContact(pool, "a", `late${index}@example.com`, "a");
    }
    await settled(pool, 2);
    const agreed = await converged(pool);
    expect(agreed.size).toBe(150);
    for (let index = 0; index < 20; index += 1) {
      expect(JSON.parse(agreed.get(`p${index * 6}@example.com`) ?? "[]")[0]).toBe(`moved ${index}`);
    }
  }),
);

test("[F8] a worker whose clock is an hour ahead steals no lease and loses no edit", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, start }) => {
    const ahead: Clock = {
      now: () => new Date(systemClock.now().getTime() + 3_600_000),
      monotonicMs: () => systemClock.monotonicMs(),
    };
    for (let index = 0; index < 10; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    await start(ahead);
    await start();
    for (let index = 0; index < 10; index += 1)
      await renameContact(pool, "a", `p${index}@example.com`, `edit ${index}`);
    await settled(pool, 3);
    const agreed = await converged(pool);
    expect(new Set([...agreed.values()].map((text) => JSON.parse(text)[0]))).toEqual(
      new Set(Array.from({ length: 10 }, (_, index) => `edit ${index}`)),
    );
    expect(await ledgerFaults(pool)).toEqual([]);
  }),
);

test(
  "[F10] a record that a system refuses is quarantined with its reason, the others go on, and a replay tells it",
  LONG_TIMEOUT,
  () =>
    inWorld(async ({ pool, troubles, start }) => {
      for (let index = 0; index < 5; index += 1) await insertContact(pool, "a", `p${index}@example.com`, `n${index}`);
      troubles.refused.add("n2 name");
      await start();
      await settled(pool, 2);
      expect([...(await contactsIn(pool, "b")).keys()].sort()).toEqual([0, 1, 3, 4].map((n) => `p${n}@example.com`));
      const { rows } = await pool.query(`SELECT code, message, status FROM "i_${INSTANCE}".quarantine`);
      expect(rows).toEqual([{ code: "refused", message: "Not this.", status: "OPEN" }]);
      expect(await reconciliationFaults(judgedSyncWorld(pool))).toEqual(["p2@example.com is missing in b"]);

      troubles.refused.clear();
      await pool.query(`UPDATE "i_${INSTANCE}".delivery SET parked = false, attempts = 0, next_at = now()`);
      await settled(pool, 2);
      expect((await converged(pool)).size).toBe(5);
      const after = await pool.query(`SELECT status FROM "i_${INSTANCE}".quarantine`);
      expect(after.rows).toEqual([{ status: "RESOLVED" }]);
    }),
);

test("[F11] a field that a system loses makes nothing blank, and people are told", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    for (let index = 0; index < 3; index += 1) await insertContact(pool, "a", `p${index}@example.com`, `n${index}`);
    await start();
    await settled(pool, 2);

    troubles.losesPhones = true;
    await renameContact(pool, "a", "p0@example.com", "renamed");
    await settled(pool, 2);
    const agreed = await converged(pool);
    expect(JSON.parse(agreed.get("p0@example.com") ?? "[]")).toEqual(["renamed", "n0 phone", "n0 note"]);
    const { rows } = await pool.query(
      `SELECT p->>'targetId' AS field, p->>'message' AS message
       FROM "i_${INSTANCE}".cycle, jsonb_array_elements(problems) p WHERE p->>'code' = 'field_missing'`,
    );
    expect(rows[0]).toEqual({
      field: "phone",
      message: "The system no longer tells phone. Refresh its schema, or change the mapping of phone.",
    });
  }),
);

test("[F14] publishing, pausing and resuming during a run loses nothing and takes no lease away", LONG_TIMEOUT, () =>
  inWorld(async ({ pool, troubles, start }) => {
    const schedule = scheduleStore(pool);
    for (let index = 0; index < 60; index += 1) await insertContact(pool, "a", `p${index}@example.com`, "a");
    await start();
    await start();
    for (let round = 0; round < 4; round += 1) {
      troubles.version += 1;
      const at = { instanceId: INSTANCE, pipelineId: ENTITY, versionId: "0123456789abcdef01234569" };
      await schedule.publish({ ...at, versionNumber: troubles.version }, null);
      for (let index = 0; index < 10; index += 1) {
        await renameContact(pool, "a", `p${index}@example.com`, `round ${round}`);
      }
      await schedule.pause(INSTANCE, ENTITY, "somebody");
      await schedule.resume(INSTANCE, ENTITY);
      await settled(pool, 3);
      await expectReconciled(judgedSyncWorld(pool));
    }
    await settled(pool, 3);
    const agreed = await converged(pool);
    expect(agreed.size).toBe(60);
    for (let index = 0; index < 10; index += 1) {
      expect(JSON.parse(agreed.get(`p${index}@example.com`) ?? "[]")[0]).toBe("round 3");
    }
    expect(await ledgerFaults(pool)).toEqual([]);
  }),
);
