/** Fills `{{placeholders}}` in paths, headers and JSON bodies. Values are data: they never become part of a template. */
import { ConnectorError, select, parseSelector } from "@accord/connector-sdk";
import type { Value } from "@accord/contracts/data/values";

/** `{{value | escaped}}`: the value as the text within quotes of a query language, which it can't end. */
const ESCAPED = /\s*\|\s*escaped$/;

/** What may be filled in: `page`, `limit`, `offset`, `cursor`, `watermark`, `id`, `value`, `record`, `variable`. */
export type Facts = { [name: string]: Value };

const PLACEHOLDER = /\{\{\s*([^{}]{1,200}?)\s*\}\}/g;
const WHOLE = /^\{\{\s*([^{}]{1,200}?)\s*\}\}$/;

function factAt(facts: Facts, path: string): Value {
  const plain = path.replace(ESCAPED, "");
  const found = select(facts, parseSelector(plain)) ?? null;
  return plain === path ? found : escaped(textOf(found));
}

/** The same within a text: several values of a variable stand there separated by commas. */
function textAt(facts: Facts, path: string): string {
  const found = factAt(facts, path);
  return Array.isArray(found) && path.startsWith("variable.") ? found.map(textOf).join(",") : textOf(found);
}

/** A backslash before quotes and itself, letters for line breaks and the like: SOQL, JQL and JavaScript read them so. */
const escaped = (text: string): string => text.replace(/[\\'"\n\r\t\f]|[\b]/g, (sign) => `\\${LETTERS[sign] ?? sign}`);
const LETTERS: Readonly<Record<string, string>> = { "\n": "n", "\r": "r", "\t": "t", "\b": "b", "\f": "f" };

const textOf = (value: Value): string =>
  value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);

/** For paths and query texts: each value is percent-encoded, so it can't leave its place; `.` and `..` are refused. */
export const fillPath = (template: string, facts: Facts): string =>
  template.replace(PLACEHOLDER, (_, path: string) => {
    const text = textAt(facts, path);
    if (text === "." || text === "..")
      throw new ConnectorError("invalidRequest", `"${text}" can't be a part of an address.`, { neverSent: true });
    return encodeURIComponent(text);
  });

/** For headers: line breaks in values are refused. */
export function fillHeader(template: string, facts: Facts): string {
  const filled = template.replace(PLACEHOLDER, (_, path: string) => textAt(facts, path));
  if (/[\r\n]/.test(filled)) throw new ConnectorError("invalidRequest", "A value for a header holds a line break.");
  return filled;
}

export interface BodyOptions {
  /**
   * A member of an object that is one placeholder alone is left out where that comes to nothing. For reads: the first
   * page has no cursor, and a search without a moment no condition on it.
   */
  leavesOutBlank?: boolean;
}

/** For JSON bodies: `"{{record.size}}"` alone keeps its type; inside a longer text it is written out. */
export function fillBody(template: string, facts: Facts, options: BodyOptions = {}): string {
  let parsed: Value;
  try {
    parsed = JSON.parse(template) as Value;
  } catch (error) {
    throw new ConnectorError("configuration", "The body is not valid JSON.", {
      cause: error,
      hint: 'Placeholders stand in quotes: {"name": "{{record.name}}"}.',
    });
  }
  return JSON.stringify(fillValue(parsed, facts, options));
}

function fillValue(value: Value, facts: Facts, options: BodyOptions): Value {
  if (typeof value === "string") {
    const whole = WHOLE.exec(value);
    if (whole?.[1]) return factAt(facts, whole[1]);
    return value.replace(PLACEHOLDER, (_, path: string) => textAt(facts, path));
  }
  if (Array.isArray(value)) return value.map((item) => fillValue(item, facts, options));
  if (value === null || typeof value !== "object") return value;
  const filled = Object.entries(value).map(([key, inner]) => [key, inner, fillValue(inner, facts, options)] as const);
  const isLeftOut = (inner: Value, full: Value): boolean =>
    options.leavesOutBlank === true && full === null && typeof inner === "string" && WHOLE.test(inner);
  return Object.fromEntries(filled.flatMap(([key, inner, full]) => (isLeftOut(inner, full) ? [] : [[key, full]])));
}

/** Whether a template asks for a fact. */
export const mentions = (template: string, fact: string): boolean =>
  [...template.matchAll(PLACEHOLDER)]
    .map(([, path = ""]) => path.replace(ESCAPED, ""))
    .some((path) => path === fact || path.startsWith(`${fact}.`));
