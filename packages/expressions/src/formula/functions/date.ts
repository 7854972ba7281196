/** Date functions. A date-time is taken apart and moved by the clock of the instance's time zone. */
import { bounded } from "./bounded.ts";
import { fixedSql, sql, type SqlFragment } from "../../sql/fragment.ts";
import {
  addUnits,
  type DateUnit as Unit,
  isoDayOfWeek,
  isoWeekOf,
  MONTHS_IN as MONTHS,
  msOfUnit as msOf,
  startOfUnit,
} from "../../values/calendar.ts";
import { readPattern, writePattern } from "../../values/date-pattern.ts";
import { dayByFormSql, postgresPattern, parseByFormat } from "../date-forms.ts";
import { DAY_MS, dayOfMoment, fromZonedTime, startOfDay, toZonedTime } from "../../values/time.ts";
import type { FormulaEnv, FormulaFunction, FormulaType, Operand } from "../types.ts";

type Spec = Omit<FormulaFunction, "category">;
const date = (spec: Spec): FormulaFunction => ({ ...spec, category: "date" });

const wallOf = (value: Operand, type: FormulaType | undefined, { timeZone }: FormulaEnv): number =>
  type === "date" ? Number(value) * DAY_MS : toZonedTime(Number(value), timeZone);
const fromWall = (wall: number, type: FormulaType | undefined, { timeZone }: FormulaEnv): number =>
  type === "date" ? Math.floor(wall / DAY_MS) : fromZonedTime(wall, timeZone);

/** The wall clock as a timestamp without zone. */
const wallSql = (value: SqlFragment, type: FormulaType | undefined, { timeZone }: FormulaEnv): SqlFragment =>
  type === "date" ? sql`${value}::timestamp` : sql`(${value} AT TIME ZONE ${timeZone}::text)`;
const fromWallSql = (wall: SqlFragment, type: FormulaType | undefined, { timeZone }: FormulaEnv): SqlFragment =>
  type === "date" ? sql`(${wall})::date` : sql`((${wall}) AT TIME ZONE ${timeZone}::text)`;

function part(name: string, help: string, read: (at: Date) => number, field: string): FormulaFunction {
  return date({
    name,
    signature: `${name}(date)`,
    help,
    parameters: ["time"],
    returns: "integer",
    memory: ([value], env, [type]) => String(read(new Date(wallOf(value, type, env)))),
    sql: ([value], env, [type]) => sql`extract(${fixedSql(field)} FROM ${wallSql(value, type, env)})::integer`,
  });
}

const IN_UNIT: Readonly<Record<Unit, string>> = {
  second: "secs",
  minute: "mins",
  hour: "hours",
  day: "days",
  week: "weeks",
  month: "months",
  quarter: "months",
  year: "years",
};
const isClock = (unit: Unit): boolean => unit === "second" || unit === "minute" || unit === "hour";
/** About 4,000 years in each unit: further than any calendar entry, and within what PostgreSQL can hold. */
const MOST: Readonly<Record<Unit, number>> = {
  second: 126_000_000_000,
  minute: 2_100_000_000,
  hour: 35_000_000,
  day: 1_460_000,
  week: 208_000,
  month: 48_000,
  quarter: 16_000,
  year: 4_000,
};
const limited = (amount: Operand, unit: Unit): number => Math.min(MOST[unit], Math.max(-MOST[unit], Number(amount)));
const amountSql = (amount: SqlFragment, unit: Unit): SqlFragment =>
  sql`make_interval(${fixedSql(IN_UNIT[unit])} => (${bounded(amount, -MOST[unit], MOST[unit])}${fixedSql(unit === "quarter" ? " * 3" : "")})::${fixedSql(unit === "second" ? "double precision" : "integer")})`;

