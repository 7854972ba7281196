/** A simulated Airtable: one base with two tables, its records and its metadata, as the Web API's reference describes them. */
import { isObject } from "../kit.ts";
import { fixedId, newId, valueFor, type Field, type Refusal } from "./fields.ts";
import { FormulaError, parseFormula } from "./formula.ts";
import {
  newRecord,
  newTables,
  shown,
  subjectOf,
  cellOf,
  thisSecond,
  type AirtableRecord,
  type Table,
} from "./tables.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { AIRTABLE_SIGN_IN } from "../sign-in/rules.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";

export const AIRTABLE_TOKEN = "patUsualToken0001.secret";
export { AIRTABLE_LINKED_TABLE, AIRTABLE_TABLE } from "./tables.ts";
export const AIRTABLE_BASE = "appUsualBase00001";

export interface Airtable extends VendorServer {
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  records: Map<string, AirtableRecord>;
  companies: Map<string, AirtableRecord>;
  outside: { create(): Promise<string>; update(id: string): Promise<void>; remove(id: string): Promise<void> };
}

export async function startAirtable(seeded: number): Promise<Airtable> {
  const tables = newTables();
  const [contacts, companies] = tables;
  const name = fixedId("fld", "Contacts.Name");
  const email = fixedId("fld", "Contacts.Email");
  for (let number = 1; number <= seeded; number++) {
    const created = new Date(Date.UTC(2024, 0, 1, 0, number));
    const record = newRecord(contacts, created);
    record.cells.set(name, `Contact ${number}`).set(email, `contact${number}@example.org`);
    if (number % 3 === 0) record.lastModified = new Date(created.getTime() + 3_600_000);
  }
  for (const company of ["Alder", "Birch"]) {
    newRecord(companies, new Date("2024-01-01")).cells.set(fixedId("fld", "Companies.Name"), company);
  }
  const api = new AirtableApi(tables);
  const signIns = signInDesk(AIRTABLE_SIGN_IN);
  const server = await startVendor(signIns.inFrontOf((call) => api.answer(call), AIRTABLE_TOKEN));
  return {
    ...server,
    signIns,
    records: contacts.records,
    companies: companies.records,
    outside: {
      async create() {
        const record = newRecord(contacts, thisSecond());
        record.cells.set(name, "Entered by hand").set(email, `${record.id.toLowerCase()}@example.org`);
        return record.id;
      },
      async update(id) {
        const record = contacts.records.get(id);
        record?.cells.set(name, `Changed by hand ${newId("")}`);
        if (record !== undefined) record.lastModified = thisSecond();
      },
      async remove(id) {
        contacts.records.delete(id);
      },
    },
  };
}

class Refused extends Error {
  readonly reply: Reply;

  constructor(status: number, error: Refusal | string) {
    super("Refused");
    this.reply = { status, body: { error } };
  }
}

const PARAMETERS = new Refused(422, {
  type: "INVALID_REQUEST_UNKNOWN",
  message: "Invalid request: parameter validation failed. Check your request data.",
});
const NO_MODEL = new Refused(403, {
  type: "INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND",
  message:
    "Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.",
});
const LIST_PARAMETERS =
  /^(?:pageSize|maxRecords|offset|filterByFormula|returnFieldsByFieldId|view|cellFormat|timeZone|userLocale|fields(?:\[\d*\])?|recordMetadata(?:\[\d*\])?|sort\[\d+\]\[(?:field|direction)\])$/;
const BODY_PARAMETERS = ["fields", "records", "typecast", "returnFieldsByFieldId"];

class AirtableApi {
  readonly #tables: readonly Table[];
  /** What is left of lists being read. */
  readonly #iterators = new Map<string, { query: string; ids: string[] }>();

  constructor(tables: readonly Table[]) {
    this.#tables = tables;
  }

