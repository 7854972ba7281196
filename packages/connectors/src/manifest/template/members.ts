/** Members and methods of the values in templates: what is listed here can be reached, and nothing else. */
import { spend } from "./budget.ts";
import { MissingValueError, TemplateError } from "./errors.ts";
import { formatMoment } from "./moment-format.ts";
import { Duration, Moment } from "./moments.ts";
import { contains } from "./operators.ts";
import {
  isDictionary,
  isList,
  kindOf,
  limited,
  MAX_TEXT,
  Method,
  spendOn,
  textOf,
  type Callable,
  type Dictionary,
  type Item,
} from "./values.ts";

const text = (item: Item): string => {
  if (typeof item === "string") return item;
  throw new TemplateError(`A text is expected, not ${kindOf(item)}`);
};
const number = (item: Item): number => {
  if (typeof item === "number") return item;
  throw new TemplateError(`A number is expected, not ${kindOf(item)}`);
};
const whole = (item: Item): number => {
  if (typeof item === "number" && Number.isInteger(item)) return item;
  throw new TemplateError(`A whole number is expected, not ${typeof item === "number" ? item : kindOf(item)}`);
};

type Methods<Of> = Readonly<Record<string, (of: Of, args: Item[], named: ReadonlyMap<string, Item>) => Item>>;

const trimmer =
  (start: boolean, end: boolean) =>
  (of: string, [marks]: Item[]): string => {
    const set = marks === undefined || marks === null ? null : new Set(text(marks));
    const isTrimmed = (unit: string): boolean => (set === null ? /\s/.test(unit) : set.has(unit));
    let [from, to] = [0, of.length];
    while (start && from < to && isTrimmed(of.charAt(from))) from += 1;
    while (end && to > from && isTrimmed(of.charAt(to - 1))) to -= 1;
    return of.slice(from, to);
  };

function split(of: string, [mark, most]: Item[]): Item {
  const limit = most === undefined ? -1 : number(most);
  const isSpaces = mark === undefined || mark === null;
  const words = isSpaces ? of.trim().split(/\s+/).filter(Boolean) : of.split(text(mark));
  if (limit < 0 || words.length <= limit + 1) return words;
  return [...words.slice(0, limit), words.slice(limit).join(isSpaces ? " " : text(mark))];
}

const starts =
  (test: (of: string, part: string) => boolean) =>
  (of: string, [part]: Item[]): boolean =>
    isList(part) ? part.some((one) => test(of, text(one))) : test(of, text(part));

