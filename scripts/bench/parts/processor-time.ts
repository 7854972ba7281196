/** Processor seconds that a piece of work took here and in PostgreSQL: they say on a busy machine what seconds hide. */
import { readFileSync } from "node:fs";
import type { Pool } from "../../../apps/server/src/platform/db/db.ts";

export interface ProcessorTime {
  /** Seconds, user and system. */
  process: number;
  /** Of all backends of the database that live at both ends; 0 where /proc can't be read. */
  postgres: number;
}

export async function processorTimed<Result>(
  pool: Pool,
  work: () => Promise<Result>,
): Promise<{ result: Result; time: ProcessorTime }> {
  const before = await readings(pool);
  const result = await work();
  const after = await readings(pool);
  const time = { process: after.process - before.process, postgres: 0 };
  for (const [pid, seconds] of after.backends) time.postgres += seconds - (before.backends.get(pid) ?? 0);
  return { result, time };
}

async function readings(pool: Pool): Promise<{ process: number; backends: Map<number, number> }> {
  const { rows } = await pool.query("SELECT pid FROM pg_stat_activity WHERE datname = current_database()");
  const { user, system } = process.cpuUsage();
  return {
    process: (user + system) / 1e6,
    backends: new Map(rows.map(({ pid }) => [pid, secondsOf(pid)])),
  };
}

/** Linux counts in hundredths of a second. */
const TICKS = 100;

function secondsOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) / TICKS;
  } catch {
    return 0;
  }
}
