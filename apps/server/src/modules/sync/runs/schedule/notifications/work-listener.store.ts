/** Hears when another process, or this one, says that a pipeline is due. */
import type { PoolClient } from "pg";
import type { Pool } from "../../../../../platform/db/db.ts";
import type { Log } from "../../../../../platform/log/log.ts";
import { WAKE_CHANNEL } from "../cycle-requests.store.ts";

const RECONNECT_MS = 1_000;

/** Keeps one connection of the pool listening; a broken one is replaced. Work is polled for as well. */
export async function listenForWork(pool: Pool, log: Log, onWake: () => void): Promise<() => Promise<void>> {
  let isStopped = false;
  let client: PoolClient | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    if (isStopped) return;
    try {
      const fresh = await pool.connect();
      client = fresh;
      fresh.on("notification", onWake);
      fresh.once("end", () => again(fresh));
      await fresh.query(`LISTEN ${WAKE_CHANNEL}`);
    } catch (error) {
      log.warn({ err: error }, "listening for due pipelines failed");
      again(client);
    }
  }

  function again(broken: PoolClient | undefined): void {
    if (broken && broken === client) {
      client = undefined;
      broken.removeListener("notification", onWake);
      broken.release(true);
    }
    if (isStopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      void connect();
    }, RECONNECT_MS);
  }

  await connect();
  return async () => {
    isStopped = true;
    clearTimeout(timer);
    client?.removeAllListeners("end");
    client?.release(true);
  };
}
