/** PostgreSQL's own messages between processes: NOTIFY at one end, LISTEN on a connection of its own at the other. */
import pg from "pg";
import type { Log } from "../log/log.ts";
import type { Pool } from "./db.ts";

/** PostgreSQL's limit for one message, in bytes, less some room. */
export const NOTIFY_LIMIT_BYTES = 7_900;
const PAUSE_MS = { first: 250, longest: 10_000 };

export async function notify(pool: Pool, channel: string, text: string): Promise<void> {
  await pool.query("SELECT pg_notify($1, $2)", [channel, text]);
}

export interface ListenOptions {
  url: string;
  channel: string;
  /** Shows in `pg_stat_activity`, to all roles: not the channel, which may be a secret. */
  name: string;
  log: Log;
  onMessage: (text: string) => void;
  /** The connection broke and is back: messages may have been missed. */
  onGap: () => void;
}

/** Listens until stopped, connecting again when the connection breaks. Resolves once it listens. */
export async function listen({
  url,
  channel,
  name,
  log,
  onMessage,
  onGap,
}: ListenOptions): Promise<() => Promise<void>> {
  let stopped = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString: url,
      application_name: `accord listen ${name}`,
      keepAlive: true,
    });
    fresh.on("notification", (message) => onMessage(message.payload ?? ""));
    fresh.on("error", (error) => log.warn({ err: error, name }, "LISTEN connection lost"));
    fresh.on("end", () => reconnect(PAUSE_MS.first));
    await fresh.connect();
    await fresh.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
    client = fresh;
  }

  function reconnect(pauseMs: number): void {
    if (stopped || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      connect().then(onGap, () => reconnect(Math.min(pauseMs * 2, PAUSE_MS.longest)));
    }, pauseMs);
    timer.unref();
  }

  await connect();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await client?.end();
  };
}
