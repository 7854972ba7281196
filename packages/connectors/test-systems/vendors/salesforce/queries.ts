/** How the simulated Salesforce answers those who read many records: queries and their batches, and what was changed or deleted. */
import { compile, pathOf, sorted, type Row } from "./filter.ts";
import { numberedId } from "./ids.ts";
import { objectNamed, type SalesforceObject } from "./objects.ts";
import type { SalesforceWorld } from "./records.ts";
import { refuse } from "./refusals.ts";
import { parseSoql, type Query } from "./soql.ts";
import type { Json } from "../kit.ts";
import type { Call } from "../server.ts";
import { salesforceTime } from "./values.ts";

interface Cursor {
  object: SalesforceObject;
  fields: string[];
  ids: string[];
  withDeleted: boolean;
}

const [LEAST_BATCH, MOST_BATCH] = [200, 2000];
const MAX_FIELDS_ALL = 200;

export class Queries {
  readonly #world: SalesforceWorld;
  /** Answers may hold fewer records than were asked for; here never more than this. */
  readonly #most: number;
  readonly #cursors = new Map<string, Cursor>();
  readonly #related: (objectName: string, id: unknown) => Row | undefined;

  constructor(world: SalesforceWorld, most: number) {
    this.#world = world;
    this.#most = most;
    this.#related = (objectName, id) => world.related(objectName, id);
  }

  /** `version`: as in the address, to which links lead back. */
  query(call: Call, version: string, withDeleted: boolean): Json {
    const soql = call.query.get("q");
    if (soql === null || soql.trim() === "")
      return refuse(400, "MALFORMED_QUERY", "A query string has to be specified");
    const query = parseSoql(soql);
    const object = objectNamed(query.from);
    if (object === undefined)
      return refuse(
        400,
        "INVALID_TYPE",
        `sObject type '${query.from}' is not supported. If you are attempting to use a custom object, be sure to append the '__c' after the entity name. Please reference your WSDL or the describe call for the appropriate names.`,
      );
    const fields = selected(object, query);
    for (const path of fields) pathOf(object, path, this.#related);
    const matches = query.where === null ? () => true : compile(object, query.where, this.#related);
    const rows = [...this.#world.rows(object.name).values()].filter(
      (row) => (withDeleted || row["IsDeleted"] !== true) && matches(row),
    );
    if (query.isCount) return { totalSize: rows.length, done: true, records: [] };
    const end = query.limit === null ? undefined : query.offset + query.limit;
    const ids = sorted(object, rows, query.orderBy, this.#related)
      .slice(query.offset, end)
      .map((row) => String(row["Id"]));
    return this.#batch(
      call,
      version,
      numberedId("01g", this.#cursors.size + 1),
      { object, fields, ids, withDeleted },
      0,
    );
  }

  more(call: Call, version: string, locator: string): Json {
    const [, name = "", from = ""] = /^(01g\w{15})-(\d+)$/.exec(locator) ?? [];
    const cursor = this.#cursors.get(name);
    if (cursor === undefined) return refuse(400, "INVALID_QUERY_LOCATOR", "invalid query locator");
    return this.#batch(call, version, name, cursor, Number(from));
  }

  #batch(call: Call, version: string, name: string, cursor: Cursor, from: number): Json {
    const { object, fields, ids, withDeleted } = cursor;
    const asked = Number(/batchSize\s*=\s*(\d+)/i.exec(call.headers["sforce-query-options"] ?? "")?.[1] ?? MOST_BATCH);
    const size = Math.min(this.#most, Math.max(LEAST_BATCH, Math.min(MOST_BATCH, asked)));
    const records = ids.slice(from, from + size).flatMap((id) => {
      const row = this.#world.rows(object.name).get(id);
      if (row === undefined || (row["IsDeleted"] === true && !withDeleted)) return [];
      return [this.shown(object, row, fields, version)];
    });
    const done = from + size >= ids.length;
    if (done) return { totalSize: ids.length, done, records };
    this.#cursors.set(name, cursor);
    // It says `query` for queryAll too; either address goes on.
    const nextRecordsUrl = `/services/data/${version}/query/${name}-${from + size}`;
    return { totalSize: ids.length, done, nextRecordsUrl, records };
  }

  /** With the fields in the order asked for; those of related records are nested. */
  shown(object: SalesforceObject, row: Row, paths: readonly string[], version: string): Json {
    const url = `/services/data/${version}/sobjects/${object.name}/${String(row["Id"])}`;
    const shown: Json = { attributes: { type: object.name, url } };
    const nested = new Map<string, string[]>();
    for (const path of paths) {
      const [first = "", ...rest] = path.split(".");
      if (rest.length > 0)
        nested.set(first.toLowerCase(), [...(nested.get(first.toLowerCase()) ?? []), rest.join(".")]);
      else {
        const { field, of } = pathOf(object, path, this.#related);
        shown[field.name] = of(row);
      }
    }
    for (const [name, inner] of nested) {
      const link = object.fields.find((one) => one.relationshipName?.toLowerCase() === name);
      const target = objectNamed(link?.referenceTo.at(-1) ?? "");
      if (link === undefined || target === undefined) continue;
      const found = this.#related(target.name, row[link.name]);
      shown[link.relationshipName ?? ""] = found === undefined ? null : this.shown(target, found, inner, version);
    }
    return shown;
  }

  /** Seconds of the times that bound it are not looked at. */
  changed(object: SalesforceObject, call: Call, kind: "deleted" | "updated"): Json {
    const [start, end] = [boundary(call, "start"), boundary(call, "end")];
    if (end - start < 60_000)
      refuse(400, "INVALID_REPLICATION_DATE", "startDate must be at least one minute greater than endDate");
    const now = Date.now();
    if (start < now - 30 * 86_400_000)
      refuse(400, "INVALID_REPLICATION_DATE", "startDate cannot be more than 30 days ago");
    const rows = [...this.#world.rows(object.name).values()].filter((row) => {
      const at = Date.parse(String(row["SystemModstamp"]));
      return (row["IsDeleted"] === true) === (kind === "deleted") && at >= start && at < end;
    });
    const latestDateCovered = salesforceTime(Math.min(end, now));
    if (kind === "updated") return { ids: rows.map((row) => row["Id"]), latestDateCovered };
    return {
      deletedRecords: rows.map((row) => ({ id: row["Id"], deletedDate: row["SystemModstamp"] })),
      earliestDateAvailable: salesforceTime(now - 15 * 86_400_000),
      latestDateCovered,
    };
  }
}

function boundary(call: Call, name: string): number {
  const text = call.query.get(name) ?? "";
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) return refuse(400, "MALFORMED_QUERY", `${name} is not a valid date and time: ${text}`);
  return Math.floor(at / 60_000) * 60_000;
}

function selected(object: SalesforceObject, query: Query): string[] {
  return query.fields.flatMap((name) => {
    const group = /^FIELDS\((\w+)\)$/.exec(name)?.[1];
    if (group === undefined) return [name];
    if (!["ALL", "CUSTOM", "STANDARD"].includes(group))
      return refuse(400, "MALFORMED_QUERY", `unexpected token: '${group}'`);
    if (group !== "STANDARD" && (query.limit === null || query.limit > MAX_FIELDS_ALL))
      return refuse(400, "MALFORMED_QUERY", "The SOQL FIELDS function must have a LIMIT of at most 200");
    return object.fields
      .filter((one) => group === "ALL" || one.name.endsWith("__c") === (group === "CUSTOM"))
      .map((one) => one.name);
  });
}
