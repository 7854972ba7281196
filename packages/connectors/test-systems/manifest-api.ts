/** A small system that speaks as many dialects as manifests describe: paging, sign-in, partitions, times, and faults on demand. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "./self-signed.ts";

export interface Item {
  id: number;
  name: string;
  size: number | null;
  region: string;
  project: number;
  updated_at: string;
}

export interface Fault {
  status: number;
  headers?: Record<string, string>;
  body?: string;
  /** Only calls whose address holds this. */
  at?: string;
  /** The answer breaks off in its middle. */
  isTorn?: boolean;
}

export interface ManifestApi {
  url: string;
  secureUrl: string;
  items: Item[];
  /** Calls received: method, address, and what signed them. */
  calls: { method: string; address: string; authorization: string; body: string }[];
  /** Called before each call is answered. */
  onCall: ((address: string) => void) | null;
  faults: Fault[];
  /** Access tokens given out so far. */
  tokens: number;
  revoke(): void;
  add(values?: Partial<Item>): Item;
  touch(id: number): void;
  stop(): Promise<void>;
}

export const SECRET = "the-secret-of-the-system";
const PROJECTS = 5;
const REGIONS = ["eu", "us", "apac"];
const PAGE = 4;

export async function startManifestApi(seeded: number): Promise<ManifestApi> {
  let lastId = 0;
  let lastTime = Date.parse("2024-01-01T00:00:00Z");
  let isRevoked = false;
  const add = (values: Partial<Item> = {}): Item => {
    lastId += 1;
    lastTime += 7_000_000;
    const item: Item = {
      id: lastId,
      name: `Item ${lastId}`,
      size: lastId % 3 === 0 ? null : lastId * 2,
      region: REGIONS[lastId % REGIONS.length] ?? "eu",
      project: (lastId % PROJECTS) + 1,
      updated_at: new Date(lastTime).toISOString().replace(".000", ""),
      ...values,
    };
    api.items.push(item);
    return item;
  };
  const api: ManifestApi = {
    url: "",
    secureUrl: "",
    items: [],
    calls: [],
    onCall: null,
    faults: [],
    tokens: 0,
    revoke: () => (isRevoked = true),
    add,
    touch(id) {
      const item = api.items.find((one) => one.id === id);
      if (!item) return;
      lastTime = Math.max(lastTime + 1_000, Date.now() - 1_000);
      Object.assign(item, { name: `${item.name}!`, updated_at: new Date(lastTime).toISOString().replace(/\.\d+/, "") });
    },
    stop: async () => {},
  };
  for (let n = 0; n < seeded; n += 1) add();

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = request.url ?? "/";
    const body = await bodyOf(request);
    const authorization = String(
      request.headers.authorization ?? request.headers["x-api-key"] ?? request.headers["x-session"] ?? "",
    );
    api.calls.push({ method: request.method ?? "", address, authorization, body });
    api.onCall?.(address);
    const at = api.faults.findIndex((fault) => !fault.at || address.includes(fault.at));
    const [fault] = at < 0 ? [] : api.faults.splice(at, 1);
    const answer = fault && !fault.isTorn ? fault : answerTo(request, address, body, authorization);
    const text = answer.body ?? "";
    const type = { "content-type": "application/json", ...answer.headers };
    if (fault?.isTorn) {
      response.writeHead(200, { ...type, "content-length": String(text.length + 100) });
      response.write(text.slice(0, Math.ceil(text.length / 2)));
      return void setTimeout(() => request.socket.destroy(), 5);
    }
    response.writeHead(answer.status, type);
    response.end(text);
  };

  const json = (value: unknown, headers: Record<string, string> = {}): Fault => ({
    status: 200,
    body: JSON.stringify(value),
    headers,
  });
  const denied: Fault = { status: 401, body: JSON.stringify({ error: { message: "Who are you?" } }) };

  function answerTo(request: IncomingMessage, address: string, body: string, authorization: string): Fault {
    const url = new URL(address, "http://system");
    const query = url.searchParams;
    const [, area = "", second = "", third = ""] = url.pathname.split("/");
    const whole = sorted();
    const page = (list: unknown[], start: number, size: number) => list.slice(start, start + size);
    switch (area) {
      case "page": {
        if (request.headers["x-api-key"] !== SECRET) return denied;
        const [number, size] = [Number(query.get("page") ?? 1), Number(query.get("per_page"))];
        return json({ data: page(since(whole, query), (number - 1) * size, size) });
      }
      case "nothing":
        return json({ data: [] });
      case "cursor": {
        if (authorization !== `Bearer ${SECRET}`) return denied;
        const after = Number(query.get("after") ?? 0);
        const list = since(whole, query).filter((item) => item.id > after);
        const items = page(list, 0, PAGE);
        return json({ items, meta: { next: list.length > PAGE ? items.at(-1) : null } });
      }
      case "oauth": {
        const form = new URLSearchParams(body);
        const isGood =
          form.get("client_secret") === SECRET &&
          (form.get("refresh_token") === "refresh" || form.get("grant_type") === "client_credentials");
        if (!isGood) return { status: 400, body: JSON.stringify({ error: "invalid_grant" }) };
        api.tokens += 1;
        isRevoked = false;
        return json({ access_token: `token-${api.tokens}`, expires_in: 3600 });
      }
      case "link": {
        if (isRevoked || authorization !== `Bearer token-${api.tokens}`) return denied;
        const after = Number(query.get("after") ?? 0);
        const list = whole.filter((item) => item.id > after);
        const results = page(list, 0, PAGE);
        const last = list[PAGE - 1]?.id;
        const next =
          list.length > PAGE
            ? `http://${request.headers.host ?? ""}/link?after=${last}&fields=${query.get("fields") ?? ""}`
            : null;
        return json({ results, next }, next ? { link: `<${next}>; rel="next", </link>; rel="first"` } : {});
      }
      case "offset": {
        const pair = Buffer.from(`user:${SECRET}`).toString("base64");
        if (authorization !== `Basic ${pair}`) return denied;
        const [offset, size] = [Number(query.get("offset") ?? 0), Number(query.get("limit"))];
        return json({ payload: { rows: page(whole, offset, size).map((item) => ({ row: item })) } });
      }
      case "projects": {
        if (query.get("key") !== SECRET) return denied;
        if (third === "items") {
          const own = whole.filter((item) => item.project === Number(second));
          const [from, to] = [Number(query.get("from")), Number(query.get("to"))];
          const list = own.filter(
            ({ updated_at }) => Date.parse(updated_at) / 1000 >= from && Date.parse(updated_at) / 1000 <= to,
          );
          return json(list);
        }
        const number = Number(query.get("p") ?? 0);
        const all = Array.from({ length: PROJECTS }, (_, index) => ({
          id: index + 1,
          owner: { name: `o${index + 1}` },
        }));
        return json(page(all, number * 2, 2));
      }
      case "regions": {
        if (authorization !== `Bearer ${SECRET}` && request.headers["x-api-key"] !== SECRET) return denied;
        return json({
          [second]: Object.fromEntries(
            whole.filter(({ region }) => region === second).map((item) => [`k${item.id}`, item]),
          ),
        });
      }
      case "session": {
        if (second === "login") {
          const sent = JSON.parse(body) as { user?: string; password?: string };
          if (sent.password !== SECRET) return { status: 401, body: "{}" };
          api.tokens += 1;
          isRevoked = false;
          return json({ session: { token: `s-${api.tokens}` } });
        }
        if (isRevoked || request.headers["x-session"] !== `s-${api.tokens}`) return denied;
        return json(whole);
      }
      case "lines": {
        const sent = JSON.parse(body) as { page?: { start?: number; size?: number }; token?: string };
        if (sent.token !== SECRET) return denied;
        const rows = page(whole, sent.page?.start ?? 0, sent.page?.size ?? 1000);
        return {
          status: 200,
          body: rows.map((row) => JSON.stringify(row)).join("\n"),
          headers: { "content-type": "application/x-ndjson" },
        };
      }
      case "csv": {
        const rows = whole.map((item) =>
          [item.id, `"${item.name}, ""quoted"""`, item.size ?? "", item.updated_at].join(";"),
        );
        return {
          status: 200,
          body: ["id;name;size;updated_at", ...rows].join("\r\n"),
          headers: { "content-type": "text/csv" },
        };
      }
      default:
        return { status: 404, body: JSON.stringify({ message: "No such thing" }) };
    }
  }
  const sorted = (): Item[] => [...api.items].sort((one, other) => one.id - other.id);
  const since = (list: Item[], query: URLSearchParams): Item[] => {
    const from = query.get("since");
    return from ? list.filter(({ updated_at }) => updated_at >= from) : list;
  };

  const listener = (request: IncomingMessage, response: ServerResponse): void => void handle(request, response);
  const servers = [
    createServer(listener),
    createSecureServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, listener),
  ];
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const [port, securePort] = servers.map((server) => (server.address() as AddressInfo).port);
  api.url = `http://127.0.0.1:${port}`;
  api.secureUrl = `https://localhost:${securePort}`;
  api.stop = async () => {
    for (const server of servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };
  return api;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}