  answer(call: Call): Reply {
    try {
      if (call.headers["authorization"] !== `Bearer ${AIRTABLE_TOKEN}`) {
        throw new Refused(401, { type: "AUTHENTICATION_REQUIRED", message: "Authentication required" });
      }
      return { status: 200, body: this.#route(call) };
    } catch (error) {
      if (error instanceof Refused) return error.reply;
      throw error;
    }
  }

  #route(call: Call): unknown {
    const [root, version, base, ...rest] = call.path.split("/").map(decodeURIComponent);
    if (root !== "" || version !== "v0" || base === undefined) throw new Refused(404, "NOT_FOUND");
    if (base === "meta") return this.#meta(call, rest.join("/"));
    if (rest.length === 0 || rest.length > 2) throw new Refused(404, "NOT_FOUND");
    return this.#table(call, base, rest[0], rest[1]);
  }

  #meta({ method }: Call, path: string): unknown {
    if (method === "GET" && path === "whoami") return { id: "usrUsualUser00001" };
    if (method === "GET" && path === "bases") {
      return { bases: [{ id: AIRTABLE_BASE, name: "Sales", permissionLevel: "create" }] };
    }
    const base = /^bases\/([^/]+)\/tables$/.exec(path)?.[1];
    if (method !== "GET" || base === undefined) throw new Refused(404, "NOT_FOUND");
    if (base !== AIRTABLE_BASE) throw NO_MODEL;
    const tables = this.#tables.map(({ id, name, fields }) => ({
      id,
      name,
      primaryFieldId: fields[0]?.id,
      fields,
      views: [{ id: fixedId("viw", name), name: "Grid view", type: "grid" }],
    }));
    return { tables };
  }

  #table(call: Call, base: string, tableName?: string, id?: string): unknown {
    const table = this.#tables.find((one) => one.id === tableName || one.name === tableName);
    if (base !== AIRTABLE_BASE || table === undefined) throw NO_MODEL;
    if (id === undefined) {
      if (call.method === "GET") return this.#list(table, call.query);
      if (call.method === "POST") return this.#create(table, bodyOf(call));
      throw new Refused(404, "NOT_FOUND");
    }
    const record = table.records.get(id);
    if (record === undefined) throw new Refused(404, "NOT_FOUND");
    if (call.method === "GET") return shown(table, record, call.query.get("returnFieldsByFieldId") === "true");
    if (call.method === "DELETE") {
      table.records.delete(id);
      return { id, deleted: true };
    }
    if (call.method !== "PATCH" && call.method !== "PUT") throw new Refused(404, "NOT_FOUND");
    const body = bodyOf(call);
    const cells = this.#cells(table, body["fields"], body["typecast"] === true);
    if (call.method === "PUT") record.cells.clear();
    store(record, cells);
    record.lastModified = thisSecond();
    return shown(table, record, body["returnFieldsByFieldId"] === true);
  }

  #create(table: Table, body: Record<string, unknown>): unknown {
    const { records, typecast, returnFieldsByFieldId } = body;
    if (records !== undefined && (!Array.isArray(records) || records.length === 0 || records.length > 10)) {
      throw PARAMETERS;
    }
    const given: unknown[] = Array.isArray(records)
      ? records.map((one: unknown) => (isObject(one) ? one["fields"] : undefined))
      : [body["fields"]];
    const checked = given.map((fields) => this.#cells(table, fields, typecast === true));
    const created = checked.map((cells) => {
      const record = newRecord(table, thisSecond());
      store(record, cells);
      return shown(table, record, returnFieldsByFieldId === true);
    });
    return records === undefined ? created[0] : { records: created };
  }

  #cells(table: Table, fields: unknown, typecast: boolean): Map<string, unknown> {
    if (!isObject(fields)) {
      const message = 'Could not find field "fields" in the request body';
      throw new Refused(422, { type: "INVALID_REQUEST_MISSING_FIELDS", message });
    }
    const hasRecord = (tableId: string, id: string): boolean =>
      this.#tables.some((one) => one.id === tableId && one.records.has(id));
    const cells = new Map<string, unknown>();
    for (const [name, value] of Object.entries(fields)) {
      const target = fieldOf(table, name);
      const kept = valueFor(target, value, { typecast, hasRecord });
      if ("type" in kept) throw new Refused(422, kept);
      cells.set(target.id, kept.value);
    }
    return cells;
  }

  #list(table: Table, query: URLSearchParams): unknown {
    for (const name of query.keys()) if (!LIST_PARAMETERS.test(name)) throw PARAMETERS;
    const size = wholeNumber(query.get("pageSize") ?? "100", 100);
    const most = wholeNumber(query.get("maxRecords") ?? "1000000", Infinity);
    const fields = [...query].flatMap(([name, value]) => (name.startsWith("fields") ? [fieldOf(table, value).id] : []));
    const token = query.get("offset");
    const asked = new URLSearchParams(query);
    asked.delete("offset");
    asked.delete("pageSize");
    const known = token === null ? undefined : this.#iterators.get(token);
    if (token !== null && known?.query !== asked.toString()) {
      throw new Refused(422, {
        type: "LIST_RECORDS_ITERATOR_NOT_AVAILABLE",
        message: "The iterator is not available.",
      });
    }
    const ids =
      known?.ids ??
      matching(table, query)
        .map(({ id }) => id)
        .slice(0, most);
    const page = ids.slice(0, size).flatMap((id) => table.records.get(id) ?? []);
    const byId = query.get("returnFieldsByFieldId") === "true";
    const records = page.map((record) => shown(table, record, byId, fields.length > 0 ? fields : undefined));
    if (ids.length <= size) return { records };
    const offset = `${newId("itr")}/${ids[size - 1]}`;
    this.#iterators.set(offset, { query: asked.toString(), ids: ids.slice(size) });
    return { records, offset };
  }
}

