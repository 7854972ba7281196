/**
 * Whatever people and systems do, in any order: real storage and real pipelines end where a model of a few lines ends.
 * fast-check draws the commands, shrinks a failing row of them, and prints the seed that plays it again.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { testDatabase } from "../../../../../../test-kit/database/database.ts";
import { startWorkerHere, type Trouble, FaultInjector } from "../../../../../../test-kit/sync-world/sync-troubles.ts";
import {
  endLeases,
  converged,
  insertContact,
  ledgerFaults,
  renameContact,
  settled,
} from "../../../../../../test-kit/sync-world/sync-workers.ts";
import {
  editOutside,
  ENTITY,
  INSTANCE,
  makeSyncWorld,
  type SystemName,
} from "../../../../../../test-kit/sync-world/sync-world.ts";
import type { Pool } from "../../../../../platform/db/db.ts";
import { scheduleStore, type ScheduleStore } from "../../schedule/schedule.store.ts";

/** Names by e-mail. Each contact is edited in one system only: then it is certain which edit is the last. */
type Model = Map<string, { home: SystemName; name: string }>;

interface Real {
  pool: Pool;
  troubles: FaultInjector;
  schedule: ScheduleStore;
  count: number;
}

type Command = (model: Model, real: Real) => Promise<void>;

const PIPELINE = { instanceId: INSTANCE, pipelineId: ENTITY, versionId: "0123456789abcdef01234569" };

const homeOf = (index: number): SystemName => (index % 2 === 0 ? "a" : "b");
const chosen = (model: Model, index: number): [string, { home: SystemName; name: string }] | undefined =>
  [...model][index % Math.max(1, model.size)];

const create =
  (index: number): Command =>
  async (model, real) => {
    real.count += 1;
    const email = `p${real.count}@example.com`;
    const home = homeOf(index);
    model.set(email, { home, name: `${real.count} name` });
    await insertContact(real.pool, home, email, String(real.count));
  };

const rename =
  (index: number): Command =>
  async (model, real) => {
    const found = chosen(model, index);
    if (!found) return;
    const [email, contact] = found;
    real.count += 1;
    contact.name = `edit ${real.count}`;
    await renameContact(real.pool, contact.home, email, contact.name);
  };

const remove =
  (index: number): Command =>
  async (model, real) => {
    const found = chosen(model, index);
    if (!found) return;
    const [email, { home }] = found;
    model.delete(email);
    const gone = "UPDATE $table SET deleted = true, change = nextval('outside.change') WHERE email = $1";
    await editOutside(real.pool, home, gone, [email]);
  };

const trouble =
  (kind: Trouble): Command =>
  async (_, { troubles }) =>
    void troubles.ahead.push(kind);

const publish: Command = async (_, { schedule, troubles }) => {
  troubles.version += 1;
  await schedule.publish({ ...PIPELINE, versionNumber: troubles.version }, null);
};

const pauseAndResume: Command = async (_, { schedule, pool }) => {
  await schedule.pause(INSTANCE, ENTITY, "somebody");
  await pool.query("SELECT pg_sleep(0.05)");
  await schedule.resume(INSTANCE, ENTITY);
};

/** As after a worker that was silent for too long: the other one takes over, the first one finds its epoch dead. */
const stealLease: Command = async (_, { pool }) => void (await endLeases(pool));

const wait =
  (tenths: number): Command =>
  async (_, { pool }) =>
    void (await pool.query("SELECT pg_sleep($1)", [tenths / 10]));

const commands: fc.Arbitrary<Command[]> = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(20).map(create) },
    { weight: 6, arbitrary: fc.nat(20).map(rename) },
    { weight: 1, arbitrary: fc.nat(20).map(remove) },
    {
      weight: 3,
      arbitrary: fc
        .constantFrom<Trouble>("answerLost", "halfDone", "tooManyCalls", "unreachable", "readBreaks")
        .map(trouble),
    },
    { weight: 1, arbitrary: fc.constant(publish) },
    { weight: 1, arbitrary: fc.constant(pauseAndResume) },
    { weight: 1, arbitrary: fc.constant(stealLease) },
    { weight: 3, arbitrary: fc.nat(5).map(wait) },
  ),
  { minLength: 15, maxLength: 30 },
);

async function playAll(list: readonly Command[]): Promise<void> {
  const database = await testDatabase();
  const { pool } = database.data;
  const troubles = new FaultInjector();
  const stops: (() => Promise<void>)[] = [];
  const model: Model = new Map();
  try {
    await makeSyncWorld(pool);
    for (let workers = 0; workers < 2; workers += 1) stops.push(await startWorkerHere(pool, troubles));
    const real: Real = { pool, troubles, schedule: scheduleStore(pool), count: 0 };
    for (const command of list) await command(model, real);
    troubles.ahead.length = 0;
    await settled(pool, 3);
    const agreed = await converged(pool);
    const names = new Map([...agreed].map(([email, text]) => [email, String(JSON.parse(text)[0])]));
    expect(names).toEqual(new Map([...model].map(([email, { name }]) => [email, name])));
    expect(await ledgerFaults(pool)).toEqual([]);
  } finally {
    for (const stop of stops) await stop();
    await database.drop();
  }
}

test(
  "[F1] [F3] [F4] [F5] [F13] [F14] any row of edits, troubles, new versions, pauses and stolen leases ends where the model ends",
  { timeout: 300_000 },
  () => fc.assert(fc.asyncProperty(commands, playAll), { seed: 20_261_121, numRuns: 5, endOnFailure: true }),
);
