/** The values templates work with, as Python has them: what is true, equal and smaller, and how each is written out. */
import { isExactNumber, plainNumber } from "@accord/contracts/data/exact-number";
import { spend, spendText } from "./budget.ts";
import { MissingValueError, TemplateError } from "./errors.ts";
import { formatMoment } from "./moment-format.ts";
import { Duration, Moment } from "./moments.ts";

export type Callable = (args: Item[], named: ReadonlyMap<string, Item>) => Item;
/** `undefined`: a name that means nothing, or a key that is not there. */
export type Item =
  | undefined
  | null
  | boolean
  | number
  | string
  | Moment
  | Duration
  | Method
  | readonly Item[]
  | Dictionary;
export type Dictionary = ReadonlyMap<string, Item>;

export class Method {
  readonly call: Callable;
  constructor(call: Callable) {
    this.call = call;
  }
}

export const isList = (item: Item): item is readonly Item[] => Array.isArray(item);
export const isDictionary = (item: Item): item is Dictionary => item instanceof Map;

/** Values of JSON as items: only own members, so that nothing of the language behind them can be reached. */
export function itemOf(value: unknown): Item {
  if (value === null || value === undefined) return value;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (isExactNumber(value)) return plainNumber(value);
  if (value instanceof Moment || value instanceof Duration || value instanceof Method) return value;
  if (value instanceof Map) return value;
  if (Array.isArray(value)) {
    spend(Math.ceil(value.length / 10));
    return value.map(itemOf);
  }
  if (typeof value === "object") return new LazyDictionary(value);
  throw new TemplateError("A value of an unknown kind was given to a template");
}

/** An object whose members become items when they are asked for: a record is looked into at one place or two. */
class LazyDictionary extends Map<string, Item> {
  readonly #source: object;
  #isFilled = false;
  #size: number | null = null;

  constructor(source: object) {
    super();
    this.#source = source;
  }

