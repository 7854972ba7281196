/** Calls endpoints as a person would: over HTTP, with cookie, anti-forgery header and real parsing on the other side. */
import {
  API_PREFIX,
  CSRF,
  type AnyEndpoint,
  type CallInput,
  type ErrorBody,
  type Method,
  type ReplyOf,
} from "@accord/contracts";
import type { FastifyInstance } from "fastify";

/** Only the parts an endpoint has. */
export type CallOf<E extends AnyEndpoint> = {
  [
    Part in keyof CallInput<E> as undefined extends E[Part]
      ? never
      : CallInput<E>[Part] extends undefined
        ? never
        : Part
  ]: CallInput<E>[Part];
};

export interface Answer {
  status: number;
  body: unknown;
  /** The body as it came. */
  bytes: Buffer;
  headers: Record<string, string | string[] | number | undefined>;
  /** Cookies set by the answer, by name. */
  cookies: Map<string, string>;
}

/** What `call` throws when the call was refused. */
export class CallError extends Error {
  override name = "CallError";
  readonly status: number;
  readonly body: ErrorBody;
  constructor(endpoint: AnyEndpoint, status: number, body: ErrorBody) {
    super(`${endpoint.method} ${endpoint.path} answered ${status} ${body.code}: ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
  }
  get code(): string {
    return this.body.code;
  }
}

export interface Caller {
  /** The reply; @throws CallError when refused. */
  call<E extends AnyEndpoint>(
    endpoint: E,
    input?: Partial<CallInput<E>>,
    headers?: Record<string, string>,
  ): Promise<ReplyOf<E>>;
  /** Whatever came back. `input` is sent as it is, also when it is wrong. */
  send(
    endpoint: AnyEndpoint,
    input?: { params?: unknown; query?: unknown; body?: unknown },
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Any request with this caller's cookie and token. */
  raw(request: RawRequest): Promise<Answer>;
}

/** A request as it goes over the wire, apart from cookie and token. */
export interface RawRequest {
  method?: Method;
  url: string;
  headers?: Record<string, string | undefined>;
  cookies?: Record<string, string>;
  payload?: string | Buffer | object;
}

export interface CallerOptions {
  http: FastifyInstance;
  /** Cookies sent with each request. */
  cookies: Record<string, string>;
  /** The anti-forgery token. */
  token: string;
  /** The name the server is called by; default that of a server without settings. */
  host?: string;
}

export function makeCaller({ http, cookies, token, host = "localhost:3000" }: CallerOptions): Caller {
  async function raw(request: RawRequest): Promise<Answer> {
    const write = request.method !== undefined && request.method !== "GET";
    const answer = await http.inject({
      ...request,
      cookies: { ...cookies, [CSRF.cookie]: token, ...request.cookies },
      headers: {
        ...(write ? { [CSRF.header]: token } : {}),
        "sec-fetch-site": "same-origin",
        host,
        ...withoutUndefined(request.headers ?? {}),
      },
    });
    const isJson = String(answer.headers["content-type"] ?? "").includes("json");
    return {
      status: answer.statusCode,
      body: isJson && answer.body !== "" ? JSON.parse(answer.body) : answer.body,
      bytes: answer.rawPayload,
      headers: answer.headers,
      cookies: new Map(answer.cookies.map((cookie) => [cookie.name, cookie.value])),
    };
  }

  const send: Caller["send"] = (endpoint, input = {}, headers = {}) => raw(requestFor(endpoint, input, headers));

  return {
    raw,
    send,
    async call(endpoint, input = {}, headers = {}) {
      const answer = await send(endpoint, input, headers);
      if (answer.status >= 400) throw new CallError(endpoint, answer.status, answer.body as ErrorBody);
      return answer.body as ReplyOf<typeof endpoint>;
    },
  };
}

/** The request an input makes, for requests that are changed before they are sent. */
export function requestFor(
  endpoint: AnyEndpoint,
  { params, query, body }: { params?: unknown; query?: unknown; body?: unknown },
  headers: Record<string, string> = {},
): RawRequest {
  const filled = endpoint.path.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? "missing")),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) if (value !== undefined) search.append(name, String(value));
  const url = `${API_PREFIX}${filled}${search.size > 0 ? `?${search}` : ""}`;
  return { method: endpoint.method, url, ...payloadOf(endpoint, body, headers) };
}

function payloadOf(
  endpoint: AnyEndpoint,
  body: unknown,
  headers: Record<string, string>,
): Pick<RawRequest, "payload" | "headers"> {
  if (body === undefined) return { headers };
  switch (endpoint.bodyKind ?? "json") {
    case "form": {
      const entries = Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== undefined);
      const form = new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
      return { payload: form.toString(), headers: { "content-type": "application/x-www-form-urlencoded", ...headers } };
    }
    case "text":
      return { payload: String(body), headers: { "content-type": "text/plain", ...headers } };
    case "multipart":
      return multipart(body as Record<string, unknown>, headers);
    default:
      return { payload: JSON.stringify(body), headers: { "content-type": "application/json", ...headers } };
  }
}

/** Fields as text; a file as `{ fileName, contentType, bytes }`. */
function multipart(body: Record<string, unknown>, headers: Record<string, string>) {
  const boundary = "accord-test-boundary";
  const chunks: Buffer[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue;
    const file = value as { fileName?: string; contentType?: string; bytes?: Uint8Array };
    const isFile = typeof value === "object" && value !== null && file.bytes instanceof Uint8Array;
    const disposition = isFile ? `; filename="${file.fileName}"\r\ncontent-type: ${file.contentType}` : "";
    chunks.push(Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"${disposition}\r\n\r\n`));
    chunks.push(isFile ? Buffer.from(file.bytes ?? []) : Buffer.from(String(value)), Buffer.from("\r\n"));
  }
  chunks.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    payload: Buffer.concat(chunks),
    headers: { "content-type": `multipart/form-data; boundary=${boundary}`, ...headers },
  };
}

const withoutUndefined = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined)) as Record<string, string>;