export const DATE_FUNCTIONS: readonly FormulaFunction[] = [
  date({
    name: "now",
    signature: "now()",
    help: "The present moment.",
    parameters: [],
    returns: "datetime",
    memory: (_args, { now }) => now,
    sql: (_args, { now }) => sql`${new Date(now).toISOString()}::timestamptz`,
  }),
  date({
    name: "today",
    signature: "today()",
    help: "The present day in the instance's time zone.",
    parameters: [],
    returns: "date",
    memory: (_args, { now, timeZone }) => dayOfMoment(now, timeZone),
    sql: (_args, { now, timeZone }) =>
      sql`${new Date(dayOfMoment(now, timeZone) * DAY_MS).toISOString().slice(0, 10)}::date`,
  }),
  date({
    name: "date_trunc",
    signature: "date_trunc('unit', date)",
    help: "The beginning of the second, minute, hour, day, week, month, quarter or year.",
    parameters: ["unit", "time"],
    returns: ([, type]) => type,
    memory: ([unit, value], env, [, type]) => fromWall(startOfUnit(wallOf(value, type, env), unit as Unit), type, env),
    sql: ([, value], env, [, type], [unit]) =>
      fromWallSql(sql`date_trunc(${unit}::text, ${wallSql(value, type, env)})`, type, env),
  }),
  date({
    name: "date_add",
    signature: "date_add(date, amount, 'unit')",
    help: "A date moved forward, or back by a negative amount.",
    parameters: ["time", "integer", "unit"],
    returns: ([type]) => type,
    memory: ([value, amount, unit], env, [type]) => {
      const by = limited(amount, unit as Unit);
      if (type === "datetime" && isClock(unit as Unit)) return Number(value) + by * msOf(unit as Unit);
      return fromWall(addUnits(wallOf(value, type, env), by, unit as Unit), type, env);
    },
    sql: ([value, amount], env, [type], [, , unit]) =>
      type === "datetime" && isClock(unit as Unit)
        ? sql`(${value} + ${amountSql(amount, unit as Unit)})`
        : fromWallSql(sql`${wallSql(value, type, env)} + ${amountSql(amount, unit as Unit)}`, type, env),
  }),
  date({
    name: "date_diff",
    signature: "date_diff('unit', from, to)",
    help: "How many beginnings of a unit lie between two dates: from 31 December to 1 January is one year.",
    parameters: ["unit", "time", "time"],
    returns: "integer",
    memory: ([unit, from, to], env, [, fromType, toType]) => {
      const [first, last] = [
        startOfUnit(wallOf(from, fromType, env), unit as Unit),
        startOfUnit(wallOf(to, toType, env), unit as Unit),
      ];
      const months = MONTHS[unit as Unit];
      if (months === undefined) return String((last - first) / msOf(unit as Unit) + 0);
      const [a, b] = [new Date(first), new Date(last)];
      return String(((b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth()) / months + 0);
    },
    sql: ([, from, to], env, [, fromType, toType], [unit]) => {
      const first = sql`date_trunc(${unit}::text, ${wallSql(from, fromType, env)})`;
      const last = sql`date_trunc(${unit}::text, ${wallSql(to, toType, env)})`;
      const months = MONTHS[unit as Unit];
      if (months === undefined)
        return sql`(extract(epoch FROM ${last} - ${first}) * 1000 / ${msOf(unit as Unit)}::numeric)::bigint`;
      return sql`(((extract(year FROM ${last}) - extract(year FROM ${first})) * 12 + extract(month FROM ${last}) - extract(month FROM ${first})) / ${months}::numeric)::bigint`;
    },
  }),
  date({
    name: "to_timezone",
    signature: "to_timezone(datetime, 'zone')",
    help: "The date-time moved so that its clock shows what a clock in that zone shows.",
    parameters: ["time", "zone"],
    returns: "datetime",
    memory: ([value, zone], env, [type]) =>
      fromZonedTime(
        toZonedTime(type === "date" ? startOfDay(Number(value), env.timeZone) : Number(value), String(zone)),
        env.timeZone,
      ),
    sql: ([value], { timeZone }, [type], [, zone]) => {
      const moment = type === "date" ? sql`(${value}::timestamp AT TIME ZONE ${timeZone}::text)` : value;
      return sql`((${moment} AT TIME ZONE ${zone}::text) AT TIME ZONE ${timeZone}::text)`;
    },
  }),
  date({
    name: "format_date",
    signature: "format_date(date, 'form')",
    help: "A date as text, by a form such as 'dd.MM.yyyy HH:mm'; names are English.",
    parameters: ["time", "format"],
    returns: "text",
    memory: ([value, form], env, [type]) => writePattern(readPattern(String(form)) ?? [], wallOf(value, type, env)),
    sql: ([value], env, [type], [, form]) => sql`to_char(${wallSql(value, type, env)}, ${postgresPattern(form)}::text)`,
  }),
  date({
    name: "parse_date",
    signature: "parse_date(text, 'form')",
    help: "A text as a date, by a form of yyyy, MM or M and dd or d; null where it does not fit, or there is no such day.",
    parameters: ["text", "dayForm"],
    returns: "date",
    memory: ([value, form]) => parseByFormat(String(value), String(form)),
    sql: ([value], _env, _types, [, form]) => dayByFormSql(value, form),
  }),
  part("year", "The year.", (at) => at.getUTCFullYear(), "year"),
  part("quarter", "The quarter, 1 to 4.", (at) => Math.floor(at.getUTCMonth() / 3) + 1, "quarter"),
  part("month", "The month, 1 to 12.", (at) => at.getUTCMonth() + 1, "month"),
  part("week", "The ISO week, 1 to 53.", (at) => isoWeekOf(Math.floor(at.getTime() / DAY_MS)), "week"),
  part("day", "The day of the month, 1 to 31.", (at) => at.getUTCDate(), "day"),
  part(
    "day_of_week",
    "The day of the week: Monday is 1, Sunday 7.",
    (at) => isoDayOfWeek(Math.floor(at.getTime() / DAY_MS)),
    "isodow",
  ),
  part("hour", "The hour, 0 to 23.", (at) => at.getUTCHours(), "hour"),
];
