/** Reads the YAML of a manifest within bounds: plain values only, so many, so deep, each alias counted. */
import { ConnectorError } from "@accord/connector-sdk";
import type { Value, Values } from "@accord/contracts/data/values";
import { parseDocument, type Tags } from "yaml";

/** Characters of a manifest: public ones have up to 1.5 million. */
export const MAX_MANIFEST_LENGTH = 2_000_000;
const MAX_DEPTH = 200;
const MAX_VALUES = 500_000;
const MAX_ALIASES = 1_000;

export const refuse = (message: string, cause?: unknown): ConnectorError =>
  new ConnectorError("configuration", message, { cause, hint: "Correct the manifest or the inputs and save again." });

/** `what` names the text in messages. */
export function readYaml(text: string, what: string): Value {
  if (text.length > MAX_MANIFEST_LENGTH) throw refuse(`${what} has more than ${MAX_MANIFEST_LENGTH} characters.`);
  let parsed: unknown;
  try {
    // As the loader of low-code manifests reads them: version 1.1, with merge keys.
    const document = parseDocument(text, {
      version: "1.1",
      merge: true,
      uniqueKeys: false,
      customTags: withWordsForTruth,
      logLevel: "silent",
    });
    const [error] = document.errors;
    if (error) throw error;
    parsed = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "").slice(0, 300) : "";
    throw refuse(`${what} is not valid YAML: ${reason}`, error);
  }
  const counter = { left: MAX_VALUES };
  return plain(parsed, what, counter, 0);
}

/** A single `y` or `n` is a text there: a field's name is often one. */
const withWordsForTruth = (tags: Tags): Tags =>
  tags.map((tag) => {
    if (typeof tag !== "object" || tag.tag !== "tag:yaml.org,2002:bool" || tag.collection) return tag;
    const isTrue = tag.test?.test("true") ?? false;
    return {
      ...tag,
      test: isTrue ? /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/ : /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/,
    };
  });

function plain(value: unknown, what: string, counter: { left: number }, depth: number): Value {
  counter.left -= 1;
  if (counter.left < 0) throw refuse(`${what} holds more than ${MAX_VALUES} values.`);
  if (depth > MAX_DEPTH) throw refuse(`${what} has more than ${MAX_DEPTH} levels.`);
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Date) return value.toISOString().replace(/T00:00:00\.000Z$/, "");
  if (Array.isArray(value)) return value.map((item) => plain(item, what, counter, depth + 1));
  if (typeof value === "object" && [Object.prototype, null].includes(Object.getPrototypeOf(value)))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item, what, counter, depth + 1)]));
  throw refuse(`${what} holds a value of a kind that is not plain data.`);
}

export const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A YAML or JSON text that must be an object; an empty one is an empty object. */
export function readObject(text: string, what: string): Values {
  const value = readYaml(text, what);
  if (value === null) return {};
  if (isObject(value)) return value;
  throw refuse(`${what} must be an object: names with their values.`);
}