function bodyOf(call: Call): Record<string, unknown> {
  const body = call.json();
  if (!isObject(body))
    throw new Refused(400, { type: "INVALID_REQUEST_BODY", message: "Could not parse request body" });
  if (Object.keys(body).some((name) => !BODY_PARAMETERS.includes(name))) throw PARAMETERS;
  return body;
}

function wholeNumber(text: string, most: number): number {
  if (!/^[1-9]\d*$/.test(text) || Number(text) > most) throw PARAMETERS;
  return Number(text);
}

function fieldOf(table: Table, name: string): Field {
  const found = table.fields.find((one) => one.id === name || one.name === name);
  if (found !== undefined) return found;
  throw new Refused(422, { type: "UNKNOWN_FIELD_NAME", message: `Unknown field name: "${name}"` });
}

function store(record: AirtableRecord, cells: ReadonlyMap<string, unknown>): void {
  for (const [id, value] of cells) {
    if (value === null) record.cells.delete(id);
    else record.cells.set(id, value);
  }
}

/** Without a sort order records come in no order that anybody knows: here by their random ids. */
function matching(table: Table, query: URLSearchParams): AirtableRecord[] {
  const formula = query.get("filterByFormula") ?? "";
  let records = [...table.records.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  const hasField = (name: string): boolean => table.fields.some((one) => one.id === name || one.name === name);
  try {
    if (formula !== "") {
      const matches = parseFormula(formula, hasField);
      records = records.filter((record) => matches(subjectOf(table, record)));
    }
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const message = `The formula for filtering records is invalid: ${error.message}`;
    throw new Refused(422, { type: "INVALID_FILTER_BY_FORMULA", message });
  }
  const sort = query.get("sort[0][field]");
  if (sort === null) return records;
  const by = fieldOf(table, sort);
  const sign = query.get("sort[0][direction]") === "desc" ? -1 : 1;
  const key = (record: AirtableRecord): string => String(cellOf(by, table, record) ?? "");
  return records.sort((left, right) => sign * (key(left) < key(right) ? -1 : Number(key(left) > key(right))));
}
