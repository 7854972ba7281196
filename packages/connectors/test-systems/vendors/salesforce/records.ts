/** The records of the simulated Salesforce: how they are made, changed, deleted and purged, and what the system computes. */
import type { Row } from "./filter.ts";
import { numberedId } from "./ids.ts";
import { fieldNamed, OBJECTS, objectNamed, STAGES, type SalesforceObject } from "./objects.ts";
import { isDeleted, noColumn, refuse } from "./refusals.ts";
import { isObject, type Json } from "../kit.ts";
import { checkValue, readValue, salesforceTime } from "./values.ts";

const ADDRESS_PARTS = ["City", "Country", "Latitude", "Longitude", "PostalCode", "State", "Street"];
/** What is deleted together with the record that it refers to. */
const CASCADES: Readonly<Record<string, readonly string[]>> = { Account: ["Contact", "Opportunity"] };

export class SalesforceWorld {
  /** By the object's name, then by id; deleted records stay until they are purged. */
  readonly stores = new Map(OBJECTS.map(({ name }) => [name, new Map<string, Row>()]));
  readonly userId: string;
  #lastNumber = 0;

  constructor() {
    this.userId = numberedId("005", 1);
    this.rows("User").set(this.userId, {
      Id: this.userId,
      Username: "integration@acme.example",
      Name: "Integration User",
      Email: "integration@acme.example",
      SystemModstamp: salesforceTime(Date.UTC(2024, 0, 1)),
      IsDeleted: false,
    });
  }

  rows(objectName: string): Map<string, Row> {
    const rows = this.stores.get(objectName);
    if (rows === undefined) throw new Error(`no object ${objectName}`);
    return rows;
  }

  /** `at`: when it happened, for records that are there from the beginning. */
  create(object: SalesforceObject, body: Json, at = Date.now()): Row {
    const sent = this.#read(object, body, "create");
    const missing = object.fields.filter(
      (one) => one.createable && !one.nillable && !one.defaultedOnCreate && (sent[one.name] ?? null) === null,
    );
    if (missing.length > 0) requiredMissing(missing.map(({ name }) => name));
    const id = numberedId(object.keyPrefix, (this.#lastNumber += 1));
    const row: Row = {};
    for (const one of object.fields) row[one.name] = sent[one.name] ?? one.initial;
    const moment = salesforceTime(at);
    Object.assign(row, {
      Id: id,
      IsDeleted: false,
      OwnerId: sent["OwnerId"] ?? this.userId,
      CreatedDate: moment,
      CreatedById: this.userId,
      LastModifiedDate: moment,
      LastModifiedById: this.userId,
      SystemModstamp: moment,
    });
    compute(object, row, sent);
    this.rows(object.name).set(id, row);
    return row;
  }

  update(object: SalesforceObject, id: string, body: Json, at = Date.now()): void {
    const row = this.rows(object.name).get(id);
    if (row === undefined) return refuse(404, "NOT_FOUND", "The requested resource does not exist");
    if (row["IsDeleted"] === true) return isDeleted();
    const sent = this.#read(object, body, "update", id);
    const emptied = object.fields.filter(({ name, nillable }) => !nillable && sent[name] === null);
    if (emptied.length > 0) requiredMissing(emptied.map(({ name }) => name));
    const moment = salesforceTime(at);
    Object.assign(row, sent, { LastModifiedDate: moment, LastModifiedById: this.userId, SystemModstamp: moment });
    compute(object, row, sent);
  }

  /** Something of the system's own touches a record: nobody modified it, but it is another one. */
  touchBySystem(id: string): void {
    const row = this.#anywhere(id);
    if (row === undefined) return;
    row["LastActivityDate"] = new Date().toISOString().slice(0, 10);
    row["SystemModstamp"] = salesforceTime(Date.now());
  }

  delete(object: SalesforceObject, id: string): void {
    const row = this.rows(object.name).get(id);
    if (row === undefined) return refuse(404, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", []);
    if (row["IsDeleted"] === true) return isDeleted();
    for (const one of [row, ...this.#dependents(object, id)]) {
      one["IsDeleted"] = true;
      one["SystemModstamp"] = salesforceTime(Date.now());
    }
  }

  /** Deleted records leave the recycle bin, as they do after 15 days. */
  emptyRecycleBin(): void {
    for (const rows of this.stores.values())
      for (const [id, row] of rows) if (row["IsDeleted"] === true) rows.delete(id);
  }

  /** The record that a reference means; deleted ones only when asked for. */
  related(objectName: string, id: unknown): Row | undefined {
    const row = typeof id === "string" ? this.stores.get(objectName)?.get(id) : undefined;
    return row?.["IsDeleted"] === true ? undefined : row;
  }

  #anywhere(id: string): Row | undefined {
    for (const rows of this.stores.values()) if (rows.has(id)) return rows.get(id);
    return undefined;
  }

  #dependents(object: SalesforceObject, id: string): Row[] {
    return (CASCADES[object.name] ?? []).flatMap((name) =>
      [...this.rows(name).values()].filter((row) => row["AccountId"] === id && row["IsDeleted"] !== true),
    );
  }

  #read(object: SalesforceObject, body: Json, doing: "create" | "update", id?: string): Row {
    const sent: Row = {};
    const readOnly: string[] = [];
    for (const [name, value] of Object.entries(body)) {
      if (name === "attributes") continue;
      const one = fieldNamed(object, name) ?? noColumn(name, object.name);
      if (one.type === "id")
        refuse(400, "INVALID_FIELD", `The ${one.name} field should not be specified in the sobject data.`);
      sent[one.name] = readValue(one, value);
      if (!(doing === "create" ? one.createable : one.updateable)) readOnly.push(one.name);
    }
    if (readOnly.length > 0) {
      const message = `Unable to create/update fields: ${readOnly.join(", ")}. Please check the security settings of this field and verify that it is read/write for your profile or permission set.`;
      refuse(400, "INVALID_FIELD_FOR_INSERT_UPDATE", message, readOnly);
    }
    for (const one of object.fields) {
      const value = sent[one.name];
      if (value === undefined || value === null) continue;
      sent[one.name] = checkValue(one, value);
      if (one.type === "reference") this.#checkTarget(one, String(sent[one.name]));
      if (one.unique) this.#checkUnique(object, one.name, value, id);
    }
    return sent;
  }

  #checkTarget(
    { name, label, referenceTo }: { name: string; label: string; referenceTo: readonly string[] },
    id: string,
  ): void {
    const targets = referenceTo.flatMap((one) => objectNamed(one) ?? []);
    if (!targets.some(({ keyPrefix }) => id.startsWith(keyPrefix)))
      refuse(400, "FIELD_INTEGRITY_EXCEPTION", `${label}: id value of incorrect type: ${id}`, [name]);
    const found = targets.map((one) => this.rows(one.name).get(id)).find((row) => row !== undefined);
    if (found === undefined) refuse(400, "INVALID_CROSS_REFERENCE_KEY", "invalid cross reference id", []);
    if (found["IsDeleted"] === true) refuse(400, "ENTITY_IS_DELETED", "entity is deleted", []);
  }

