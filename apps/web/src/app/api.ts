/**
 * Calls endpoints declared in the contracts. `call(listRecords, { params, query })` sends, parses the reply with the
 * endpoint's schema and throws `ApiError` for everything refused.
 */
import { API_PREFIX, CSRF, type AnyEndpoint, type CallInput, type ReplyOf } from "@accord/contracts";
import { ApiError, toApiError } from "./api-error.ts";
import { parseReply } from "./exact-replies.ts";
import { words } from "./words.ts";

type Part = "params" | "query" | "body";
type OptionalPart<E extends AnyEndpoint> = {
  [K in Part]: undefined extends CallInput<E>[K] ? K : object extends CallInput<E>[K] ? K : never;
}[Part];

/** What a call must be given: a part is required exactly when its schema demands something. */
export type Input<E extends AnyEndpoint> = Pick<CallInput<E>, Exclude<Part, OptionalPart<E>>> &
  Partial<Pick<CallInput<E>, OptionalPart<E>>>;

/** The input may be left out altogether when the endpoint demands nothing. */
export type InputArgs<E extends AnyEndpoint> = object extends Input<E> ? [input?: Input<E>] : [input: Input<E>];

export interface CallOptions {
  signal?: AbortSignal;
  /** For creating POSTs: pass the same key again to repeat a call safely. Made for each call when absent. */
  idempotencyKey?: string;
  /** Nobody waits for this call: a gateway timeout is only thrown and never leads to the error page. */
  background?: boolean;
  /** It reaches the server even if the page is left or loaded anew at once. For small bodies: browsers bound them. */
  outlivesPage?: boolean;
}

type Unauthorised = (error: ApiError) => void;
let onUnauthorised: Unauthorised = () => {};
let onGatewayTimeout: () => void = () => {};

/** The app says once what happens on 401 and 504; calls still throw. */
export function setCallHooks(hooks: { unauthorised: Unauthorised; gatewayTimeout: () => void }): void {
  onUnauthorised = hooks.unauthorised;
  onGatewayTimeout = hooks.gatewayTimeout;
}

/** The anti-forgery token: the cookie is newer than the page after signing in. */
export function antiForgeryToken(): string {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith(`${CSRF.cookie}=`));
  if (cookie) return decodeURIComponent(cookie.slice(CSRF.cookie.length + 1));
  return document.querySelector<HTMLMetaElement>(`meta[name="${CSRF.meta}"]`)?.content ?? "";
}

interface LooseInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Address of an endpoint with its parameters filled in: `/api/v1/data/entities/…?count=100`. */
export function addressOf(endpoint: AnyEndpoint, input: LooseInput = {}): string {
  let path: string = endpoint.path;
  const params = Object.entries(input.params ?? {}).sort(([a], [b]) => b.length - a.length);
  for (const [name, value] of params) path = path.replace(`:${name}`, encodeURIComponent(String(value)));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {}))
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== null) query.append(name, String(item));
  const text = query.toString();
  return `${API_PREFIX}${path}${text === "" ? "" : `?${text}`}`;
}

function encodeBody(endpoint: AnyEndpoint, body: unknown): { body?: BodyInit; contentType?: string } {
  if (body === undefined) return endpoint.body ? { body: "{}", contentType: "application/json" } : {};
  const fields = (): [string, unknown][] =>
    Object.entries(body as Record<string, unknown>).filter(([, value]) => value !== undefined && value !== null);
  switch (endpoint.bodyKind ?? "json") {
    case "form":
      return { body: new URLSearchParams(fields().map(([name, value]) => [name, String(value)])) };
    case "multipart": {
      const form = new FormData();
      for (const [name, value] of fields())
        form.append(name, value instanceof Blob ? value : typeof value === "string" ? value : JSON.stringify(value));
      return { body: form };
    }
    case "text":
      return { body: String(body), contentType: "text/plain; charset=utf-8" };
    case "json":
      return { body: JSON.stringify(body), contentType: "application/json" };
  }
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === "") return undefined;
  try {
    return parseReply(text);
  } catch {
    return text;
  }
}

/** The network failed, or the caller's time limit passed, before the whole answer was there. */
function throwUnreachable(error: unknown): never {
  if (error instanceof DOMException && error.name === "AbortError") throw error;
  throw new ApiError({ code: "server_busy", status: 0, message: words.t("shell:error.network") });
}

/** Calls an endpoint. Throws `ApiError`; an abort throws the browser's `AbortError`. */
export async function call<E extends AnyEndpoint>(
  endpoint: E,
  ...[input, options]: object extends Input<E>
    ? [input?: Input<E>, options?: CallOptions]
    : [input: Input<E>, options?: CallOptions]
): Promise<ReplyOf<E>> {
  const loose = (input ?? {}) as LooseInput;
  const encoded = encodeBody(endpoint, loose.body);
  const headers = new Headers({ accept: "application/json" });
  if (encoded.contentType) headers.set("content-type", encoded.contentType);
  if (endpoint.method !== "GET") headers.set(CSRF.header, antiForgeryToken());
  if (endpoint.creates) headers.set("idempotency-key", options?.idempotencyKey ?? crypto.randomUUID());

  const response = await fetch(addressOf(endpoint, loose), {
    method: endpoint.method,
    headers,
    credentials: "same-origin",
    ...(encoded.body === undefined ? {} : { body: encoded.body }),
    ...(options?.outlivesPage ? { keepalive: true } : {}),
    ...(options?.signal ? { signal: options.signal } : {}),
  }).catch(throwUnreachable);

  const body = await readBody(response).catch(throwUnreachable);
  if (!response.ok) {
    const refusal = toApiError(response.status, body);
    if (response.status === 401) onUnauthorised(refusal);
    if (response.status === 504 && !options?.background) onGatewayTimeout();
    throw refusal;
  }
  const reply = endpoint.reply.safeParse(body);
  if (reply.success) return reply.data as ReplyOf<E>;
  // oxlint-disable-next-line no-console -- a mismatch of server and page is for developers to see
  console.error(`Unexpected reply of ${endpoint.name}`, reply.error.issues);
  throw new ApiError({
    code: "internal_error",
    status: response.status,
    message: words.t("shell:error.badReply"),
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}
