/** When a source is read: each minute, at an interval, or by a cron expression in a time zone. */
import { z } from "zod";

export const SCHEDULE_UNITS = ["seconds", "minutes", "hours", "days", "months"] as const;

/** An interval counts from the last reading. Cron has 6 fields (seconds first) or 5 (at second 0). */
export const SourceSchedule = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("minute") }),
  z.strictObject({ kind: z.literal("interval"), every: z.int().min(1).max(1000), unit: z.enum(SCHEDULE_UNITS) }),
  z.strictObject({
    kind: z.literal("cron"),
    expression: z.string().trim().min(1, "is required").max(200),
    /** IANA name. */
    timeZone: z.string().max(60).default("UTC"),
  }),
]);
export type SourceSchedule = z.output<typeof SourceSchedule>;