  #checkUnique(object: SalesforceObject, name: string, value: unknown, own?: string): void {
    const held = this.withValue(object, name, value).find((row) => row["Id"] !== own);
    if (held === undefined) return;
    const message = `duplicate value found: ${name} duplicates value on record with id: ${String(held["Id"]).slice(0, 15)}`;
    refuse(400, "DUPLICATE_VALUE", message, []);
  }

  /** Records that are not deleted with this text in a field, whatever its case. */
  withValue(object: SalesforceObject, name: string, value: unknown): Row[] {
    const wanted = String(value).toLowerCase();
    return [...this.rows(object.name).values()].filter(
      (row) => row["IsDeleted"] !== true && String(row[name] ?? "").toLowerCase() === wanted,
    );
  }
}

function requiredMissing(names: string[]): never {
  return refuse(400, "REQUIRED_FIELD_MISSING", `Required fields are missing: [${names.join(", ")}]`, names);
}

/** Names of people, addresses in one, and what the stage of an opportunity means. */
function compute(object: SalesforceObject, row: Row, sent: Row): void {
  if (object.name === "Contact" || object.name === "Lead")
    row["Name"] = [row["FirstName"], row["LastName"]].filter((part) => typeof part === "string").join(" ");
  for (const { name, type } of object.fields) if (type === "address") row[name] = addressOf(row, name.slice(0, -7));
  if (object.name === "Account") {
    const employees = row["NumberOfEmployees"];
    row["Score__c"] = typeof employees === "number" ? employees / 10 : null;
    row["PhotoUrl"] = `/services/images/photo/${String(row["Id"])}`;
  }
  if (object.name !== "Opportunity") return;
  const stage = STAGES[String(row["StageName"])];
  if (sent["StageName"] !== undefined) {
    row["ForecastCategory"] = stage?.forecast ?? "Pipeline";
    if (typeof sent["Probability"] !== "number") row["Probability"] = stage?.probability ?? 0;
  }
  row["IsClosed"] = stage?.isClosed ?? false;
  row["IsWon"] = stage?.isWon ?? false;
  const [amount, probability] = [row["Amount"], row["Probability"]];
  row["ExpectedRevenue"] =
    typeof amount === "number" && typeof probability === "number" ? Math.round(amount * probability) / 100 : null;
}

function addressOf(row: Row, prefix: string): Json | null {
  const parts = ADDRESS_PARTS.map((part) => [part.charAt(0).toLowerCase() + part.slice(1), row[prefix + part] ?? null]);
  if (parts.every(([, value]) => value === null)) return null;
  const shown: unknown = Object.fromEntries([...parts, ["geocodeAccuracy", null]]);
  return isObject(shown) ? shown : null;
}
