/** What shows without reading a table that it may have changed, and the moment from which on its changes are news. */
import { ConnectorError } from "@accord/connector-sdk";
import { z } from "zod";
import type { MysqlClient } from "../client.ts";
import type { MysqlConfig } from "../config.ts";
import { PERMISSION, serverErrorOf } from "../errors.ts";

export const Mark = z.object({
  /** Everything stamped before this moment (UTC, whole seconds) has been read, but for what is committed late. */
  time: z.string(),
  /** When the table was last changed, by its engine; null where that is not known, or too fresh to be relied on. */
  updated: z.string().nullable(),
  /** Which server that was, and which table: others have other times. */
  origin: z.string(),
  /** Definitions of the columns. */
  shape: z.string(),
  /** When all rows that were to be looked for were last looked for, milliseconds. */
  lookedAtMs: z.number(),
});
export type Mark = z.infer<typeof Mark>;

export interface Activity {
  mark: Omit<Mark, "shape" | "lookedAtMs">;
  /** Bytes of its rows; null for views. */
  size: number | null;
}

const TABLE = `
  SELECT TABLE_NAME, ENGINE, DATE_FORMAT(UPDATE_TIME, '%Y-%m-%d %H:%i:%s'), DATA_LENGTH,
         DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:%i:%s'), CONCAT_WS('/', @@hostname, @@port, @@server_id),
         DATE_FORMAT(CREATE_TIME, '%Y-%m-%d %H:%i:%s')
  FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND TABLE_NAME = ?`;

/**
 * Needs the right PROCESS. The oldest open transaction that has written or is at work, and how many of those that are open
 * began in the second of the table's last change. Their times are those of the server's system, whatever its zone is.
 */
const TRANSACTIONS = `
  SELECT DATE_FORMAT(MIN(CASE WHEN trx_rows_modified > 0 OR trx_query IS NOT NULL THEN began END), '%Y-%m-%d %H:%i:%s'),
         SUM(ABS(TIMESTAMPDIFF(SECOND, began, ?)) <= 1) > 0
  FROM (SELECT CONVERT_TZ(trx_started, 'SYSTEM', '+00:00') began, trx_rows_modified, trx_query
        FROM information_schema.INNODB_TRX) open`;

interface OpenTransactions {
  oldest: string | null;
  /** One of them may leave the table with the same time of change. */
  isOfLastChange: boolean;
}

/** Servers on which this user may not ask, as long as the connection is used. */
const mayNotAsk = new WeakSet<MysqlClient>();

/** null where this user may not see them. */
async function openTransactions(
  client: MysqlClient,
  updated: string | null,
  signal?: AbortSignal,
): Promise<OpenTransactions | null> {
  if (mayNotAsk.has(client)) return null;
  try {
    const [row] = await client.query(TRANSACTIONS, [updated], signal);
    return { oldest: row?.[0] ?? null, isOfLastChange: row?.[1] === "1" };
  } catch (error) {
    if (!(error instanceof ConnectorError) || !PERMISSION.has(serverErrorOf(error)?.errno ?? 0)) throw error;
    mayNotAsk.add(client);
    return null;
  }
}

/** The table as it is now. What is read from now on shows all that its mark calls read. */
export async function activityOf(
  client: MysqlClient,
  config: MysqlConfig,
  table: string,
  signal?: AbortSignal,
): Promise<Activity> {
  const found = await client.query(TABLE, [config.database, table], signal);
  const row = found.find(([name]) => name === table);
  if (!row)
    throw new ConnectorError("schemaChanged", `The table ${table} is gone.`, {
      hint: "Refresh the connector's schema, or take it out of the pipeline.",
    });
  const [, engine, updated = null, size, clock, server, created] = row;
  const now = clock ?? "";
  const open = await openTransactions(client, updated, signal);
  const oldest = open?.oldest ?? now;
  const isKnown = engine?.toLowerCase() === "innodb" && updated !== null && isSettled(updated, now, open, config);
  return {
    mark: {
      // A transaction that began before stamps its rows by the moment of its statements, none of which is earlier.
      time: oldest < now ? oldest : now,
      updated: isKnown ? updated : null,
      origin: `${server} ${created ?? ""}`,
    },
    size: engine && size ? Number(size) : null,
  };
}

/** Commits and their times become visible one right after the other. */
const SETTLING_SECONDS = 2;

/**
 * MariaDB stamps a table with the second in which the transaction that changed it began: of two that began in the same one,
 * the later commit does not show. So a stamp counts only once no transaction of that second is open; where these may not
 * be seen, it counts when it is as old as changes may be late.
 */
function isSettled(updated: string, now: string, open: OpenTransactions | null, config: MysqlConfig): boolean {
  if (open) return updated < secondsBefore(now, SETTLING_SECONDS) && !open.isOfLastChange;
  return updated < secondsBefore(now, Math.max(SETTLING_SECONDS, config.overlapSeconds));
}

/** `2024-01-31 10:20:30`, in UTC, some seconds earlier. */
export const secondsBefore = (moment: string, seconds: number): string =>
  new Date(Date.parse(`${moment.replace(" ", "T")}Z`) - seconds * 1000).toISOString().slice(0, 19).replace("T", " ");