  #fill(): void {
    if (this.#isFilled) return;
    this.#isFilled = true;
    for (const [key, value] of Object.entries(this.#source)) super.set(key, itemOf(value));
  }

  override get(key: string): Item {
    if (this.#isFilled) return super.get(key);
    const own = Object.getOwnPropertyDescriptor(this.#source, key);
    return own ? itemOf(own.value) : undefined;
  }
  override has(key: string): boolean {
    return Object.hasOwn(this.#source, key);
  }
  override get size(): number {
    return (this.#size ??= Object.keys(this.#source).length);
  }
  override keys(): MapIterator<string> {
    this.#fill();
    return super.keys();
  }
  override values(): MapIterator<Item> {
    this.#fill();
    return super.values();
  }
  override entries(): MapIterator<[string, Item]> {
    this.#fill();
    return super.entries();
  }
  override [Symbol.iterator](): MapIterator<[string, Item]> {
    return this.entries();
  }
}

export function isTrue(item: Item): boolean {
  if (item === undefined || item === null || item === false || item === 0 || item === "") return false;
  if (isList(item)) return item.length > 0;
  if (item instanceof Map) return item.size > 0;
  return !(item instanceof Duration) || !item.isZero;
}

/** What goes through values costs as much as they hold: lists of lists may hold one another many times. */
export function areEqual(left: Item, right: Item): boolean {
  spendOn([left]);
  if (left instanceof Moment && right instanceof Moment) return left.compare(right) === 0;
  if (left instanceof Duration && right instanceof Duration)
    return left.months === right.months && left.ms === right.ms;
  if (isList(left) && isList(right))
    return left.length === right.length && left.every((item, index) => areEqual(item, right[index]));
  if (left instanceof Map && right instanceof Map)
    return left.size === right.size && [...left].every(([key, item]) => areEqual(item, right.get(key)));
  if (typeof left === "boolean" && typeof right === "number") return Number(left) === right;
  if (typeof left === "number" && typeof right === "boolean") return left === Number(right);
  return left === right;
}

/** Negative, 0 or positive. Kinds that have no order between them have none here either. */
export function compareItems(left: Item, right: Item): number {
  if (left === undefined || right === undefined) throw new MissingValueError("compared with nothing");
  spendOn([left]);
  if (typeof left === "string" && typeof right === "string") return left < right ? -1 : left > right ? 1 : 0;
  if (left instanceof Moment && right instanceof Moment) return left.compare(right);
  if (left instanceof Duration && right instanceof Duration) return left.ms - right.ms || left.months - right.months;
  if (isList(left) && isList(right)) {
    for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
      const order = compareItems(left[index], right[index]);
      if (order !== 0) return order;
    }
    return left.length - right.length;
  }
  if (isNumeric(left) && isNumeric(right)) return Number(left) - Number(right);
  throw new TemplateError(`${kindOf(left)} and ${kindOf(right)} can't be compared`);
}

export const isNumeric = (item: Item): item is number | boolean =>
  typeof item === "number" || typeof item === "boolean";

export function kindOf(item: Item): string {
  if (item === undefined) return "nothing";
  if (item === null) return "None";
  if (typeof item === "string") return "a text";
  if (typeof item === "number") return "a number";
  if (typeof item === "boolean") return "a truth value";
  if (item instanceof Moment) return "a date";
  if (item instanceof Duration) return "a duration";
  if (item instanceof Method) return "a function";
  return isList(item) ? "a list" : "a dictionary";
}

/** Longest text a template may make. */
export const MAX_TEXT = 1_000_000;

export function limited(text: string): string {
  if (text.length > MAX_TEXT) throw new TemplateError("A template made a text that is too long");
  spendText(text.length);
  return text;
}

/** The work of going through values once, not into them. */
export function spendOn(items: readonly Item[]): void {
  for (const item of items) {
    if (typeof item === "string") spendText(item.length);
    else spend(isList(item) ? 1 + item.length : item instanceof Map ? 1 + item.size : 1);
  }
}

/** As `str` writes it; parts of lists and dictionaries as `repr` does. */
export function textOf(item: Item): string {
  return limited(written(item, false, 0));
}

function written(item: Item, isPart: boolean, depth: number): string {
  if (depth > 100) throw new TemplateError("A value has too many levels to be written out");
  if (isPart) spendOn([item]);
  if (item === undefined) return isPart ? "Undefined" : "";
  if (item === null) return "None";
  if (item === true) return "True";
  if (item === false) return "False";
  if (typeof item === "string") return isPart ? quoted(item) : item;
  if (typeof item === "number") return numberText(item);
  if (item instanceof Moment) return momentText(item);
  if (item instanceof Duration) return durationText(item);
  if (item instanceof Method) return "<function>";
  if (isList(item)) return `[${item.map((one) => written(one, true, depth + 1)).join(", ")}]`;
  return `{${[...item].map(([key, one]) => `${quoted(key)}: ${written(one, true, depth + 1)}`).join(", ")}}`;
}

export function numberText(number: number): string {
  if (Number.isNaN(number)) return "nan";
  if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
  return String(number);
}

function quoted(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/\\/g, "\\\\").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t");
  return `${mark}${mark === "'" ? escaped.replace(/'/g, "\\'") : escaped}${mark}`;
}

function momentText(moment: Moment): string {
  if (moment.isDay) return formatMoment(moment, "%Y-%m-%d");
  const hasFraction = moment.micros !== 0 || moment.ms % 1000 !== 0;
  const zone = formatMoment(moment, "%z").replace(/^([+-]\d\d)(\d\d)$/, "$1:$2");
  return formatMoment(moment, hasFraction ? "%Y-%m-%d %H:%M:%S.%f" : "%Y-%m-%d %H:%M:%S") + zone;
}

function durationText({ ms, months }: Duration): string {
  const days = Math.floor(ms / 86_400_000);
  const rest = new Date(ms - days * 86_400_000).toISOString().slice(11, 19).replace(/^0/, "");
  const words = [
    months === 0 ? "" : `${months} months`,
    days === 0 ? "" : `${days} day${Math.abs(days) === 1 ? "" : "s"}`,
    rest,
  ];
  return words.filter((word) => word !== "").join(", ");
}

/** As JSON, for `tojson` and bodies. */
export function jsonValueOf(item: Item): unknown {
  spendOn([item]);
  if (isList(item)) return item.map(jsonValueOf);
  if (item instanceof Map) return Object.fromEntries([...item].map(([key, one]) => [key, jsonValueOf(one)]));
  if (item === undefined) return null;
  return item instanceof Moment || item instanceof Duration || item instanceof Method ? textOf(item) : item;
}
