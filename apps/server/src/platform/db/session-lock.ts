/** A lock that one process holds across many transactions; it ends with its connection, however the process ends. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Pool } from "./db.ts";

const RETRY_MS = 100;

/**
 * Waits until nobody else holds the lock `key` of this database; answers how to give it back (a second time does
 * nothing). Asks again and again instead of waiting inside the database, where statements have a time limit.
 */
export async function takeSessionLock(pool: Pool, key: number, onWait: () => void): Promise<() => Promise<void>> {
  const client = await pool.connect();
  try {
    for (let tries = 0; ; tries += 1) {
      const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [key]);
      if (rows[0]?.taken) break;
      if (tries === 0) onWait();
      await sleep(RETRY_MS);
    }
  } catch (error) {
    client.release(true);
    throw error;
  }
  let isHeld = true;
  return async () => {
    if (!isHeld) return;
    isHeld = false;
    // The connection takes the lock with it.
    client.release(true);
  };
}
