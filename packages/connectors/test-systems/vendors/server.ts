/** What simulated systems share: a real HTTP server, secure and not, with calls kept, refusals on demand and lost answers. */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo } from "node:net";
import { SELF_SIGNED_CERTIFICATE, SELF_SIGNED_KEY } from "../self-signed.ts";

export interface Call {
  method: string;
  /** Without the query; parts are still percent-encoded. */
  path: string;
  query: URLSearchParams;
  /** Names in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  /** The body as JSON; undefined when it is none. */
  json(): unknown;
}

/** `body`: JSON, or a text as it is; absent: none. */
export interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
}

export interface VendorServer {
  url: string;
  /** The same, with a certificate that nobody trusts. */
  secureUrl: string;
  /** Calls received, newest last: method, path and query. */
  calls: string[];
  /** Answered to the next call instead of doing anything. */
  refuseNext(reply: Reply): void;
  /** From now on what is written is done, and the connection breaks off instead of an answer; `only`: at these paths. */
  loseAnswers(lose: boolean, only?: RegExp): void;
  stop(): Promise<void>;
}

const MAX_BODY = 1_000_000;

export async function startVendor(handle: (call: Call) => Reply | Promise<Reply>): Promise<VendorServer> {
  const calls: string[] = [];
  const refusals: Reply[] = [];
  let losing: RegExp | null = null;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    calls.push(`${request.method} ${request.url}`);
    const text = await bodyOf(request);
    const reply = text === null ? { status: 413 } : (refusals.shift() ?? (await handle(callOf(request, text))));
    if (losing?.test(request.url ?? "") && request.method !== "GET") {
      request.socket.destroy();
      return;
    }
    const { status, headers = {}, body } = reply;
    if (body === undefined) response.writeHead(status, headers).end();
    else {
      const sent = typeof body === "string" ? body : JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json; charset=utf-8", ...headers }).end(sent);
    }
  };
  const listener: RequestListener = (request, response) => void answer(request, response);
  const [plain, secure] = [
    createServer(listener),
    createSecureServer({ key: SELF_SIGNED_KEY, cert: SELF_SIGNED_CERTIFICATE }, listener),
  ];
  return {
    url: `http://127.0.0.1:${await listening(plain)}`,
    secureUrl: `https://127.0.0.1:${await listening(secure)}`,
    calls,
    refuseNext: (reply) => void refusals.push(reply),
    loseAnswers: (lose, only = /^/) => void (losing = lose ? only : null),
    async stop() {
      for (const server of [plain, secure]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) return null;
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function callOf({ method = "GET", url = "/", headers }: IncomingMessage, text: string): Call {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  return {
    method,
    path: pathname,
    query: searchParams,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    text,
    json() {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        return undefined;
      }
    },
  };
}
