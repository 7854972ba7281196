/** When each system takes calls again, shared by all processes. Times as durations, so that clocks need not agree. */
import type { Id } from "@accord/contracts";
import type { Pool } from "../../../platform/db/db.ts";

/** Milliseconds until the system takes calls again; 0 when it does. */
export async function readRateWait(pool: Pool, at: Id<"instance">, connectorId: string): Promise<number> {
  const { rows } = await pool.query({
    name: "connector-rate-wait",
    text: `SELECT greatest(0, extract(epoch FROM open_at - now()) * 1000)::float8 AS wait FROM connector_rate
           WHERE instance_id = $1 AND connector_id = $2`,
    values: [at, connectorId],
  });
  return Math.ceil(Number(rows[0]?.wait ?? 0));
}

/** Remembers that the system takes no calls for `waitMs`; never shortens what was said before. */
export async function saveRateWait(pool: Pool, at: Id<"instance">, connectorId: string, waitMs: number): Promise<void> {
  await pool.query(
    `INSERT INTO connector_rate AS r (instance_id, connector_id, open_at)
     VALUES ($1, $2, now() + $3 * interval '1 millisecond')
     ON CONFLICT (instance_id, connector_id) DO UPDATE SET open_at = greatest(r.open_at, EXCLUDED.open_at)`,
    [at, connectorId, waitMs],
  );
}
