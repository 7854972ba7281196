/** Salesforce as the REST API developer guide shows it: an organization with accounts, contacts, leads and opportunities. */
import { randomBytes } from "node:crypto";
import { describeField } from "./fields.ts";
import type { Row } from "./filter.ts";
import { OBJECTS, objectNamed, type SalesforceObject } from "./objects.ts";
import { Queries } from "./queries.ts";
import { SalesforceWorld } from "./records.ts";
import { notFound, refuse } from "./refusals.ts";
import { notAllowed, Rows } from "./rows.ts";
import { basicOf, bearerOf, refusing, type Json, type Outside } from "../kit.ts";
import { signInDesk, type SignInDesk } from "../sign-in/desk.ts";
import { salesforceSignIn } from "../sign-in/rules.ts";
import { startVendor, type Call, type Reply, type VendorServer } from "../server.ts";

export const SALESFORCE_CLIENT_ID = "3MVG9AcmeConsumerKey0123456789";
export const SALESFORCE_CLIENT_SECRET = "1955279925675241571-consumer-secret";
/** A token of a session that is there from the beginning. */
export const SALESFORCE_TOKEN = "00DgK0000000001!AQ0AQUsualSession";
const ORGANIZATION = "00DgK0000000001EAA";
/** The oldest version that still answers, and the newest. */
const [OLDEST, NEWEST] = [31, 68];
const DAILY_CALLS = 100_000;

export interface SalesforceServer extends VendorServer {
  accounts: Map<string, Row>;
  contacts: Map<string, Row>;
  leads: Map<string, Row>;
  opportunities: Map<string, Row>;
  /** Where people sign in in the browser. */
  signIns: SignInDesk;
  /** The instance that token answers name; the server itself at the start. */
  nameInstance(url: string): void;
  /** What people do to accounts. */
  outside: Outside;
  outsideOf(objectName: "Account" | "Contact"): Outside;
  /** The system itself touches a record: `SystemModstamp` moves, `LastModifiedDate` does not. */
  touchBySystem(id: string): void;
  /** Deleted records are gone for good. */
  emptyRecycleBin(): void;
  /** All sessions end; tokens have no time of expiry that their answer says. */
  endSessions(): void;
  /** The next call is one too many. Salesforce names no time to wait; with `waitMs` something before it does. */
  rateLimitNext(waitMs?: number): void;
}

/** `seeded` accounts and as many contacts, a third as many leads and opportunities. `batch`: the most records of an answer. */
export async function startSalesforce(seeded: number, { batch = 250 } = {}): Promise<SalesforceServer> {
  const world = new SalesforceWorld();
  fill(world, seeded);
  const api = new SalesforceApi(world, batch);
  const signIns = signInDesk(salesforceSignIn(() => api.instance, ORGANIZATION));
  const server = await startVendor(
    signIns.inFrontOf(
      refusing((call) => api.answer(call)),
      SALESFORCE_TOKEN,
    ),
  );
  api.url = server.url;
  api.instance = server.url;
  const outsideOf = (objectName: "Account" | "Contact"): Outside =>
    outsideFor(world, objectNamed(objectName) ?? notFound());
  return {
    ...server,
    signIns,
    nameInstance: (url) => void (api.instance = url),
    accounts: world.rows("Account"),
    contacts: world.rows("Contact"),
    leads: world.rows("Lead"),
    opportunities: world.rows("Opportunity"),
    outside: outsideOf("Account"),
    outsideOf,
    touchBySystem: (id) => world.touchBySystem(id),
    emptyRecycleBin: () => world.emptyRecycleBin(),
    endSessions: () => api.sessions.clear(),
    rateLimitNext(waitMs) {
      const headers: Record<string, string> = waitMs === undefined ? {} : { "retry-after": String(waitMs / 1000) };
      const body = [{ message: "TotalRequests Limit exceeded.", errorCode: "REQUEST_LIMIT_EXCEEDED" }];
      api.refusals.push({ status: 403, headers, body });
    },
  };
}

