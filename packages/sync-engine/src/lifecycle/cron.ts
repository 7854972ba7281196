/** Cron expressions: six fields with seconds (or five, at second 0), read strictly and matched against wall-clock time. */

/** What a cron expression allows, field by field. Days of the week: 0 is Sunday. */
export interface Cron {
  seconds: readonly number[];
  minutes: readonly number[];
  hours: readonly number[];
  days: ReadonlySet<number>;
  months: ReadonlySet<number>;
  weekdays: ReadonlySet<number>;
  /** Both days of the month and of the week are limited: either is enough, as cron has always had it. */
  isEitherDay: boolean;
  /** Runs in every hour: then an hour that a change of clocks repeats counts twice. */
  isEveryHour: boolean;
}

export type ParsedCron = { ok: true; cron: Cron } | { ok: false; problem: string };

interface FieldRule {
  name: string;
  min: number;
  max: number;
  names?: readonly string[];
}

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const WEEKDAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const FIELDS: readonly FieldRule[] = [
  { name: "seconds", min: 0, max: 59 },
  { name: "minutes", min: 0, max: 59 },
  { name: "hours", min: 0, max: 23 },
  { name: "day of the month", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, names: MONTHS },
  { name: "day of the week", min: 0, max: 7, names: WEEKDAYS },
];
/** Longest month each month can have: a 30th of February never comes. */
const LONGEST = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Reads an expression; the problem names the field and what it may hold. */
export function parseCron(expression: string): ParsedCron {
  const parts = expression.trim().split(/\s+/);
  const texts = parts.length === 5 ? ["0", ...parts] : parts;
  if (texts.length !== 6) {
    return { ok: false, problem: "has 6 fields: seconds, minutes, hours, day of the month, month, day of the week" };
  }
  const sets: number[][] = [];
  for (const [index, rule] of FIELDS.entries()) {
    const values = parseField(texts[index] ?? "", rule);
    if (typeof values === "string") return { ok: false, problem: values };
    sets.push(values);
  }
  const [seconds = [], minutes = [], hours = [], days = [], months = [], weekdays = []] = sets;
  const isAny = (text: string | undefined): boolean => text === "*" || text === "?";
  const isEitherDay = !isAny(texts[3]) && !isAny(texts[5]);
  const isPossible = isEitherDay || months.some((month) => days.some((day) => day <= (LONGEST[month - 1] ?? 0)));
  if (!isPossible) return { ok: false, problem: "names a day that none of its months has" };
  return {
    ok: true,
    cron: {
      seconds,
      minutes,
      hours,
      days: new Set(days),
      months: new Set(months),
      weekdays: new Set(weekdays.map((weekday) => weekday % 7)),
      isEitherDay,
      isEveryHour: hours.length === 24,
    },
  };
}

/** The values a field allows, ascending, or what is wrong with it. */
function parseField(text: string, rule: FieldRule): number[] | string {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const [, from, to, step] = /^(\*|\?|[0-9A-Za-z]+)(?:-([0-9A-Za-z]+))?(?:\/(\d+))?$/.exec(part) ?? [];
    if (from === undefined) return `${rule.name}: "${part}" is none of *, 5, 1-5, */10 or a list of those`;
    const isWild = from === "*" || from === "?";
    if (isWild && to !== undefined) return `${rule.name}: "${part}" has no range`;
    const first = isWild ? rule.min : numberOf(from, rule);
    const last = isWild ? rule.max : to !== undefined ? numberOf(to, rule) : step === undefined ? first : rule.max;
    if (first === null || last === null) return `${rule.name}: "${part}" is outside ${rule.min}–${rule.max}`;
    if (last < first) return `${rule.name}: "${part}" runs backwards`;
    const width = step === undefined ? 1 : Number(step);
    if (width < 1) return `${rule.name}: "${part}" has a step of 0`;
    for (let value = first; value <= last; value += width) found.add(value);
  }
  return [...found].sort((left, right) => left - right);
}

function numberOf(text: string, rule: FieldRule): number | null {
  const named = rule.names?.indexOf(text.toUpperCase()) ?? -1;
  const value = named >= 0 ? named + rule.min : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= rule.min && value <= rule.max ? value : null;
}

const DAY = 86_400_000;

/** First matching wall-clock time in [from, before); both, and the answer, as if UTC, milliseconds. null: none. */
export function nextMatch(cron: Cron, from: number, before: number): number | null {
  for (let day = Math.floor(from / DAY) * DAY; day < before; day += DAY) {
    if (!isDay(cron, day)) continue;
    for (const hour of cron.hours) {
      const hourAt = day + hour * 3_600_000;
      if (hourAt + 3_600_000 <= from) continue;
      for (const minute of cron.minutes) {
        const minuteAt = hourAt + minute * 60_000;
        if (minuteAt + 60_000 <= from) continue;
        for (const second of cron.seconds) {
          const at = minuteAt + second * 1000;
          if (at >= before) return null;
          if (at >= from) return at;
        }
      }
    }
  }
  return null;
}

function isDay(cron: Cron, day: number): boolean {
  const date = new Date(day);
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const [isDate, isWeekday] = [cron.days.has(date.getUTCDate()), cron.weekdays.has(date.getUTCDay())];
  return cron.isEitherDay ? isDate || isWeekday : isDate && isWeekday;
}
