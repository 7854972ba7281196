/**
 * What runs inside the sandbox before a program: reads the arguments, and writes down results and errors as texts. It
 * takes what it needs of the language before the program could change it, and the program can't reach it.
 */
import { CODE_LIMITS } from "../limits.ts";

/** Member under which numbers with more digits than JavaScript's have travel: no name of a field holds such a character. */
export const EXACT_NUMBER = "\u0000number";

/** Evaluates to `{ prepare, call, describe }`. */
export const PRELUDE = `"use strict";
(() => {
  const { parse, stringify } = JSON;
  const { apply, ownKeys } = Reflect;
  const { getPrototypeOf, keys, freeze, prototype: plain } = Object;
  const { isArray } = Array;
  const { isFinite } = Number;
  const slice = String.prototype.slice;
  const toISOString = Date.prototype.toISOString;
  const mapGet = WeakMap.prototype.get;
  const mapSet = WeakMap.prototype.set;
  const [Time, Pledge, Text] = [Date, Promise, String];
  const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
  const exact = new WeakMap();
  const TAG = ${JSON.stringify(EXACT_NUMBER)};
  class ExactNumber {
    constructor(text) {
      apply(mapSet, exact, [this, text]);
      freeze(this);
    }
    toString() {
      return apply(mapGet, exact, [this]);
    }
    toJSON() {
      return apply(mapGet, exact, [this]);
    }
  }
  freeze(ExactNumber.prototype);
  class Unusable {
    constructor(message) {
      this.message = message;
    }
  }
  const at = (path) => (path === "" ? "What it returned" : "“" + path + "”");
  const shown = (name) => apply(slice, name, [0, 60]);

  function write(value, path, depth, room) {
    const put = (text) => {
      room.left -= text.length;
      if (room.left < 0) throw new Unusable("It returned more than ${CODE_LIMITS.output} characters.");
      return text;
    };
    if (value === null || value === undefined) return put("null");
    const type = typeof value;
    if (type === "string") return put(stringify(value));
    if (type === "boolean") return put(value ? "true" : "false");
    if (type === "number") {
      if (isFinite(value)) return put(stringify(value));
      throw new Unusable(at(path) + " is " + Text(value) + ", which is no value.");
    }
    if (type === "bigint")
      return put(value <= SAFE && value >= -SAFE ? Text(value) : stringify(Text(value)));
    if (type !== "object") throw new Unusable(at(path) + " is a " + type + ", which is no value.");
    const digits = apply(mapGet, exact, [value]);
    if (digits !== undefined) return put("{" + stringify(TAG) + ":" + stringify(digits) + "}");
    if (depth >= ${CODE_LIMITS.depth}) throw new Unusable(at(path) + " is nested more than ${CODE_LIMITS.depth} times, or contains itself.");
    if (isArray(value)) {
      let text = put("[");
      const length = value.length;
      for (let index = 0; index < length; index += 1)
        text += (index > 0 ? put(",") : "") + write(value[index], path + "[" + index + "]", depth + 1, room);
      return text + put("]");
    }
    if (value instanceof Time) return put(stringify(apply(toISOString, value, [])));
    if (value instanceof Pledge)
      throw new Unusable(at(path) + " is a promise: the function may not be asynchronous.");
    const prototype = getPrototypeOf(value);
    if (prototype !== plain && prototype !== null)
      throw new Unusable(at(path) + " is no plain object, list, text, number, true or false.");
    let text = put("{");
    let isFirst = true;
    const names = keys(value);
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index];
      if (name === "__proto__" || name === TAG)
        throw new Unusable("A field may not be called " + (name === TAG ? "so" : name) + ".");
      const item = value[name];
      if (item === undefined) continue;
      const inner = path === "" ? shown(name) : apply(slice, path, [0, 200]) + "." + shown(name);
      text += put((isFirst ? "" : ",") + stringify(name) + ":") + write(item, inner, depth + 1, room);
      isFirst = false;
    }
    return text + put("}");
  }

  const revive = (_, value) => {
    if (typeof value !== "object" || value === null) return value;
    const names = ownKeys(value);
    return names.length === 1 && names[0] === TAG ? new ExactNumber(value[TAG]) : value;
  };
  const textOf = (read) => {
    try {
      const text = read();
      return typeof text === "string" ? apply(slice, text, [0, ${CODE_LIMITS.message}]) : "";
    } catch {
      return "";
    }
  };
  let given = [];
  return {
    prepare: (input) => {
      given = parse(input, revive);
    },
    call: (entry) => {
      const first = given[0];
      const second = given[1];
      const third = given[2];
      try {
        return "=" + write(given.length === 1 ? entry(first) : entry(first, second, third), "", 0, { left: ${CODE_LIMITS.output} });
      } catch (problem) {
        if (problem instanceof Unusable) return "!" + problem.message;
        throw problem;
      }
    },
    describe: (problem) =>
      typeof problem === "object" && problem !== null
        ? textOf(() => problem.name) + "\\n" + textOf(() => problem.stack) + "\\n\\n" + textOf(() => problem.message)
        : "\\n\\n\\n" + textOf(() => Text(problem)),
  };
})()`;