function outsideFor(world: SalesforceWorld, object: SalesforceObject): Outside {
  const named = (name: string): Json => ({ [object.name === "Account" ? "Name" : "LastName"]: name });
  return {
    create: async () => String(world.create(object, named("Entered by hand"))["Id"]),
    update: async (id) => world.update(object, id, named(`Changed by hand ${randomBytes(4).toString("hex")}`)),
    remove: async (id) => world.delete(object, id),
  };
}

function fill(world: SalesforceWorld, seeded: number): void {
  const [account, contact, lead, opportunity] = OBJECTS;
  if (!account || !contact || !lead || !opportunity) return;
  for (let n = 1; n <= seeded; n++) {
    const at = Date.UTC(2024, 0, 1, 0, n);
    const employees = n % 5 === 0 ? null : n;
    const AccountId = world.create(account, { Name: `Account ${n}`, NumberOfEmployees: employees }, at)["Id"];
    world.create(contact, { LastName: `Müller ${n}`, Email: `c${n}@example.com`, AccountId }, at);
    if (n % 3 !== 0) continue;
    world.create(lead, { LastName: `Lead ${n}`, Company: "O'Hara & Sons" }, at);
    const deal = { Name: `Deal ${n}`, StageName: "Prospecting", CloseDate: "2024-06-30", Amount: n * 100.5 };
    world.create(opportunity, { ...deal, AccountId }, at);
  }
}

class SalesforceApi {
  url = "";
  instance = "";
  readonly sessions = new Set([SALESFORCE_TOKEN]);
  /** For calls of the API, not for those that sign in. */
  readonly refusals: Reply[] = [];
  readonly #queries: Queries;
  readonly #rows: Rows;
  #used = 0;

  constructor(world: SalesforceWorld, batch: number) {
    this.#queries = new Queries(world, batch);
    this.#rows = new Rows(world, this.#queries);
  }

  answer(call: Call): Reply {
    const path = call.path.replace(/\/$/, "");
    if (path === "/services/oauth2/token") return this.#signIn(call);
    if (path === "/services/data") return { status: 200, body: versions() };
    const [, version = "", number = "", rest = ""] = /^\/services\/data\/(v(\d+)\.0)(?:\/(.*))?$/.exec(path) ?? [];
    if (version === "" || Number(number) > NEWEST) return notFound();
    if (Number(number) < OLDEST)
      return refuse(410, "UNSUPPORTED_API_VERSION", `API version ${number}.0 has been retired`);
    if (!this.sessions.has(bearerOf(call) ?? ""))
      return refuse(401, "INVALID_SESSION_ID", "Session expired or invalid");
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return refusal;
    this.#used++;
    const { headers = {}, ...reply } = this.#route(call, version, rest.split("/").map(decodeURIComponent));
    return { ...reply, headers: { "sforce-limit-info": `api-usage=${this.#used}/${DAILY_CALLS}`, ...headers } };
  }

