/** Counts what is sent to PostgreSQL while some work is done, the statements of its transaction included. */
import { onTestFinished, vi } from "vitest";
import type { Pool } from "../../src/platform/db/db.ts";

/** The answer does the work and tells how many statements it took. Counts all connections of the process. */
export async function countStatements(pool: Pool): Promise<(work: () => Promise<unknown>) => Promise<number>> {
  const client = await pool.connect();
  const query = vi.spyOn(Object.getPrototypeOf(client), "query");
  client.release();
  onTestFinished(() => query.mockRestore());
  return async (work) => {
    query.mockClear();
    await work();
    return query.mock.calls.length;
  };
}
