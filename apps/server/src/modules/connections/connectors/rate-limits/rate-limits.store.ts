/** When each system takes calls again, shared by all processes. Times as durations, so that clocks need not agree. */
import type { Id } from "@accord/contracts";
import type { Pool } from "../../../../platform/db/db.ts";

/** One budget of an instance. */
export interface BudgetPlace {
  at: Id<"instance">;
  /** Digest of the system and the credentials it counts calls for. */
  key: string;
}

/** What is left of a budget, and milliseconds until it is new. */
export interface SharedBudget {
  left: number;
  limit: number | null;
  resetMs: number;
}

/** Milliseconds until the system takes calls again, 0 when it does; and what is left, where that is known. */
export async function readRate(
  pool: Pool,
  { at, key }: BudgetPlace,
): Promise<{ wait: number; budget: SharedBudget | null }> {
  const { rows } = await pool.query({
    name: "rate-budget",
    text: `SELECT greatest(0, extract(epoch FROM open_at - now()) * 1000)::float8 AS wait, left_calls, limit_calls,
             (extract(epoch FROM reset_at - now()) * 1000)::float8 AS reset
           FROM rate_budget WHERE instance_id = $1 AND key = $2`,
    values: [at, key],
  });
  const [row] = rows;
  const resetMs = Math.ceil(Number(row?.reset ?? 0));
  const isKnown = row?.left_calls !== null && resetMs > 0;
  return {
    wait: Math.ceil(Number(row?.wait ?? 0)),
    budget: isKnown ? { left: row.left_calls, limit: row.limit_calls, resetMs } : null,
  };
}

/**
 * What a system just said is left. Answers overtake each other and calls of other processes are under way: until the
 * budget is new the lesser number counts.
 */
export async function saveLeft(
  pool: Pool,
  { at, key }: BudgetPlace,
  { left, limit, resetMs }: SharedBudget,
): Promise<void> {
  await pool.query({
    name: "rate-budget-left",
    text: `INSERT INTO rate_budget AS r (instance_id, key, open_at, left_calls, limit_calls, reset_at, window_ms)
     VALUES ($1, $2, now(), $3, $4, now() + $5::float8 * interval '1 millisecond', $5)
     ON CONFLICT (instance_id, key) DO UPDATE SET limit_calls = EXCLUDED.limit_calls, reset_at = EXCLUDED.reset_at,
       window_ms = greatest(r.window_ms, EXCLUDED.window_ms),
       left_calls = CASE WHEN r.reset_at > now() THEN least(r.left_calls, EXCLUDED.left_calls) ELSE EXCLUDED.left_calls END`,
    values: [at, key, left, limit, Math.round(resetMs)],
  });
}

export interface TakenCall {
  may: boolean;
  /** Milliseconds until the budget is new. */
  resetMs: number;
}

/**
 * Takes one call of what is left, less what is kept for others. A budget whose time is over counts as whole again. Where
 * nothing is known any call may go.
 */
export async function takeCall(pool: Pool, { at, key }: BudgetPlace, kept: number): Promise<TakenCall> {
  const { rows } = await pool.query({
    name: "rate-budget-take",
    text: `WITH taken AS (
             UPDATE rate_budget SET
               left_calls = CASE WHEN reset_at > now() THEN left_calls ELSE limit_calls END - 1,
               reset_at = CASE WHEN reset_at > now() THEN reset_at ELSE now() + window_ms * interval '1 millisecond' END
             WHERE instance_id = $1 AND key = $2
               AND CASE WHEN reset_at > now() THEN left_calls ELSE coalesce(limit_calls, 2147483647) END > $3
             RETURNING 1),
           known AS (SELECT reset_at FROM rate_budget
             WHERE instance_id = $1 AND key = $2 AND left_calls IS NOT NULL)
           SELECT EXISTS (SELECT FROM taken) OR NOT EXISTS (SELECT FROM known) AS may,
             coalesce((SELECT greatest(0, extract(epoch FROM reset_at - now()) * 1000) FROM known), 0)::float8 AS reset`,
    values: [at, key, kept],
  });
  return { may: rows[0]?.may === true, resetMs: Math.ceil(Number(rows[0]?.reset ?? 0)) };
}

/** Remembers that the system takes no calls for `waitMs`; never shortens what was said before. */
export async function saveRateWait(pool: Pool, { at, key }: BudgetPlace, waitMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO rate_budget AS r (instance_id, key, open_at)
     VALUES ($1, $2, now() + $3 * interval '1 millisecond')
     ON CONFLICT (instance_id, key) DO UPDATE SET open_at = greatest(r.open_at, EXCLUDED.open_at)`,
    [at, key, waitMs],
  );
}
