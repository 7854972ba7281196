/** How a write is kept from overwriting a newer edit: with the version the API compares itself, by comparing before, or not at all. */
import { parseSelector } from "@accord/connector-sdk";
import type { HttpEntityConfig } from "@accord/contracts/connections/http-entity";
import { parseExactJson } from "@accord/contracts/data/exact-json";
import type { Value, Values } from "@accord/contracts/data/values";
import type { CallOptions } from "./client.ts";
import { pathOf, put } from "./records.ts";
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

/** Whether every change must name the version it is based on, even one that expects nothing. */
export const needsVersion = ({ concurrency }: HttpEntityConfig): boolean => concurrency?.kind === "versionField";

/** The version that a write is based on; null where the record came without one: it is compared and nothing more. */
export function versionOf(entity: HttpEntityConfig, read: SingleRead): Value {
  const { concurrency } = entity;
  if (!concurrency) return null;
  return concurrency.kind === "etag" ? read.etag : (read.record.values[concurrency.field] ?? null);
}

/** Adds the version to a call that changes the record. */
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
      const described = entity.fields.find(({ apiName }) => apiName === field);
      const path = name === "" && described ? pathOf(described) : name || field;
      const body = options.body === undefined ? {} : parseExactJson(JSON.stringify(options.body));
      if (isObject(body)) put(body, parseSelector(path), version);
      return { ...options, facts, body };
    }
    default:
      return sendAs satisfies never;
  }
}

const isObject = (value: Value): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);
