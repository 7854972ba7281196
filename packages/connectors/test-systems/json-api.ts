/** A small company register with a JSON API, as systems in the wild have them: every kind of paging and sign-in, and faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Company, Fault, Habits } from "./json-api-habits.ts";
import { listCompanies, searchCompanies } from "./json-api-lists.ts";
import { valuesIn } from "./json-api-values.ts";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "./self-signed.ts";

export type { Company, Fault, Habits } from "./json-api-habits.ts";

export interface JsonApi {
  habits: Habits;
  url: string;
  secureUrl: string;
  companies: Map<number, Company>;
  /** Calls received, newest last: method, path and query. */
  calls: string[];
  /** Bodies received, one for each call. */
  bodies: string[];
  create(values: Partial<Company>): Company;
  touch(id: number, values: Partial<Company>): void;
  /** Sent with the next answer instead of doing anything. */
  refuseNext(status: number, headers?: Record<string, string>): void;
  loseAnswers(lose: boolean): void;
  stop(): Promise<void>;
}

export const API_KEY = "key-of-the-register";

export async function startJsonApi(seeded: number): Promise<JsonApi> {
  const companies = new Map<number, Company>();
  const history = new Map<number, { at: number; company: Company }[]>();
  const habits: Habits = {};
  const calls: string[] = [];
  const bodies: string[] = [];
  const madeByKey = new Map<string, Company>();
  let refusal: { status: number; headers: Record<string, string> } | null = null;
  let losing = false;
  let lastId = 0;
  let lastTime = Date.now() - 60_000;
  let issued = 0;
  const clock = (): number => Date.now() + (habits.clockOffsetMs ?? 0);
  const tick = (): string => {
    lastTime = habits.clockOffsetMs === undefined ? Math.max(lastTime + 1, Date.now() - 1000) : clock();
    return new Date(lastTime).toISOString();
  };

  const put = (company: Company): void => {
    companies.set(company.id, company);
    history.set(company.id, [...(history.get(company.id) ?? []), { at: Date.now(), company }]);
  };
  /** As readers are let see it. */
  const shown = (company: Company): Company | undefined => {
    const { lagMs = 0 } = habits;
    if (lagMs === 0) return company;
    return history.get(company.id)?.findLast(({ at }) => at <= Date.now() - lagMs)?.company;
  };

  const create = (values: Partial<Company>): Company => {
    lastId += 1;
    const blank = { name: "", email: null, size: null, active: true, tags: [], address: { city: null } };
    const company = { ...blank, ...values, id: lastId, updated_at: tick(), version: 1 };
    put(company);
    return company;
  };
  const touch = (id: number, values: Partial<Company>): void => {
    const company = companies.get(id);
    if (company) put({ ...company, ...values, id, updated_at: tick(), version: company.version + 1 });
  };
  for (let n = 1; n <= seeded; n += 1)
    create({
      name: `Company ${n}`,
      email: `c${n}@example.com`,
      size: n * 3,
      tags: ["a", `t${n}`],
      address: { city: "Kiel" },
    });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://register");
    const body = await bodyOf(request);
    const call = `${request.method} ${url.pathname}${url.search}`;
    calls.push(call);
    bodies.push(body);
    const answer = (fault: Fault): void => {
      if (fault === "reset") return void request.socket.destroy();
      response.writeHead(fault.status, { "content-type": "text/html", ...fault.headers });
      response.end(fault.text ?? "");
    };
    const before = await habits.beforeCall?.(call);
    if (before) return answer(before);
    const reply = (status: number, json: unknown, headers: Record<string, string> = {}): void => {
      const after = habits.afterCall?.(call);
      if (after) return answer(after);
      if (losing && request.method !== "GET") return void request.socket.destroy();
      response.sendDate = habits.isTimeless !== true;
      const date = habits.clockOffsetMs === undefined ? {} : { date: new Date(clock()).toUTCString() };
      const times = habits.isTimeless ? {} : date;
      response.writeHead(status, { "content-type": "application/json", ...times, ...headers });
      response.end(json === undefined ? "" : JSON.stringify(json));
    };
    if (refusal) {
      const { status, headers } = refusal;
      refusal = null;
      return reply(status, { error: { message: "not now" } }, headers);
    }
    if (url.pathname === "/token") {
      const form = new URLSearchParams(body);
      const good = form.get("client_id") === "register" && form.get("client_secret") === API_KEY;
      issued += 1;
      return good
        ? reply(200, { access_token: `${API_KEY}-${issued}`, expires_in: 3600 })
        : reply(401, { error: "invalid_client" });
    }
    if (!isSignedIn(request, url)) return reply(401, { error: { message: "Who are you?" } });
    const [, style = "", entity = "", id] = url.pathname.split("/");
    if (entity === "nothing") return reply(200, { items: [] });
    if (entity !== "companies") return reply(404, { error: { message: "No such thing" } });
    const company = companies.get(Number(id));
    const seen = company && shown(company);
    switch (request.method) {
      case "GET":
        if (id === undefined) return listCompanies(ordered(visible()), style, url, habits, reply);
        return seen
          ? reply(200, seen, habits.etags ? { etag: etagOf(seen) } : {})
          : reply(404, { error: { message: "No such company" } });
      case "POST": {
        if (id === "search") return searchCompanies(visible(), body, habits, reply);
        const sent = valuesIn(request, body, habits);
        const values = spelled(sent);
        const key = request.headers["idempotency-key"];
        const known = typeof key === "string" ? madeByKey.get(key) : undefined;
        if (!values.name) return reply(422, { error: { message: "A company needs a name" } });
        const held = habits.sameEmail && [...companies.values()].find(({ email }) => email && email === values.email);
        if (held && !known && habits.sameEmail === "updates") touch(held.id, values);
        const made = known ?? (held ? (companies.get(held.id) ?? held) : create(values));
        if (typeof key === "string") madeByKey.set(key, made);
        const location = `${url.pathname}/${made.id}`;
        return habits.quiet
          ? reply(201, undefined, { location })
          : reply(201, answered(habits, { before: made, sent, now: made }), { location });
      }
      case "PATCH":
      case "DELETE": {
        if (!company) return reply(404, { error: { message: "No such company" } });
        const { version, ...values } = valuesIn(request, body, habits);
        const match = request.headers["if-match"];
        if (habits.etags && match !== undefined && match !== etagOf(company))
          return reply(412, { error: { message: "It was changed" } });
        if (habits.versions && Number(version ?? url.searchParams.get("version")) !== company.version)
          return reply(409, { error: { message: "It was changed" } });
        if (request.method === "PATCH") touch(company.id, spelled(values));
        else companies.delete(company.id);
        if (habits.answersAfterMs) await sleep(habits.answersAfterMs);
        if (habits.quiet || request.method === "DELETE") return reply(204, undefined);
        return reply(200, answered(habits, { before: company, sent: values, now: companies.get(company.id) }));
      }
      default:
        return reply(405, {});
    }
  };
  const visible = (): Company[] => [...companies.values()].flatMap((company) => shown(company) ?? []);
  const ordered = (all: Company[]): Company[] => all.sort(habits.order ?? ((left, right) => left.id - right.id));
  const spelled = (values: Partial<Company>): Partial<Company> => habits.spell?.(values) ?? values;
  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response);
  const servers = [
    createServer(listener),
    createSecureServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, listener),
  ];
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const [port, securePort] = servers.map((server) => (server.address() as AddressInfo).port);
  return {
    url: `http://127.0.0.1:${port}`,
    habits,
    secureUrl: `https://localhost:${securePort}`,
    companies,
    calls,
    bodies,
    create,
    touch,
    refuseNext: (status, headers = {}) => (refusal = { status, headers }),
    loseAnswers: (lose) => (losing = lose),
    async stop() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** What a write is answered with. `before`: the record as it was, or as it is where it is new. */
function answered(
  { answers }: Habits,
  { before, sent, now }: { before: Company; sent: Partial<Company>; now: Company | undefined },
): unknown {
  if (answers === "ok" && before !== now) return { ok: true };
  if (answers === "asBefore") return before;
  return answers === "asSent" ? { ...now, ...sent } : now;
}

const etagOf = ({ id, version }: Company): string => `"${id}.${version}"`;

function isSignedIn(request: IncomingMessage, url: URL): boolean {
  const authorization = request.headers.authorization ?? "";
  const basic = `Basic ${Buffer.from(`register:${API_KEY}`).toString("base64")}`;
  return (
    request.headers["x-api-key"] === API_KEY ||
    url.searchParams.get("key") === API_KEY ||
    authorization === basic ||
    authorization.startsWith(`Bearer ${API_KEY}`)
  );
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
