/** The sync world with its worker in this process: for stories about what people ask of running pipelines. */
import type { Connection } from "@accord/connector-sdk";
import type { Id } from "@accord/contracts";
import { readConfig } from "../../src/config.ts";
import { runsModule, type RunsDependencies, type RunsService } from "../../src/modules/sync/runs/index.ts";
import { systemClock } from "../../src/platform/clock.ts";
import type { Caller } from "../../src/platform/ctx.ts";
import type { Pool } from "../../src/platform/db/db.ts";
import type { Deps } from "../../src/platform/deps.ts";
import { makeNewId } from "../../src/platform/ids.ts";
import { makeLog } from "../../src/platform/log/log.ts";
import { testDatabase } from "../database/database.ts";
import { editOutside, INSTANCE, makeSyncWorld, type SystemName, syncWorldNeeds } from "./sync-world.ts";
import { testSecrets } from "../test-secrets.ts";

export interface WorkingWorld {
  pool: Pool;
  service: RunsService;
  /** Somebody who may do everything. */
  person: Caller;
  startWorker(): Promise<void>;
  stopWorker(): Promise<void>;
  addOutside(name: SystemName, email: string, by: string): Promise<void>;
}

/** What `inWorkingWorld` changes: every connection to one system. */
export const changingConnections =
  (systemId: string, change: (connection: Connection) => Connection) =>
  (needs: RunsDependencies): RunsDependencies => ({
    ...needs,
    connectors: {
      ...needs.connectors,
      async openConnection(at, id, options) {
        const connection = await needs.connectors.openConnection(at, id, options);
        return id === systemId ? change(connection) : connection;
      },
    },
  });

/** Tells a story in a world of its own and takes it down. `change`: what is otherwise there than in the plain world. */
export async function inWorkingWorld(
  scenario: (world: WorkingWorld) => Promise<void>,
  change: (needs: RunsDependencies, pool: Pool) => RunsDependencies = (needs) => needs,
  // What scenarios write into the past is never too old.
  environment: Record<string, string> = { ACCORD_KEEP_LEDGER_DAYS: "0" },
): Promise<void> {
  const database = await testDatabase();
  const { pool } = database.data;
  const realtime = { publish: async () => {} };
  const log = makeLog({ logLevel: "silent" });
  const newId = makeNewId(systemClock);
  const config = readConfig(environment);
  const known = {
    clock: systemClock,
    newId,
    log,
    config,
    dataPool: pool,
    dataReads: pool,
    realtime,
    secrets: testSecrets,
  };
  const deps = known as unknown as Deps;
  const module = runsModule(deps, change(syncWorldNeeds(pool), pool));
  let stop: (() => Promise<void>) | undefined;
  const stopWorker = async (): Promise<void> => {
    await stop?.();
    stop = undefined;
  };
  try {
    await makeSyncWorld(pool);
    const actor = { userId: newId<"user">(), email: "a@example.com", firstName: "Ada", lastName: "L", sessionId: "s" };
    await scenario({
      pool,
      service: module.service,
      person: { instanceId: INSTANCE as Id<"instance">, actor, can: () => true },
      startWorker: async () => void (stop = await module.startWorker?.()),
      stopWorker,
      addOutside: (name, email, by) =>
        editOutside(pool, name, "INSERT INTO $table (email, name, phone, note) VALUES ($1, $2, $3, $4)", [
          email,
          `${by} name`,
          `${by} phone`,
          `${by} note`,
        ]),
    });
  } finally {
    await stopWorker();
    await database.drop();
  }
}

/** Asks again and again until the answer is no longer undefined; fails after about a minute. */
export async function eventually<Answer>(what: string, ask: () => Promise<Answer | undefined>): Promise<Answer> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never came: ${what}`);
}
