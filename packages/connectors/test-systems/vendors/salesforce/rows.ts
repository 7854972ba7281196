/** The resource of one record in the simulated Salesforce: read, changed, deleted, with the conditions that callers set. */
import { createHash } from "node:crypto";
import type { Row } from "./filter.ts";
import { parseId } from "./ids.ts";
import { fieldNamed, type SalesforceObject } from "./objects.ts";
import type { Queries } from "./queries.ts";
import type { SalesforceWorld } from "./records.ts";
import { isDeleted, noColumn, notFound, refuse } from "./refusals.ts";
import { isObject, Refusal, type Json } from "../kit.ts";
import type { Call, Reply } from "../server.ts";

export function bodyOf(call: Call): Json {
  const type = call.headers["content-type"];
  if (type !== undefined && !/^application\/json\b/i.test(type))
    return refuse(415, "UNSUPPORTED_MEDIA_TYPE", `Content type '${type}' is not supported`);
  const body = call.json();
  if (isObject(body)) return body;
  return refuse(400, "JSON_PARSER_ERROR", "Unexpected character, expected a start-object at [line:1, column:1]");
}

export class Rows {
  readonly #world: SalesforceWorld;
  readonly #queries: Queries;

  constructor(world: SalesforceWorld, queries: Queries) {
    this.#world = world;
    this.#queries = queries;
  }

  create(object: SalesforceObject, call: Call): Reply {
    const row = this.#world.create(object, bodyOf(call));
    return { status: 201, body: { id: row["Id"], success: true, errors: [] } };
  }

  byId(object: SalesforceObject, idText: string, call: Call, version: string): Reply {
    const id = parseId(idText);
    if (id === null) {
      const message = `Provided external ID field does not exist or is not accessible: ${idText}`;
      return refuse(404, "NOT_FOUND", message);
    }
    const row = this.#world.rows(object.name).get(id);
    if (call.method === "DELETE") {
      this.#world.delete(object, id);
      return { status: 204 };
    }
    if (row === undefined) return notFound();
    if (row["IsDeleted"] === true) return isDeleted();
    if (call.method === "GET" || call.method === "HEAD") return this.#read(object, row, call, version);
    if (call.method !== "PATCH") return notAllowed(call, "HEAD,GET,PATCH,DELETE");
    const reply = unmetCondition(object, row, call);
    if (reply !== null) return reply;
    this.#world.update(object, id, bodyOf(call));
    return { status: 204, headers: tagOf(object, row) };
  }

  /** By the value of an external id: changed where there is one, created where there is none. */
  byExternalId(object: SalesforceObject, name: string, value: string, call: Call, version: string): Reply {
    const field = fieldNamed(object, name);
    if (field === undefined || !field.externalId)
      return refuse(404, "NOT_FOUND", `Provided external ID field does not exist or is not accessible: ${name}`);
    const found = this.#world.withValue(object, field.name, value)[0];
    const id = String(found?.["Id"]);
    if (call.method !== "PATCH") return found === undefined ? notFound() : this.byId(object, id, call, version);
    const body = bodyOf(call);
    if (found !== undefined) {
      this.#world.update(object, id, body);
      return { status: 200, body: { id, success: true, errors: [], created: false } };
    }
    const row = this.#world.create(object, { ...body, [field.name]: value });
    return { status: 201, body: { id: row["Id"], success: true, errors: [], created: true } };
  }

  #read(object: SalesforceObject, row: Row, call: Call, version: string): Reply {
    const reply = unmetCondition(object, row, call);
    if (reply !== null) return reply;
    const asked = call.query.get("fields");
    const names =
      asked === null
        ? object.fields.map(({ name }) => name)
        : ["Id", ...asked.split(",").map((name) => name.trim())].map(
            (name) => (fieldNamed(object, name) ?? noColumn(name, object.name)).name,
          );
    const modified = new Date(String(row["LastModifiedDate"])).toUTCString();
    const headers = { "last-modified": modified, ...tagOf(object, row) };
    return { status: 200, headers, body: this.#queries.shown(object, row, [...new Set(names)], version) };
  }
}

export function notAllowed(call: Call, allowed: string): never {
  const message = `HTTP Method '${call.method}' not allowed. Allowed are ${allowed}`;
  return refuse(405, "METHOD_NOT_ALLOWED", message);
}

/** Only accounts have tags. */
function tagOf({ name }: SalesforceObject, row: Row): Record<string, string> {
  if (name !== "Account") return {};
  return { etag: `"${createHash("sha1").update(JSON.stringify(row)).digest("base64")}--gzip"` };
}

/** The answer to a call whose condition is not met; times are compared in whole seconds with that of the last modification. */
function unmetCondition(object: SalesforceObject, row: Row, call: Call): Reply | null {
  const isRead = call.method !== "PATCH";
  const modified = Date.parse(String(row["LastModifiedDate"]));
  const time = (name: string): number | null => {
    const text = call.headers[name];
    if (text === undefined) return null;
    const isDate = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
    if (isDate && !Number.isNaN(Date.parse(text))) return Date.parse(text);
    if (!isRead) throw new Refusal({ status: 400, body: [{ errorCode: "BAD_REQUEST", message: `Invalid ${name}` }] });
    return null;
  };
  const tags = (name: string): string[] | null =>
    object.name === "Account" ? (call.headers[name]?.match(/"[^"]*"|\*/g) ?? null) : null;
  const own = tagOf(object, row)["etag"] ?? "";
  const isAmong = (list: string[]): boolean => list.includes("*") || list.includes(own);
  const [match, noneMatch] = [tags("if-match"), tags("if-none-match")];
  const unmodifiedSince = time("if-unmodified-since");
  if (match !== null ? !isAmong(match) : unmodifiedSince !== null && modified > unmodifiedSince) return { status: 412 };
  if (noneMatch !== null) return isAmong(noneMatch) ? { status: isRead ? 304 : 412 } : null;
  const modifiedSince = isRead ? time("if-modified-since") : null;
  return modifiedSince !== null && modified <= modifiedSince ? { status: 304 } : null;
}
