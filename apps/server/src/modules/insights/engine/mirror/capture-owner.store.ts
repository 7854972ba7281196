/**
 * Says to other servers of the database which instances this process mirrors: it holds a shared lock for each on a
 * connection of its own, which ends with the process, however that ends. Who ends the noting of changes needs the exclusive one.
 */
import type { PoolClient } from "pg";
import type { Client, Pool } from "../../../../platform/db/db.ts";

/** Others hold the exclusive lock no longer than they take to drop the triggers of a table. */
const LOCK_WAIT_MS = 2_000;

const LOCK = "SELECT pg_advisory_lock_shared(hashtextextended($1, 0))";
const UNLOCK = "SELECT pg_advisory_unlock_shared(hashtextextended($1, 0))";

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
    return this.#inTurn(async () => {
      if (this.#held.has(schema)) return;
      await this.#run(await this.#connection(), LOCK, [nameOf(schema)]);
      this.#held.add(schema);
    });
  }

  release(schema: string): Promise<void> {
    return this.#inTurn(async () => {
      const client = this.#client;
      if (!this.#held.delete(schema) || !client) return;
      await this.#run(client, UNLOCK, [nameOf(schema)]);
      if (this.#held.size === 0) this.#discard(client);
    });
  }

  /** Takes all of them again where the connection was lost. Meanwhile copies see for themselves that triggers are gone. */
  renew(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#held.size > 0) await this.#run(await this.#connection(), "SELECT 1", []);
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #run(client: PoolClient, text: string, params: string[]): Promise<void> {
    try {
      await client.query(text, params);
    } catch (error) {
      // The locks go with the connection, and come back with the next one.
      this.#discard(client);
      throw error;
    }
  }

  async #connection(): Promise<PoolClient> {
    if (this.#client) return this.#client;
    const client = await this.#pool.connect();
    try {
      await client.query(`SET lock_timeout = ${LOCK_WAIT_MS}`);
      for (const schema of this.#held) await client.query(LOCK, [nameOf(schema)]);
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
