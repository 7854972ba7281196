/**
 * Says to other servers of the database which instances this process mirrors: it holds a shared lock for each on a
 * connection of its own, which ends with the process, however that ends. Who ends the noting of changes needs the exclusive one.
 */
import type { PoolClient } from "pg";
import type { Client, Pool } from "../../../../platform/db/db.ts";

/** Others hold the exclusive lock no longer than they take to drop the triggers of a table. */
const LOCK_WAIT_MS = 2_000;

const nameOf = (schema: string): string => `columnar mirror of ${schema}`;

export class CaptureOwner {
  readonly #pool: Pool;
  readonly #held = new Set<string>();
  #client: PoolClient | null = null;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Until `release`; nobody else drops the triggers of this instance meanwhile. */
  hold(schema: string): Promise<void> {
    return this.#inTurn(async (client) => {
      if (this.#held.has(schema)) return;
      await client.query("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", [nameOf(schema)]);
      this.#held.add(schema);
    });
  }

  async release(schema: string): Promise<void> {
    if (!this.#held.delete(schema)) return;
    await this.#inTurn(async (client) => {
      await client.query("SELECT pg_advisory_unlock_shared(hashtextextended($1, 0))", [nameOf(schema)]);
    });
  }

  /** Takes all of them again where the connection was lost. Meanwhile copies see for themselves that triggers are gone. */
  async renew(): Promise<void> {
    if (this.#held.size === 0) return;
    await this.#inTurn(async (client) => void (await client.query("SELECT 1")));
  }

  #inTurn(work: (client: PoolClient) => Promise<void>): Promise<void> {
    const done = this.#turn.then(async () => {
      const client = await this.#connection();
      try {
        await work(client);
      } catch (error) {
        // The locks go with the connection, and come back with the next one.
        this.#discard(client);
        throw error;
      }
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async #connection(): Promise<PoolClient> {
    if (this.#client) return this.#client;
    const client = await this.#pool.connect();
    try {
      await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
      for (const schema of this.#held)
        await client.query("SELECT pg_advisory_lock_shared(hashtextextended($1, 0))", [nameOf(schema)]);
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.on("error", () => this.#discard(client));
    this.#client = client;
    return client;
  }

  #discard(client: PoolClient): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.release(true);
  }
}

/** Within a transaction, until it ends; false where somebody mirrors the instance. */
export async function takeFromOwners(client: Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken",
    [nameOf(schema)],
  );
  return rows[0]?.taken ?? false;
}
