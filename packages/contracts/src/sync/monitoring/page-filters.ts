/** What addresses of the log and of metrics may say: apart from their calls, since routes are part of the first screen. */
import { z } from "zod";

export const LOG_SEVERITIES = ["info", "warning", "error"] as const;
export const LogSeverity = z.enum(LOG_SEVERITIES);
export type LogSeverity = z.output<typeof LogSeverity>;

/**
 * `cycle`: one that has ended · `problem`: what it met, once per reason · `record`: a record that was quarantined ·
 * `action`: an action, log messages among them · `node`: records of a cycle that reached a node whose logging is on.
 */
export const LOG_KINDS = ["cycle", "problem", "record", "action", "node"] as const;
export const LogKind = z.enum(LOG_KINDS);
export type LogKind = z.output<typeof LogKind>;

/** What was done to a record. */
export const TRANSACTION_OPERATIONS = [
  "create",
  "update",
  "delete",
  "restore",
  "attach",
  "refuse",
  "write",
  "unlink",
  "merge",
] as const;
export const TransactionOperation = z.enum(TRANSACTION_OPERATIONS);

/** Up to now. */
export const PERIODS = ["1h", "24h", "7d"] as const;
export const Period = z.enum(PERIODS);
export type Period = z.output<typeof Period>;

const HOUR_MS = 3_600_000;
export const PERIOD_MS: Readonly<Record<Period, number>> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 7 * 24 * HOUR_MS,
};