  #signIn(call: Call): Reply {
    const failed = (error: string, error_description: string): Reply => ({
      status: 400,
      body: { error, error_description },
    });
    if (call.method !== "POST") return failed("invalid_request", "must use HTTP POST");
    if (!/^application\/x-www-form-urlencoded\b/i.test(call.headers["content-type"] ?? ""))
      return failed("unsupported_grant_type", "grant type not supported");
    const form = new URLSearchParams(call.text);
    if (form.get("grant_type") !== "client_credentials")
      return failed("unsupported_grant_type", "grant type not supported");
    const basic = basicOf(call);
    if ((basic?.user ?? form.get("client_id")) !== SALESFORCE_CLIENT_ID)
      return failed("invalid_client_id", "client identifier invalid");
    if ((basic?.password ?? form.get("client_secret")) !== SALESFORCE_CLIENT_SECRET)
      return failed("invalid_client", "invalid client credentials");
    const token = `00DgK0000000001!AQ0${randomBytes(24).toString("hex")}`;
    this.sessions.add(token);
    const body = {
      access_token: token,
      signature: randomBytes(32).toString("base64"),
      scope: "api",
      instance_url: this.url,
      id: `${this.url}/id/${ORGANIZATION}/005gK0000000001`,
      token_type: "Bearer",
      issued_at: String(Date.now()),
    };
    return { status: 200, body };
  }

  #route(call: Call, version: string, [area = "", ...rest]: string[]): Reply {
    const base = `/services/data/${version}`;
    const get = (body: () => unknown): Reply =>
      call.method === "GET" ? { status: 200, body: body() } : notAllowed(call, "HEAD,GET");
    if (area === "")
      return get(() =>
        Object.fromEntries(["sobjects", "query", "queryAll", "limits"].map((name) => [name, `${base}/${name}`])),
      );
    if (area === "limits" && rest.length === 0)
      return get(() => ({ DailyApiRequests: { Max: DAILY_CALLS, Remaining: DAILY_CALLS - this.#used } }));
    if ((area === "query" || area === "queryAll") && rest.length <= 1) {
      const [locator] = rest;
      return get(() =>
        locator === undefined
          ? this.#queries.query(call, version, area === "queryAll")
          : this.#queries.more(call, version, locator),
      );
    }
    if (area !== "sobjects") return notFound();
    const [name, second, third, more] = rest;
    if (name === undefined)
      return get(() => ({ encoding: "UTF-8", maxBatchSize: 200, sobjects: OBJECTS.map((one) => facts(one, base)) }));
    const object = objectNamed(name);
    if (object === undefined || more !== undefined) return notFound();
    return this.#object(call, version, object, second, third);
  }

  #object(call: Call, version: string, object: SalesforceObject, second?: string, third?: string): Reply {
    const { method } = call;
    const isUser = object.name === "User";
    if (method !== "GET" && isUser) return notAllowed(call, "HEAD,GET");
    if (second === undefined) {
      if (method === "POST") return this.#rows.create(object, call);
      if (method !== "GET") return notAllowed(call, "HEAD,GET,POST");
      return { status: 200, body: { objectDescribe: facts(object, `/services/data/${version}`), recentItems: [] } };
    }
    if (third !== undefined) return this.#rows.byExternalId(object, second, third, call, version);
    if (second === "describe" && method === "GET") return described(object, call, version);
    if ((second === "deleted" || second === "updated") && method === "GET")
      return { status: 200, body: this.#queries.changed(object, call, second) };
    return this.#rows.byId(object, second, call, version);
  }
}

const SEASONS = ["Winter", "Spring", "Summer"];

function versions(): Json[] {
  return Array.from({ length: NEWEST - OLDEST + 1 }, (_, at) => {
    const number = OLDEST + at;
    const label = `${SEASONS[(number + 1) % 3] ?? ""} '${String(Math.floor((number + 13) / 3)).padStart(2, "0")}`;
    return { label, url: `/services/data/v${number}.0`, version: `${number}.0` };
  });
}

const DESCRIBED = "Mon, 01 Jan 2024 00:00:00 GMT";

function described(object: SalesforceObject, call: Call, version: string): Reply {
  const since = Date.parse(call.headers["if-modified-since"] ?? "");
  if (since >= Date.parse(DESCRIBED)) return { status: 304 };
  const body = {
    ...facts(object, `/services/data/${version}`),
    childRelationships: [],
    fields: object.fields.map(describeField),
    recordTypeInfos: [{ active: true, available: true, defaultRecordTypeMapping: true, master: true, name: "Master" }],
    supportedScopes: [{ label: `All ${object.labelPlural.toLowerCase()}`, name: "everything" }],
  };
  return { status: 200, headers: { "last-modified": DESCRIBED }, body };
}

function facts({ name, label, labelPlural, keyPrefix }: SalesforceObject, base: string): Json {
  const isWritable = name !== "User";
  const address = `${base}/sobjects/${name}`;
  return {
    activateable: false,
    createable: isWritable,
    custom: false,
    customSetting: false,
    deletable: isWritable,
    deprecatedAndHidden: false,
    keyPrefix,
    label,
    labelPlural,
    layoutable: true,
    mergeable: isWritable && name !== "Opportunity",
    name,
    queryable: true,
    replicateable: true,
    retrieveable: true,
    searchable: true,
    triggerable: true,
    undeletable: isWritable,
    updateable: isWritable,
    urls: { sobject: address, describe: `${address}/describe`, rowTemplate: `${address}/{ID}` },
  };
}
