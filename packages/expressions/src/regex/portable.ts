/** Regular expressions of users: run in linear time in memory, and translated so that PostgreSQL means the same by them. */
import { values } from "@accord/contracts/messages/en/values";
import { fill } from "@accord/contracts/messages/fill";
import { RE2JS } from "re2js";
import { isStorableText } from "../values/storable.ts";

export class RegexError extends Error {
  override readonly name = "RegexError";
  /** `syntax`: no regular expression (look-ahead and back references included) · `too_large` · `not_portable`. */
  readonly code: "syntax" | "too_large" | "not_portable";
  constructor(code: RegexError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_LENGTH = 1000;
/** Steps that each character of a text may cost. */
const MAX_PROGRAM = 2_500;

const compiled = new Map<string, RE2JS>();
const CACHE_SIZE = 200;

/** Compiles once per pattern. Throws `RegexError`. */
export function compileRegex(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  if (pattern.length > MAX_LENGTH) throw new RegexError("too_large", fill(values.regex.tooLong, { limit: MAX_LENGTH }));
  if (!isStorableText(pattern)) throw new RegexError("syntax", values.regex.notStorable);
  let made: RE2JS;
  try {
    made = RE2JS.compile(pattern);
  } catch (problem) {
    throw new RegexError("syntax", problem instanceof Error ? problem.message : values.regex.unreadable);
  }
  if (made.programSize() > MAX_PROGRAM) throw new RegexError("too_large", values.regex.repeatsTooMuch);
  remember(pattern, made);
  return made;
}

/** What the expression finds first, as long as it can be there: POSIX's rule, the one PostgreSQL goes by. */
export function longestMatch(text: string, pattern: string): string | null {
  const key = `longest ${pattern}`;
  const regex = compiled.get(key) ?? RE2JS.compile(pattern, RE2JS.LONGEST_MATCH);
  remember(key, regex);
  const matcher = regex.matcher(text);
  return matcher.find() ? matcher.group() : null;
}

function remember(key: string, regex: RE2JS): void {
  if (compiled.has(key)) return;
  if (compiled.size >= CACHE_SIZE) compiled.delete(compiled.keys().next().value!);
  compiled.set(key, regex);
}

const DIGIT = "0-9";
const WORD = "A-Za-z0-9_";
const SPACE = "\\t\\n\\f\\r ";
const CLASSES: Readonly<Record<string, string>> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROL: Readonly<Record<string, string>> = { n: "\\n", t: "\\t", r: "\\r", f: "\\f" };
/** PostgreSQL's limit on a counted repeat. */
const MAX_REPEAT = 255;

/**
 * The same expression for PostgreSQL's `~`: classes spelled out, `.` without the line end, groups that don't capture.
 * Throws `RegexError("not_portable")` for what can't mean the same in both (word boundaries, flags, Unicode classes).
 */
export function toPostgresRegex(pattern: string): string {
  compileRegex(pattern);
  const reader = { text: pattern, at: 0 };
  let out = "***:";
  while (reader.at < reader.text.length) out += translateItem(reader);
  return out;
}

interface Reader {
  text: string;
  at: number;
}

function translateItem(reader: Reader): string {
  const char = takeCharacter(reader);
  switch (char) {
    case "\\":
      return translateEscape(reader, false);
    case "[":
      return translateClass(reader);
    case "(":
      return translateGroup(reader);
    case ".":
      return "[^\\n]";
    case "{":
      return translateCount(reader);
    case "^":
    case "$":
    case ")":
    case "|":
    case "*":
    case "+":
    case "?":
      return char;
    default:
      return literal(char);
  }
}

function takeCharacter(reader: Reader): string {
  const char = String.fromCodePoint(reader.text.codePointAt(reader.at)!);
  reader.at += char.length;
  return char;
}

const literal = (char: string): string => (/^[A-Za-z0-9_]$|^[^\0-\x7f]$/u.test(char) ? char : `\\${char}`);

const notPortable = (part: string): never => {
  throw new RegexError("not_portable", fill(values.regex.notPortable, { part }));
};

function translateGroup(reader: Reader): string {
  if (reader.text[reader.at] !== "?") return "(?:";
  if (reader.text.startsWith("?:", reader.at)) {
    reader.at += 2;
    return "(?:";
  }
  return notPortable(values.regex.flagOrName);
}

function translateCount(reader: Reader): string {
  const found = /^(\d+)(,(\d*))?\}/.exec(reader.text.slice(reader.at));
  if (!found) return "\\{";
  if (Number(found[1]) > MAX_REPEAT || Number(found[3] || 0) > MAX_REPEAT)
    return notPortable(fill(values.regex.repeat, { limit: MAX_REPEAT }));
  reader.at += found[0].length;
  return `{${found[0]}`;
}

function translateEscape(reader: Reader, inClass: boolean): string {
  const char = takeCharacter(reader);
  const lower = char.toLowerCase();
  if (CLASSES[lower] !== undefined) {
    if (char === lower) return inClass ? CLASSES[lower] : `[${CLASSES[lower]}]`;
    return inClass ? notPortable(fill(values.regex.insideBrackets, { text: `\\${char}` })) : `[^${CLASSES[lower]}]`;
  }
  if (CONTROL[char] !== undefined) return CONTROL[char];
  if (char === "A" && !inClass) return "^";
  if (char === "z" && !inClass) return "$";
  if (/[A-Za-z0-9]/.test(char)) return notPortable(`\\${char}`);
  return literal(char);
}

function translateClass(reader: Reader): string {
  let out = "[";
  if (reader.text[reader.at] === "^") {
    out += "^";
    reader.at++;
  }
  let first = true;
  while (reader.at < reader.text.length) {
    const char = takeCharacter(reader);
    if (char === "]" && !first) return `${out}]`;
    first = false;
    if (char === "\\") out += translateEscape(reader, true);
    else if (char === "[" && reader.text[reader.at] === ":") return notPortable(values.regex.namedClass);
    else if (char === "-") out += isRange(reader) ? "-" : "\\-";
    else out += literal(char);
  }
  return notPortable(values.regex.unclosedBracket);
}

/** A hyphen between two characters spans a range; at either end of the class it means itself. */
function isRange(reader: Reader): boolean {
  const before = reader.text[reader.at - 2];
  const after = reader.text[reader.at];
  return before !== "[" && before !== "^" && after !== "]" && after !== undefined;
}

/** Shapes that conditions test for; written so that both engines mean the same. */
export const SHAPE_PATTERNS = {
  isEmail: "^[^\\s@]+@[^\\s@.]+(\\.[^\\s@.]+)*\\.[A-Za-z]{2,}$",
  isUrl: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#]+([/?#][^\\s]*)?$",
  isPhoneNumber: "^\\+?[0-9(][0-9 ().\\-]{4,22}[0-9]$",
} as const;
