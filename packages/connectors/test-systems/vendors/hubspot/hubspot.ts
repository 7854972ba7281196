/** HubSpot as its API reference shows it: contacts, companies and deals with their properties, lists, search, and archiving. */
import { randomUUID } from "node:crypto";
import { absent, askedOf, invalid, listed, refuse, search, shown, type HubspotRecord, type Store } from "./lists.ts";
import { definitionOf, HUBSPOT_OBJECTS, storedValue } from "./properties.ts";
import { bearerOf, isObject, refusing, type Json, type Outside } from "../kit.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { HUBSPOT_SIGN_IN } from "../sign-in/rules.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";

export const HUBSPOT_TOKEN = "pat-eu1-0c5b1d1e-accord-test";
/** A token that HubSpot refuses. */
export const HUBSPOT_WRONG_TOKEN = "pat-eu1-wrong";

export interface HubspotServer extends VendorServer {
  contacts: Map<string, HubspotRecord>;
  companies: Map<string, HubspotRecord>;
  deals: Map<string, HubspotRecord>;
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  outside: Outside;
  rateLimitNext(): void;
}

function propertiesSent({ kind }: Store, body: unknown): Record<string, string | null> {
  const sent = isObject(body) ? body["properties"] : undefined;
  if (!isObject(sent)) return invalid("Invalid input JSON on line 1, column 1: properties must be an object");
  const kept: Record<string, string | null> = {};
  const errors: Json[] = [];
  for (const [name, value] of Object.entries(sent)) {
    const property = kind.properties.find((one) => one.name === name);
    const stored = property
      ? storedValue(property, value)
      : { error: "PROPERTY_DOESNT_EXIST", message: `Property "${name}" does not exist` };
    if (stored !== null && typeof stored === "object")
      errors.push({ isValid: false, ...stored, name, localizedErrorMessage: stored.message });
    else kept[name] = stored;
  }
  if (errors.length > 0) {
    const details = errors.map(({ message, error, name }) => ({
      message,
      code: error,
      context: { propertyName: [name] },
    }));
    invalid(`Property values were not valid: ${JSON.stringify(errors)}`, { errors: details });
  }
  return kept;
}

