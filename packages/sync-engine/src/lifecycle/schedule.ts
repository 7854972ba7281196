/** When a source has its next turn. Times in UTC milliseconds; time zones by the change of clocks they really have. */
import { nodeSettings } from "@accord/contracts/messages/en/sync/run/node-settings";
import { fill } from "@accord/contracts/messages/fill";
import type { SourceSchedule } from "@accord/contracts/sync/schedules";
import { isTimeZone } from "@accord/expressions";
import { Cron, type CronOptions } from "croner";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const FIXED = { seconds: SECOND, minutes: MINUTE, hours: HOUR, days: DAY } as const;

/**
 * The turn after a reading at `readAt`. Cron in a time zone: a time that a change of clocks skips comes right after it,
 * and one that it repeats counts once; steps and wildcards of the hour skip it, and count it twice. Never, for an
 * expression that can't be read: publishing refuses those.
 */
export function nextRunAt(schedule: SourceSchedule, readAt: number): number {
  switch (schedule.kind) {
    case "minute":
      return readAt + MINUTE;
    case "interval":
      return schedule.unit === "months"
        ? addMonths(readAt, schedule.every)
        : readAt + schedule.every * FIXED[schedule.unit];
    case "cron":
      return nextCron(schedule.expression, schedule.timeZone, readAt);
  }
}

/** What is wrong with a schedule; null when nothing is. */
export function scheduleProblem(schedule: SourceSchedule): string | null {
  if (schedule.kind !== "cron") return null;
  if (!isTimeZone(schedule.timeZone)) return fill(nodeSettings.scheduleZone, { zone: schedule.timeZone });
  return expressionProblem(schedule.expression);
}

/** The same day of a later month, or that month's last. */
function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const target = new Date(at);
  target.setUTCDate(1);
  target.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return target.getTime();
}

/** Expressions have been written with steps such as 5/10, for 5-59/10. Lists and ranges are met once by clocks that go back. */
const CRON: CronOptions = { paused: true, mode: "5-or-6-parts", sloppyRanges: true, fixedTimeRule: "no-wildcard" };

function nextCron(expression: string, timezone: string, after: number): number {
  try {
    return new Cron(expression, { ...CRON, timezone }).nextRun(new Date(after))?.getTime() ?? Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const FIELDS = Object.values(nodeSettings.cronFields);

/** What is wrong with a cron expression, by its field; null when nothing is. */
function expressionProblem(expression: string): string | null {
  const parts = expression.trim().split(/\s+/);
  const fields = parts.length === 5 ? ["0", ...parts] : parts;
  if (fields.length !== 6) return fill(nodeSettings.cronFieldCount, { fields: FIELDS.join(", ") });
  for (const [index, field] of fields.entries()) {
    const alone = fields.map((_, other) => (other === index ? field : "*")).join(" ");
    const reason = patternFault(alone);
    if (reason !== null) return fill(nodeSettings.cronField, { field: FIELDS[index], text: field, reason });
  }
  const reason = patternFault(expression);
  if (reason !== null) return reason;
  return nextCron(expression, "UTC", 0) < Number.POSITIVE_INFINITY ? null : nodeSettings.noSuchDay;
}

function patternFault(pattern: string): string | null {
  try {
    new Cron(pattern, CRON);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
  }
}
