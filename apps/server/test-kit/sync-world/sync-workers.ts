/** Worker processes of the sync world: started, killed with -9, waited for; and what must be true once all is quiet. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import type { Pool } from "../../src/platform/db/db.ts";
import { contactsIn, editOutside, ENTITY, INSTANCE, SYSTEMS, type SystemName } from "./sync-world.ts";

const PROGRAM = new URL("../programs/sync-worker.ts", import.meta.url);

/** Worker processes of one test. */
export class Workers {
  readonly #dataUrl: string;
  readonly #options: readonly string[];
  readonly #alive = new Set<ChildProcess>();

  /** `options`: of the Node process. */
  constructor(dataUrl: string, options: readonly string[] = []) {
    this.#dataUrl = dataUrl;
    this.#options = options;
  }

  /** Resolves once it works. */
  async start(): Promise<ChildProcess> {
    const worker = fork(PROGRAM, [this.#dataUrl], {
      execArgv: [...this.#options],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#alive.add(worker);
    await Promise.race([once(worker, "message"), once(worker, "exit")]);
    return worker;
  }

  async kill(worker: ChildProcess): Promise<void> {
    this.#alive.delete(worker);
    if (worker.exitCode !== null || worker.signalCode !== null) return;
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
  }

  async killAll(): Promise<void> {
    for (const worker of this.#alive) await this.kill(worker);
  }
}

/** Ends the leases of workers that were killed: nobody waits half a minute in a test. */
export const endLeases = (pool: Pool): Promise<unknown> =>
  pool.query("UPDATE sync_pipeline SET lease_until = now() WHERE owner IS NOT NULL");

/** A contact as it stands in a system at first. */
export const insertContact = (pool: Pool, name: SystemName, email: string, by: string): Promise<void> =>
  editOutside(pool, name, "INSERT INTO $table (email, name, phone, note) VALUES ($1, $2, $3, $4)", [
    email,
    `${by} name`,
    `${by} phone`,
    `${by} note`,
  ]);

/** Renames a contact in a system, as a person does. */
export const renameContact = (pool: Pool, system: SystemName, email: string, name: string): Promise<void> =>
  editOutside(pool, system, "UPDATE $table SET name = $2, change = nextval('outside.change') WHERE email = $1", [
    email,
    name,
  ]);

export interface Counts {
  ledger: number;
  writes: number;
  /** When the last cycle ended: one that began, and broke off as its connections were gone, has not. */
  endedAt: string | null;
  outstanding: number;
}

export async function counts(pool: Pool): Promise<Counts> {
  const { rows } = await pool.query(
    `SELECT (SELECT count(*) FROM "i_${INSTANCE}".ledger)::int AS ledger,
            (SELECT coalesce(sum(writes), 0) FROM (SELECT writes FROM outside.a UNION ALL SELECT writes FROM outside.b) w)::int
              + (SELECT count(key) FROM (SELECT key FROM outside.a UNION ALL SELECT key FROM outside.b) k)::int AS writes,
            (SELECT max(last_finished_at) FROM sync_pipeline)::text AS "endedAt",
            (SELECT count(*) FROM "i_${INSTANCE}".delivery WHERE NOT parked)::int AS outstanding`,
  );
  return rows[0];
}

/**
 * Until `cycles` cycles in a row changed nothing; wakes the workers again and again. Fails when about two minutes have
 * brought nothing new: how long a load takes depends on the machine.
 */
export async function settled(pool: Pool, cycles: number): Promise<Counts> {
  let last = await counts(pool);
  let before = last;
  const quiet = new Set<string | null>();
  for (let tries = 0; tries < 600; tries += 1) {
    const now = await counts(pool);
    if (!isDeepStrictEqual({ ...now, endedAt: null }, { ...before, endedAt: null })) tries = 0;
    before = now;
    const isSame = now.ledger === last.ledger && now.writes === last.writes && now.outstanding === 0;
    if (!isSame) {
      last = now;
      quiet.clear();
    }
    quiet.add(now.endedAt);
    // The first one is where the counting began.
    if (isSame && quiet.size > cycles) return last;
    await pool.query("UPDATE sync_pipeline SET poked = true, due_at = now() WHERE pipeline_id = $1", [ENTITY]);
    await pool.query("NOTIFY accord_sync");
    await sleep(200);
  }
  throw new Error(`did not come to rest: ${JSON.stringify(await counts(pool))}`);
}

/** The contacts on which the core and every system agree. Throws where they differ. */
export async function converged(pool: Pool): Promise<Map<string, string>> {
  const core = await contactsIn(pool, "core");
  for (const name of SYSTEMS) {
    const there = await contactsIn(pool, name);
    for (const email of new Set([...core.keys(), ...there.keys()])) {
      if (core.get(email) !== there.get(email)) {
        throw new Error(`${email} is ${core.get(email)} in the core and ${there.get(email)} in ${name}`);
      }
    }
  }
  return core;
}

/** What the ledger has in excess or lacks: each change must begin with what the one before it ended with. */
export async function ledgerFaults(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT record_id, operation, changes FROM "i_${INSTANCE}".ledger WHERE operation <> 'write' ORDER BY number`,
  );
  const current = new Map<string, string>();
  const faults: string[] = [];
  for (const { record_id: recordId, changes } of rows) {
    for (const [field, [from, to]] of Object.entries<[unknown, unknown]>(changes)) {
      const key = `${recordId}.${field}`;
      const before = current.get(key) ?? "null";
      if (before !== JSON.stringify(from)) faults.push(`${key}: ${before} was followed by ${JSON.stringify(from)}`);
      current.set(key, JSON.stringify(to));
    }
  }
  return faults;
}