export const titled = (of: string): string =>
  of.toLowerCase().replace(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
export const capitalized = (of: string): string => of.charAt(0).toUpperCase() + of.slice(1).toLowerCase();

export function replaced(of: string, [from, to, most]: Item[]): string {
  const [parts, limit] = [of.split(text(from)), most === undefined || most === null ? Infinity : number(most)];
  const times = Math.min(parts.length - 1, limit);
  if (of.length + times * (text(to).length - text(from).length) > MAX_TEXT)
    throw new TemplateError("A template made a text that is too long");
  const result =
    parts.length - 1 <= limit
      ? parts.join(text(to))
      : [parts.slice(0, limit + 1).join(text(to)), ...parts.slice(limit + 1)].join(text(from));
  return limited(result);
}

const TEXT: Methods<string> = {
  lower: (of) => of.toLowerCase(),
  upper: (of) => of.toUpperCase(),
  title: titled,
  capitalize: capitalized,
  strip: trimmer(true, true),
  lstrip: trimmer(true, false),
  rstrip: trimmer(false, true),
  split,
  replace: replaced,
  startswith: starts((of, part) => of.startsWith(part)),
  endswith: starts((of, part) => of.endsWith(part)),
  removeprefix: (of, [part]) => (of.startsWith(text(part)) ? of.slice(text(part).length) : of),
  removesuffix: (of, [part]) => (of.endsWith(text(part)) ? of.slice(0, of.length - text(part).length) : of),
  find: (of, [part]) => of.indexOf(text(part)),
  count: (of, [part]) => of.split(text(part)).length - 1,
  isdigit: (of) => /^\d+$/.test(of),
  isnumeric: (of) => /^\d+$/.test(of),
  zfill: (of, [width]) => of.padStart(Math.min(number(width), 1_000), "0"),
  join: (of, [items]) => (isList(items) ? joinedBy(of, items.map(text)) : text(items)),
  format: (of, args, named) => formatted(of, args, named),
};

/** How long it gets is known before it is made. */
export function joinedBy(mark: string, parts: readonly string[]): string {
  const length = parts.reduce((sum, part) => sum + part.length, mark.length * Math.max(0, parts.length - 1));
  if (length > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
  return limited(parts.join(mark));
}

/** `{}`, `{0}` and `{name}`; format specifications are not known. */
function formatted(of: string, args: Item[], named: ReadonlyMap<string, Item>): string {
  let [next, made] = [0, of.length];
  return of.replace(/\{\{|\}\}|\{([^{}]*)\}/g, (found, key?: string) => {
    if (key === undefined) return found.charAt(0);
    if (!/^\w*$/.test(key)) throw new TemplateError(`${found} in a format is not known`);
    const item = key === "" ? args[next] : /^\d+$/.test(key) ? args[Number(key)] : named.get(key);
    if (key === "") next += 1;
    const part = textOf(item);
    made += part.length;
    if (made > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
    return part;
  });
}

const DICTIONARY: Methods<Dictionary> = {
  get: (of, [key, missing]) => (contains(of, key) ? of.get(text(key)) : (missing ?? null)),
  keys: (of) => [...of.keys()],
  values: (of) => [...of.values()],
  items: (of) => [...of],
};

const LIST: Methods<readonly Item[]> = {
  index: (of, [item]) => of.findIndex((one) => one === item),
  count: (of, [item]) => of.filter((one) => one === item).length,
};

const MOMENT: Methods<Moment> = {
  strftime: (of, [format]) => formatMoment(of, text(format)),
  isoformat: (of) => textOf(of).replace(" ", "T"),
  timestamp: ({ ms, micros }) => ms / 1000 + micros / 1_000_000,
  date: (of) =>
    new Moment(of.ms - (((of.ms % 86_400_000) + 86_400_000) % 86_400_000), { offset: of.offset, isDay: true }),
  weekday: ({ local }) => (local.getUTCDay() + 6) % 7,
  isoweekday: ({ local }) => local.getUTCDay() || 7,
};
const MOMENT_PARTS: Readonly<Record<string, (of: Moment) => number>> = {
  year: ({ local }) => local.getUTCFullYear(),
  month: ({ local }) => local.getUTCMonth() + 1,
  day: ({ local }) => local.getUTCDate(),
  hour: ({ local }) => local.getUTCHours(),
  minute: ({ local }) => local.getUTCMinutes(),
  second: ({ local }) => local.getUTCSeconds(),
};

const DURATION: Methods<Duration> = {
  total_seconds: ({ ms, micros }) => ms / 1000 + micros / 1_000_000,
};
const DURATION_PARTS: Readonly<Record<string, (of: Duration) => number>> = {
  days: ({ ms }) => Math.floor(ms / 86_400_000),
  seconds: ({ ms }) => Math.floor((ms - Math.floor(ms / 86_400_000) * 86_400_000) / 1000),
};

const own = <Found>(table: Readonly<Record<string, Found>>, name: string): Found | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** `cost`: the work of going through what it is a method of. */
function methodOf<Of>(methods: Methods<Of>, of: Of, name: string, cost = 1): Item {
  const method = own(methods, name);
  if (!method) return undefined;
  const call: Callable = (args, named) => {
    spend(cost);
    return method(of, args, named);
  };
  return new Method(call);
}

/** `a.name` and `a["name"]`; `isAttribute` says which: a key of a dictionary goes before its method in brackets only. */
export function memberOf(of: Item, key: Item, isAttribute: boolean): Item {
  if (of === undefined) throw new MissingValueError(`${String(key)} of nothing`);
  if (isDictionary(of)) {
    if (typeof key !== "string") return of.get(textOf(key));
    // As the environment of low-code manifests does: keys of data are found by a dot as well, methods before them.
    const method = isAttribute ? methodOf(DICTIONARY, of, key, key === "get" ? 1 : 1 + of.size) : undefined;
    return method ?? of.get(key);
  }
  if (typeof key === "number") return isList(of) ? of.at(key) : typeof of === "string" ? of.at(key) : undefined;
  if (typeof key !== "string") return undefined;
  if (typeof of === "string") return methodOf(TEXT, of, key, 1 + of.length / 100);
  if (isList(of)) return methodOf(LIST, of, key, 1 + of.length);
  if (of instanceof Moment) return own(MOMENT_PARTS, key)?.(of) ?? methodOf(MOMENT, of, key);
  if (of instanceof Duration) return own(DURATION_PARTS, key)?.(of) ?? methodOf(DURATION, of, key);
  return undefined;
}

/** `a[start:stop:step]`. */
export function sliceOf(of: Item, start: Item, stop: Item, step: Item): Item {
  if (of === undefined) throw new MissingValueError("a slice of nothing");
  if (typeof of !== "string" && !isList(of)) throw new TemplateError(`${kindOf(of)} can't be sliced`);
  const by = step === undefined || step === null ? 1 : whole(step);
  if (by === 0) throw new TemplateError("A slice has step zero");
  spendOn([of]);
  const items: readonly Item[] = typeof of === "string" ? Array.from(of) : of;
  const size = items.length;
  const place = (bound: Item, missing: number): number => {
    if (bound === undefined || bound === null) return missing;
    const at = whole(bound);
    const [low, high] = by > 0 ? [0, size] : [-1, size - 1];
    return Math.max(low, Math.min(high, at < 0 ? at + size : at));
  };
  const [from, to] = [place(start, by > 0 ? 0 : size - 1), place(stop, by > 0 ? size : -1)];
  const found: Item[] = [];
  for (let at = from; by > 0 ? at < to : at > to; at += by) found.push(items[at]);
  return typeof of === "string" ? found.join("") : found;
}