export async function startHubspot(seeded: number): Promise<HubspotServer> {
  let lastId = 100;
  let lastTime = Date.now() - 60_000 - seeded * 1000;
  const tick = (isSeed = false): string => {
    lastTime = isSeed ? lastTime + 1000 : Math.max(lastTime + 1, Date.now());
    return new Date(lastTime).toISOString();
  };
  const stores = [...HUBSPOT_OBJECTS].map(([plural, kind]): Store => ({ kind, plural, records: new Map() }));
  const storeOf = (name: string): Store | undefined =>
    stores.find(({ plural, kind }) => [plural, kind.typeId, kind.name.toLowerCase()].includes(name));

  const checkUnique = ({ kind, records }: Store, email: string | null | undefined, own?: string): void => {
    if (kind.name !== "CONTACT" || !email) return;
    const held = [...records.values()].find((one) => !one.archived && one.properties["email"] === email);
    if (held && held.id !== own) refuse(409, "CONFLICT", `Contact already exists. Existing ID: ${held.id}`);
  };
  const create = (store: Store, body: unknown, isSeed = false): HubspotRecord => {
    const sent = propertiesSent(store, body);
    const { kind } = store;
    const lacking = kind.needs.find((names) => names.every((name) => !sent[name]));
    if (lacking) {
      const message = `Error creating ${kind.name}. Some required properties were not set.`;
      const context = { properties: lacking };
      invalid(message, { errors: [{ message, code: "REQUIRED_PROPERTIES_MISSING", context }] });
    }
    checkUnique(store, sent["email"]);
    lastId += 1;
    const [id, at] = [String(lastId), tick(isSeed)];
    const kept = { createdate: at, [kind.changed]: at, hs_object_id: id };
    const properties: HubspotRecord["properties"] = {
      ...(kind.name === "DEAL" && { pipeline: "default" }),
      ...sent,
      ...kept,
    };
    const record: HubspotRecord = { id, properties, createdAt: at, updatedAt: at, archived: false };
    store.records.set(id, record);
    return record;
  };
  const update = (store: Store, id: string, body: unknown): HubspotRecord => {
    const record = store.records.get(id);
    if (!record || record.archived) return absent();
    const sent = propertiesSent(store, body);
    checkUnique(store, sent["email"], id);
    const at = tick();
    const changed = {
      ...record,
      updatedAt: at,
      properties: { ...record.properties, ...sent, [store.kind.changed]: at },
    };
    store.records.set(id, changed);
    return changed;
  };
  const archive = (store: Store, id: string): void => {
    const record = store.records.get(id);
    if (!record || record.archived) return;
    const at = tick();
    store.records.set(id, { ...record, archived: true, archivedAt: at, updatedAt: at });
  };

  const onRecord = (store: Store, call: Call, id: string): Reply => {
    const idProperty = call.query.get("idProperty");
    const found = [...store.records.values()].find((one) =>
      idProperty === null ? one.id === id : one.properties[idProperty] === id.toLowerCase(),
    );
    if (call.method === "DELETE") {
      archive(store, id);
      return { status: 204 };
    }
    if (call.method === "PATCH") {
      const body = call.json();
      const record = update(store, found?.id ?? id, body);
      const sent = isObject(body) && isObject(body["properties"]) ? Object.keys(body["properties"]) : [];
      return { status: 200, body: shown(store, record, sent) };
    }
    if (call.method !== "GET") return { status: 405 };
    if (!found || found.archived !== (call.query.get("archived") === "true")) return absent();
    return { status: 200, body: shown(store, found, askedOf(call.query)) };
  };
  const handle = (call: Call): Reply => {
    if (bearerOf(call) !== HUBSPOT_TOKEN)
      refuse(
        401,
        "INVALID_AUTHENTICATION",
        "Authentication credentials not found. This API supports OAuth 2.0 authentication and you can find more details at https://developers.hubspot.com/docs/methods/auth/oauth-overview",
      );
    if (["POST", "PATCH"].includes(call.method) && !isObject(call.json()))
      invalid("Invalid input JSON on line 1, column 1");
    if (call.path === "/account-info/v3/details" && call.method === "GET")
      return { status: 200, body: { portalId: 62515, accountType: "STANDARD", timeZone: "Europe/Berlin" } };
    const [, crm, v3, area, name = "", id, more] = call.path.split("/").map(decodeURIComponent);
    const store = crm === "crm" && v3 === "v3" && more === undefined ? storeOf(name) : undefined;
    if (!store || (area !== "objects" && area !== "properties")) return { status: 404 };
    if (area === "properties") {
      const definitions = store.kind.properties.map(definitionOf);
      const one = definitions.find((definition) => definition["name"] === id);
      if (id === undefined) return { status: 200, body: { results: definitions } };
      return one ? { status: 200, body: one } : absent();
    }
    if (id === "search" && call.method === "POST") return { status: 200, body: search(store, call.json()) };
    if (id !== undefined) return onRecord(store, call, id);
    if (call.method === "POST") {
      const record = create(store, call.json());
      return { status: 201, body: shown(store, record, Object.keys(record.properties)) };
    }
    return call.method === "GET" ? { status: 200, body: listed(store, call) } : { status: 405 };
  };

  const [contacts, companies, deals] = stores;
  if (!contacts || !companies || !deals) throw new Error("the three objects are defined");
  for (let n = 1; n <= seeded; n += 1)
    create(contacts, { properties: { email: `c${n}@example.com`, firstname: `Contact ${n}`, seats: n } }, true);
  for (let n = 1; n <= Math.min(seeded, 3); n += 1) {
    create(companies, { properties: { name: `Company ${n}`, domain: `c${n}.example.com` } }, true);
    create(deals, { properties: { dealname: `Deal ${n}`, dealstage: "qualifiedtobuy", amount: n * 100 } }, true);
  }
  const signIns = signInDesk(HUBSPOT_SIGN_IN);
  const server = await startVendor(signIns.inFrontOf(refusing(handle), HUBSPOT_TOKEN));
  return {
    ...server,
    signIns,
    contacts: contacts.records,
    companies: companies.records,
    deals: deals.records,
    outside: {
      create: async () => create(contacts, { properties: { firstname: "Made in HubSpot" } }).id,
      update: async (id) => void update(contacts, id, { properties: { firstname: `Changed ${randomUUID()}` } }),
      remove: async (id) => archive(contacts, id),
    },
    rateLimitNext() {
      const message = "You have reached your ten_secondly_rolling limit.";
      const rest = { errorType: "RATE_LIMIT", policyName: "TEN_SECONDLY_ROLLING", correlationId: randomUUID() };
      const headers = { "x-hubspot-ratelimit-max": "100", "x-hubspot-ratelimit-remaining": "0" };
      server.refuseNext({ status: 429, headers, body: { status: "error", message, ...rest } });
    },
  };
}
