/** The sync world in databases of a test's own. */
import { onTestFinished } from "vitest";
import type { Pool } from "../../src/platform/db/db.ts";
import { testDatabase } from "../database/database.ts";
import { makeSyncWorld } from "./sync-world.ts";

/** The data database of a new world; both databases are dropped when the test ends. */
export async function newSyncWorld(): Promise<Pool> {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const { pool } = database.data;
  await makeSyncWorld(pool);
  return pool;
}
