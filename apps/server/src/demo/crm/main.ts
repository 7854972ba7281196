/** The demo's CRM as its own program: a JSON API with an API key, and a page where a person changes companies by hand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { randomBytes, timingSafeEqual } from "node:crypto";
import { openCompanyStore, type Company, type CompanyValues } from "./company-store.ts";
import { crmPage } from "./page.ts";

const [portText = "0", journal = ""] = process.argv.slice(2);
/** The first line of our input; until it has come nobody gets in. */
let apiKey = randomBytes(32).toString("hex");
const store = openCompanyStore(journal);

/** Now and then the CRM asks its callers to slow down, as real ones do. */
const REFUSES_ONE_IN = 2500;
const MAX_BODY_SIZE = 1_000_000;
let calls = 0;

class Refusal extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.headers = headers;
  }
}

const server = createServer((request, response) => {
  void handle(request, response).catch((error: unknown) => {
    const refusal = error instanceof Refusal ? error : new Refusal(500, "Something went wrong in the CRM.");
    reply(response, refusal.status, { error: { message: refusal.message } }, refusal.headers);
  });
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", "http://crm");
  if (url.pathname === "/" && request.method === "GET") {
    response.writeHead(200, {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    });
    response.end(crmPage);
    return;
  }
  const isPage = url.pathname.startsWith("/page/");
  if (isPage) demandOwnPage(request);
  else if (url.pathname.startsWith("/api/")) demandKey(request);
  else throw new Refusal(404, "There is nothing here.");
  const by = isPage ? "A person in the CRM" : "Accord";
  const [, , kind = "", id] = url.pathname.split("/");
  if (kind === "changes" && isPage) return reply(response, 200, { changes: store.recentChanges() });
  if (kind !== "companies") throw new Refusal(404, "There is nothing here.");
  if (id !== undefined) return one(request, response, decodeURIComponent(id), by);
  if (request.method === "GET")
    return reply(response, 200, isPage ? searchPage(url.searchParams) : listPage(url.searchParams));
  if (request.method !== "POST") throw new Refusal(405, "Companies can be listed and created here.");
  const values = valuesFrom(await bodyOf(request), true);
  const key = request.headers["idempotency-key"];
  reply(response, 201, store.create(values, by, typeof key === "string" ? key : undefined));
}

async function one(request: IncomingMessage, response: ServerResponse, id: string, by: string): Promise<void> {
  const missing = new Refusal(404, `There is no company ${id}.`);
  switch (request.method) {
    case "GET": {
      const company = store.get(id);
      if (!company) throw missing;
      return reply(response, 200, company);
    }
    case "PATCH": {
      const company = store.update(id, valuesFrom(await bodyOf(request), false), by);
      if (!company) throw missing;
      return reply(response, 200, company);
    }
    case "DELETE":
      if (!store.remove(id, by)) throw missing;
      return reply(response, 204, undefined);
    default:
      throw new Refusal(405, "A company can be read, changed and deleted here.");
  }
}

/** Pages in the order of changes; the cursor is a place in that order, so that nothing slides while it is paged. */
function listPage(query: URLSearchParams): unknown {
  for (const field of ["domain", "vat_number", "email"] as const) {
    const value = query.get(field);
    if (value !== null) return { companies: store.findBy(field, value), paging: { next: null } };
  }
  const size = Math.min(1000, Math.max(1, Number(query.get("size") ?? 100) || 100));
  const after = query.get("updated_after");
  const companies = store.listChanged(after, placeOf(query.get("cursor")), size);
  const last = companies.at(-1);
  const next = companies.length === size && last ? `${last.updated_at}_${last.id}` : null;
  return { companies, paging: { next } };
}

function placeOf(cursor: string | null): { updatedAt: string; id: string } | null {
  if (cursor === null || cursor === "") return null;
  const at = cursor.lastIndexOf("_");
  if (at < 0) throw new Refusal(400, "This cursor is not one of ours.");
  return { updatedAt: cursor.slice(0, at), id: cursor.slice(at + 1) };
}

function searchPage(query: URLSearchParams): unknown {
  const from = Math.max(0, Number(query.get("from") ?? 0) || 0);
  return store.search(query.get("search") ?? "", from, 50);
}

const TEXTS = [
  "name",
  "domain",
  "vat_number",
  "industry",
  "phone",
  "email",
  "street",
  "postal_code",
  "city",
  "country",
  "owner",
] as const;
const NUMBERS = ["employees", "annual_revenue"] as const;
const STAGES: readonly string[] = ["prospect", "customer", "former"] satisfies Company["stage"][];

/** Takes known fields only and says which one is wrong. */
function valuesFrom(body: unknown, isNew: boolean): CompanyValues {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw new Refusal(400, "A JSON object is expected.");
  const sent = new Map<string, unknown>(Object.entries(body));
  const values: CompanyValues = {};
  for (const name of TEXTS) {
    const value = sent.get(name);
    if (value === undefined) continue;
    if (value !== null && (typeof value !== "string" || value.length > 300))
      throw new Refusal(422, `${name} must be a text of 300 characters at most.`);
    const text = value?.trim() || null;
    if (name === "name" && text === null) throw new Refusal(422, "A company needs a name.");
    if (name === "email" && text !== null && !/^[^\s@]+@[^\s@]+$/.test(text))
      throw new Refusal(422, "email is not an e-mail address.");
    Object.assign(values, { [name]: text });
  }
  for (const name of NUMBERS) {
    const value = sent.get(name);
    if (value === undefined) continue;
    if (value !== null && (typeof value !== "number" || !Number.isFinite(value) || value < 0))
      throw new Refusal(422, `${name} must be a number of 0 or more.`);
    Object.assign(values, { [name]: value });
  }
  const stage = sent.get("stage");
  if (stage !== undefined && stage !== null) {
    if (typeof stage !== "string" || !STAGES.includes(stage))
      throw new Refusal(422, `stage must be one of ${STAGES.join(", ")}.`);
    values.stage = stage as Company["stage"];
  }
  if (isNew && !values.name) throw new Refusal(422, "A company needs a name.");
  return values;
}

function demandKey(request: IncomingMessage): void {
  const given = Buffer.from(String(request.headers["x-api-key"] ?? ""));
  const right = Buffer.from(apiKey);
  if (given.length !== right.length || !timingSafeEqual(given, right)) throw new Refusal(401, "The API key is wrong.");
  calls += 1;
  if (calls % REFUSES_ONE_IN === 0) throw new Refusal(429, "Too many calls.", { "retry-after": "1" });
}

/** The page's own calls: another site's page can neither send this header nor name itself as this host. */
function demandOwnPage(request: IncomingMessage): void {
  const origin = request.headers.origin;
  const isOwn = origin === undefined || origin === `http://${request.headers.host}`;
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(request.headers.host ?? "");
  if (!isOwn || !isLocal || request.headers["x-crm-page"] !== "1")
    throw new Refusal(403, "Only the CRM's own page may do this.");
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_SIZE) throw new Refusal(413, "That is too much at once.");
    parts.push(part);
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new Refusal(400, "The body is not valid JSON.");
  }
}

function reply(response: ServerResponse, status: number, json: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    ...headers,
  });
  response.end(json === undefined ? undefined : JSON.stringify(json));
}

server.on("error", (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen(Number(portText), "127.0.0.1", () => {
  const address = server.address();
  // The starter reads this line to know where we are.
  process.stdout.write(`${JSON.stringify({ port: typeof address === "object" ? address?.port : 0 })}\n`);
});

/** Ends with the program that started it: its pipe closes even when that program is killed. */
function end(): void {
  store.close();
  process.exit(0);
}
process.stdin.once("data", (bytes: Buffer) => (apiKey = bytes.toString("utf8").trim()));
process.stdin.on("end", end);
process.stdin.on("error", end);
process.on("SIGTERM", end);
process.on("SIGINT", () => {});
