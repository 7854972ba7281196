/** The functions that templates may call, as the low-code documentation describes them. */
import { spend } from "./budget.ts";
import { TemplateError } from "./errors.ts";
import { formatMoment, parseMoment } from "./moment-format.ts";
import { Moment, parseDuration, parseIso } from "./moments.ts";
import { compareItems, isList, kindOf, textOf, type Callable, type Item } from "./values.ts";

const DEFAULT_FORMAT = "%Y-%m-%dT%H:%M:%S.%f%z";
/** Longest list that `range` makes. */
const MAX_RANGE = 10_000;

/** Text in ISO 8601, a number of seconds since 1970, or a moment as it is; without a zone UTC is meant. */
export function momentFrom(item: Item, format?: string): Moment {
  if (item instanceof Moment) return item;
  if (typeof item === "number" && format === undefined) return parsed(String(item), "%s") ?? new Moment(item * 1000);
  const text = typeof item === "string" ? item : typeof item === "number" ? String(item) : "";
  const moment = format === undefined ? parseIso(text) : parsed(text, format);
  if (moment) return moment.offset === null ? new Moment(moment.ms, { micros: moment.micros }) : moment;
  throw new TemplateError(
    `${kindOf(item)} is no date and time${format === undefined ? "" : ` of the format ${format}`}`,
  );
}

const parsed = (text: string, format: string): Moment | null => parseMoment(text, format);

const extreme =
  (sign: 1 | -1): Callable =>
  (args) => {
    const [first] = args;
    const items = args.length === 1 && isList(first) ? first : args;
    if (items.length === 0) throw new TemplateError("max and min need a value");
    return items.reduce((best, item) => (compareItems(item, best) * sign > 0 ? item : best));
  };

function range(args: Item[]): Item {
  const [from, to, step] = args.length === 1 ? [0, args[0], 1] : [args[0], args[1], args[2] ?? 1];
  if (typeof from !== "number" || typeof to !== "number" || typeof step !== "number" || step === 0)
    throw new TemplateError("range takes numbers");
  const size = Math.max(0, Math.ceil((to - from) / step));
  if (size > MAX_RANGE) throw new TemplateError(`range makes ${MAX_RANGE} numbers at most`);
  spend(size);
  return Array.from({ length: size }, (_, index) => from + index * step);
}

const sanitized = (url: string): string =>
  encodeURIComponent(url).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** `now`: the time that templates take for the present. */
export function macrosAt(now: () => Date): Readonly<Record<string, Callable>> {
  const present = (): Moment => new Moment(now().getTime());
  return {
    now_utc: present,
    today_utc: () => new Moment(Math.floor(now().getTime() / 86_400_000) * 86_400_000, { offset: null, isDay: true }),
    timestamp: ([item]) => {
      if (typeof item === "number") return Math.trunc(item);
      return Math.floor(momentFrom(item).ms / 1000);
    },
    max: extreme(1),
    min: extreme(-1),
    day_delta: ([days, format], named) => {
      const wanted = format ?? named.get("format") ?? DEFAULT_FORMAT;
      const shifted = new Moment(present().ms + Number(days ?? named.get("num_days")) * 86_400_000);
      return formatMoment(shifted, textOf(wanted));
    },
    duration: ([text]) => parseDuration(textOf(text)),
    format_datetime: ([item, format, inputFormat], named) => {
      const input = inputFormat ?? named.get("input_format");
      const moment = momentFrom(item, input === undefined || input === null ? undefined : textOf(input));
      return formatMoment(moment, textOf(format ?? named.get("format")));
    },
    str_to_datetime: ([item]) => momentFrom(item),
    range: (args) => range(args),
    sanitize_url: ([url]) => sanitized(textOf(url)),
    camel_case_to_snake_case: ([text]) =>
      textOf(text)
        .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
        .toLowerCase(),
  };
}

export const MACRO_NAMES: ReadonlySet<string> = new Set(Object.keys(macrosAt(() => new Date(0))));
