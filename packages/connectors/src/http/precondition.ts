/** How a write is kept from overwriting a newer edit: with the version the API compares itself, by comparing before, or not at all. */
import {
  compileExactSelector,
  parseSelector,
  TypeMismatchError,
  valueParser,
  type WriteOperation,
} from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value } from "@accord/contracts/data/values";
import type { CallOptions } from "./client.ts";
import { isObject, pathOf, put, sentPath } from "./records.ts";
import type { SingleRead } from "./single-read.ts";

/**
 * conditional: the record is read and compared, and the write carries the version that was read; the API refuses it
 * when there is a newer one. checked: it is read and compared right before the write. unchecked: it can't be read alone.
 *
 * An `ETag` that nobody described is not sent back: caches and proxies in between add tags of their own, which the
 * API never finds equal, and every write would be refused.
 */
export type WriteMode = "conditional" | "checked" | "unchecked";

export function writeMode(entity: HttpEntityConfig): WriteMode {
  if (!entity.getById) return "unchecked";
  return entity.concurrency ? "conditional" : "checked";
}

/** Whether changes that follow each other at once may have the same version: then it is compared here as well. */
export const isCoarse = ({ concurrency }: HttpEntityConfig): boolean =>
  concurrency?.kind === "versionField" && (concurrency.isCoarse || concurrency.asHttpDate);

/** Whether every change must name the version it is based on, even one that expects nothing. */
export const needsVersion = ({ concurrency }: HttpEntityConfig): boolean => concurrency?.kind === "versionField";

/** The version that a write is based on, as the API spells it, a number to its last digit; null where the record came without one: it is compared and nothing more. */
export function versionOf(
  { concurrency, fields }: HttpEntityConfig,
  read: SingleRead,
  kind: WriteOperation["kind"] = "update",
): Value {
  if (!concurrency || (kind === "delete" && concurrency.ignoredByDelete)) return null;
  if (concurrency.kind === "etag") return read.etag;
  const field = fields.find(({ apiName }) => apiName === concurrency.field);
  const version = (field && compileExactSelector(pathOf(field))(read.json)) ?? null;
  return concurrency.asHttpDate ? httpDateOf(version) : version;
}

const asMoment = valueParser({ dataType: "datetime", isMultiValueField: false });

/** null for what is no time. */
function httpDateOf(version: Value): string | null {
  try {
    const moment = new Date(String(asMoment(version)));
    return Number.isNaN(moment.getTime()) ? null : moment.toUTCString();
  } catch (error) {
    if (error instanceof TypeMismatchError) return null;
    throw error;
  }
}

/** By what they say: lists, objects and exact numbers are other ones each time they are read. */
export const isSameVersion = (left: Value, right: Value): boolean => JSON.stringify(left) === JSON.stringify(right);

/** A record to send with its version, where the API looks for it among the record's own values. */
export function withOwnVersion({ concurrency, fields }: HttpEntityConfig, record: Value, version: Value): Value {
  if (version === null || concurrency?.kind !== "versionField") return record;
  if (concurrency.sendAs !== "body" || concurrency.name !== "") return record;
  const field = fields.find(({ apiName }) => apiName === concurrency.field);
  if (!field) return record;
  const path = sentPath(field, version);
  // What is inside belongs to the operation, which may be sent once more.
  const own = copyOf(record);
  if (isObject(own)) put(own, parseSelector(path), version);
  return own;
}

/** Adds the version to a call that changes the record, unless it is among the record's own values. */
export function withVersion(entity: HttpEntityConfig, options: CallOptions, version: Value): CallOptions {
  const { concurrency } = entity;
  if (!concurrency || version === null) return options;
  const text = typeof version === "object" ? JSON.stringify(version) : String(version);
  const facts = { ...options.facts, version };
  if (concurrency.kind === "etag") return { ...options, facts, headers: { ...options.headers, "if-match": text } };
  const { field, name, sendAs } = concurrency;
  switch (sendAs) {
    case "header":
      return { ...options, facts, headers: { ...options.headers, [(name || field).toLowerCase()]: text } };
    case "query":
      return { ...options, facts, query: { ...options.query, [name || field]: text } };
    case "body": {
      if (name === "") return { ...options, facts };
      const body = options.body === undefined ? {} : copyOf(options.body);
      if (isObject(body)) put(body, parseSelector(name), version);
      return { ...options, facts, body };
    }
    default:
      return sendAs satisfies never;
  }
}

const copyOf = (value: Value): Value => parseExactJson(JSON.stringify(value));
