/** Moments and durations of templates and time cursors: to the microsecond, with the distance from UTC they are written in. */
import { TemplateError } from "./errors.ts";

export class Moment {
  /** Milliseconds since 1970, and the microseconds beyond them. */
  readonly ms: number;
  readonly micros: number;
  /** Minutes east of UTC, as it was written; null where no zone was. */
  readonly offset: number | null;
  /** A day without a time. */
  readonly isDay: boolean;

  constructor(ms: number, options: { micros?: number; offset?: number | null; isDay?: boolean } = {}) {
    if (Number.isNaN(new Date(ms).getTime())) throw new TemplateError("A date lies outside the calendar");
    this.ms = Math.floor(ms);
    this.micros = options.micros ?? 0;
    this.offset = options.offset === undefined ? 0 : options.offset;
    this.isDay = options.isDay ?? false;
  }

  /** Its calendar, as it is written. */
  get local(): Date {
    return new Date(this.ms + (this.offset ?? 0) * 60_000);
  }

  plus(duration: Duration, sign: 1 | -1 = 1): Moment {
    const { months, ms, micros } = duration;
    const shifted = months === 0 ? this.ms : shiftMonths(this.local, months * sign) - (this.offset ?? 0) * 60_000;
    const total = this.micros + micros * sign;
    const carried = Math.floor(total / 1000);
    return new Moment(shifted + ms * sign + carried, {
      offset: this.offset,
      isDay: this.isDay,
      micros: total - carried * 1000,
    });
  }

  compare(other: Moment): number {
    return this.ms - other.ms || this.micros - other.micros;
  }

  /** UTC in ISO 8601, microseconds only where there are any. */
  toIso(): string {
    const iso = new Date(this.ms).toISOString();
    return this.micros === 0 ? iso : `${iso.slice(0, -1)}${String(this.micros).padStart(3, "0")}Z`;
  }
}

/** The same day of another month, or its last one. */
function shiftMonths(local: Date, months: number): number {
  const shifted = new Date(local);
  shifted.setUTCDate(1);
  shifted.setUTCMonth(local.getUTCMonth() + months);
  const last = new Date(Date.UTC(shifted.getUTCFullYear(), shifted.getUTCMonth() + 1, 0)).getUTCDate();
  shifted.setUTCDate(Math.min(local.getUTCDate(), last));
  return shifted.getTime();
}

export class Duration {
  readonly months: number;
  readonly ms: number;
  readonly micros: number;

  constructor(months: number, ms: number, micros = 0) {
    this.months = months;
    this.ms = ms;
    this.micros = micros;
  }

  get isPositive(): boolean {
    return this.months > 0 || this.ms > 0 || this.micros > 0;
  }

  get isZero(): boolean {
    return this.months === 0 && this.ms === 0 && this.micros === 0;
  }

  negated(): Duration {
    return new Duration(-this.months, -this.ms, -this.micros);
  }
}

const ISO_DURATION =
  /^(-)?P(?:([\d.]+)Y)?(?:([\d.]+)M)?(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/;
const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** ISO 8601: `P1D`, `PT0.000001S`, `P1M2W`. Months and years follow the calendar. */
export function parseDuration(text: string): Duration {
  const found = ISO_DURATION.exec(text.trim());
  if (!found || !/\d/.test(text)) throw new TemplateError(`"${text.slice(0, 50)}" is no duration such as P1D or PT1H`);
  const [, sign, ...parts] = found;
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) =>
    part === undefined ? 0 : Number(part),
  );
  const micros = Math.round((seconds % 1) * 1_000_000);
  const whole = weeks * 7 * DAY + days * DAY + hours * HOUR + minutes * MINUTE + Math.floor(seconds) * SECOND;
  const duration = new Duration(years * 12 + months, Math.round(whole) + Math.floor(micros / 1000), micros % 1000);
  if (![duration.months, duration.ms].every(Number.isSafeInteger))
    throw new TemplateError(`"${text.slice(0, 50)}" is no duration such as P1D or PT1H`);
  return sign ? duration.negated() : duration;
}

const ISO =
  /^([+-]?\d{4,6})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/i;

/** ISO 8601 as systems write it; null for anything else. */
export function parseIso(text: string): Moment | null {
  const found = ISO.exec(text.trim());
  if (!found) return null;
  const [, year, month, day, hour, minute = "0", second = "0", fraction = "", zone] = found;
  return momentOf({
    year: Number(year),
    month: Number(month),
    day: Number(day),
    hour: Number(hour ?? 0),
    minute: Number(minute),
    second: Number(second),
    micros: Number(fraction.slice(0, 6).padEnd(6, "0")),
    offset: zone === undefined ? null : parseOffset(zone),
    isDay: hour === undefined,
  });
}

export const parseOffset = (zone: string): number => {
  if (/^z$/i.test(zone)) return 0;
  const digits = zone.slice(1).replace(":", "").padEnd(4, "0");
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2, 4));
  return zone.startsWith("-") ? -minutes : minutes;
};

export interface MomentParts {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  micros: number;
  offset: number | null;
  isDay?: boolean;
}

/** null for a day or time that does not exist. */
export function momentOf(parts: MomentParts): Moment | null {
  const { year, month, day, hour, minute, second, micros, offset, isDay = false } = parts;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  if (hour > 23 || minute > 59 || second > 59) return null;
  const ms = date.getTime() + hour * HOUR + minute * MINUTE + second * SECOND + Math.floor(micros / 1000);
  return new Moment(ms - (offset ?? 0) * MINUTE, { micros: micros % 1000, offset, isDay });
}
