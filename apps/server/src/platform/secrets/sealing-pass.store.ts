/**
 * Seals what an older version kept as it came: goes through a table once, in batches, each a transaction with the
 * position it ends at. Cut off at any point it goes on from there; two servers take turns.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool } from "../db/db.ts";
import { transaction } from "../db/transaction.ts";

export interface SealingPass {
  what: "posts" | "actions";
  /** Ids of instances with a table of their own; an empty one stands for one table of all. */
  parts(): Promise<string[]>;
  /** Seals what follows `after`, few enough for one transaction. Answers the last key it looked at; null: none followed. */
  seal(client: Client, part: string, after: string | null): Promise<string | null>;
}

/** Of one batch. */
export const MAX_ROWS = 200;
export const MAX_BYTES = 8_000_000;
/** In milliseconds. A batch that takes longer is given up, and tried again later. */
const MAX_BATCH_MS = 10_000;

/** What failed, and what other servers are at, is looked at again after this many milliseconds. */
const AGAIN_MS = 10 * 60_000;

/** Seals in the background until all is sealed. Answers how to stop, which waits for the batch under way. */
export function startSealing(pool: Pool, pass: SealingPass, failed: (error: unknown) => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const working = (async () => {
    while (!signal.aborted) {
      await goOnSealing(pool, pass, signal, failed).catch(failed);
      await sleep(AGAIN_MS, undefined, { signal }).catch(() => {});
    }
  })();
  return async () => {
    stopping.abort();
    await working;
  };
}

/** Goes on with all parts of a pass that are not through. `failed`: that part waits for the next time. */
export async function goOnSealing(
  pool: Pool,
  pass: SealingPass,
  signal: AbortSignal,
  failed: (error: unknown) => void,
): Promise<void> {
  const parts = await pass.parts();
  await pool.query("INSERT INTO sealing_pass (what, part) SELECT $1, unnest($2::text[]) ON CONFLICT DO NOTHING", [
    pass.what,
    parts,
  ]);
  const { rows } = await pool.query<{ part: string }>(
    "SELECT part FROM sealing_pass WHERE what = $1 AND finished_at IS NULL AND part = ANY ($2)",
    [pass.what, parts],
  );
  for (const { part } of rows) {
    try {
      while (!signal.aborted && (await sealBatch(pool, pass, part)));
    } catch (error) {
      failed(error);
    }
  }
}

/** Answers whether there may be more for this server to do. */
async function sealBatch(pool: Pool, pass: SealingPass, part: string): Promise<boolean> {
  return transaction(pool, async ({ client }) => {
    await client.query(`SET LOCAL statement_timeout = ${MAX_BATCH_MS}; SET LOCAL lock_timeout = 1000`);
    const key = [pass.what, part];
    const { rows } = await client.query<{ after: string | null }>(
      `SELECT after FROM sealing_pass WHERE what = $1 AND part = $2 AND finished_at IS NULL FOR UPDATE SKIP LOCKED`,
      key,
    );
    const [position] = rows;
    if (!position) return false;
    const after = await pass.seal(client, part, position.after);
    await client.query(
      `UPDATE sealing_pass SET after = coalesce($3, after), finished_at = CASE WHEN $3::text IS NULL THEN now() END
       WHERE what = $1 AND part = $2`,
      [...key, after],
    );
    return after !== null;
  });
}
