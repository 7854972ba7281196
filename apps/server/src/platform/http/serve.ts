/**
 * Registers the modules' routes: for each call, in this order, who is calling → may they → is it from our page →
 * what did they send → the handler → the reply as promised.
 */
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { API_PREFIX, CSRF, isPermission, type AnyEndpoint } from "@accord/contracts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Principal, Sessions } from "../access/principal.ts";
import type { Ctx, ShareViewer } from "../ctx.ts";
import type { Deps } from "../deps.ts";
import type { Module } from "../module.ts";
import type { AntiForgery } from "./request/anti-forgery.ts";
import { AppError } from "./app-error.ts";
import { checkRoutes } from "./check-routes.ts";
import { Download } from "./download.ts";
import { fieldProblems } from "./error-reply.ts";
import { Redirect } from "./redirect.ts";
import { once } from "./idempotency/idempotency.ts";
import { makeCtx, createHttpExchange } from "./make-ctx.ts";
import { checkMediaType, readBody } from "./request/read-body.ts";
import { sessionToken, shareToken } from "./request/session-cookie.ts";
import { findInvalidCharacters } from "./request/unstorable-texts.ts";
import { TooLargeError, writeJson } from "./write-json.ts";

export interface ServeOptions {
  deps: Deps;
  modules: readonly Module[];
  /** Every endpoint there is; a route outside of it is refused. */
  endpoints: readonly AnyEndpoint[];
  sessions: Sessions;
  forgery: AntiForgery;
}

interface Caller {
  principal: Principal | null;
  viewer: ShareViewer | null;
}

/** Bytes. Below: not worth it. Above: compressed as a stream, off this thread. */
const MIN_COMPRESSED = 1_024;
const MAX_COMPRESSED_AT_ONCE = 200_000;
export const MAX_ANSWER_BYTES = 20_000_000;

const callers = new WeakMap<FastifyRequest, Caller>();

export function serve(app: FastifyInstance, options: ServeOptions): void {
  const routes = options.modules.flatMap((module) => module.routes ?? []);
  checkRoutes(routes, options.endpoints);
  for (const { endpoint, handle } of routes) addRoute(app, endpoint, handle as Handle, options);
  for (const { servePages } of options.modules) servePages?.(app, options.sessions);
}

type Handle = (ctx: Ctx, input: unknown) => Promise<unknown>;

function addRoute(app: FastifyInstance, endpoint: AnyEndpoint, handle: Handle, options: ServeOptions): void {
  app.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path}`,
    exposeHeadRoute: false,
    // Before the body is read: a stranger can't make us parse anything.
    onRequest: async (request) => {
      const caller = await identify(request, endpoint, options);
      checkAccess(endpoint, caller);
      if (endpoint.bodyKind !== "form") checkForgery(request, endpoint, caller, options.forgery);
      checkMediaType(request, endpoint);
      callers.set(request, caller);
    },
    handler: (request, reply) => answer(request, reply, endpoint, handle, options),
  });
}

async function identify(request: FastifyRequest, endpoint: AnyEndpoint, options: ServeOptions): Promise<Caller> {
  if (endpoint.access === "shareViewer") {
    const token = shareToken(request, options.deps.config.baseUrl);
    const source = options.modules.find((module) => module.shareSessions)?.shareSessions;
    return { principal: null, viewer: token && source ? await source.find(token) : null };
  }
  const token = sessionToken(request, options.deps.config.baseUrl);
  return { principal: token ? await options.sessions.find(token) : null, viewer: null };
}

/** Deny by default: whatever is not named here is refused. */
function checkAccess(endpoint: AnyEndpoint, { principal, viewer }: Caller): void {
  const { access, alsoNeeds } = endpoint;
  if (access === "public") return;
  if (access === "shareViewer") {
    if (!viewer) throw new AppError("share_password_required");
    return;
  }
  if (!principal) throw new AppError("not_signed_in");
  if (access === "passwordExpired") return;
  if (principal.purpose !== "full") throw new AppError("password_expired");
  if (access === "signedIn") return;
  if (!isPermission(access) || !principal.permissions.has(access)) {
    throw new AppError("forbidden", { permission: access });
  }
  if (alsoNeeds && !principal.permissions.has(alsoNeeds)) throw new AppError("forbidden", { permission: alsoNeeds });
}

function checkForgery(
  request: FastifyRequest,
  endpoint: AnyEndpoint,
  caller: Caller,
  forgery: AntiForgery,
  fromForm?: string,
): void {
  if (endpoint.method === "GET") return;
  forgery.check(request, caller.principal?.sessionId ?? null, fromForm);
}

async function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint: AnyEndpoint,
  handle: Handle,
  options: ServeOptions,
): Promise<unknown> {
  const caller = callers.get(request);
  if (!caller) throw new AppError("internal_error");
  let body = await readBody(request, endpoint);
  if (endpoint.bodyKind === "form") {
    const { [CSRF.header]: fromForm, ...rest } = body as Record<string, unknown>;
    checkForgery(request, endpoint, caller, options.forgery, typeof fromForm === "string" ? fromForm : undefined);
    body = rest;
  }
  const input = {
    params: parsePart(endpoint.params, request.params),
    query: parsePart(endpoint.query, request.query),
    body: parsePart(endpoint.body, body),
  };
  const secure = options.deps.config.baseUrl.startsWith("https:");
  const exchange = createHttpExchange(request, reply, secure);
  const ctx = makeCtx({ requestId: request.id, ...caller, exchange });
  const work = async () => {
    const result = await handle(ctx, input);
    return result instanceof Download || result instanceof Redirect ? result : promised(endpoint, result);
  };
  const result = await maybeOnce(
    request,
    endpoint,
    caller,
    { params: request.params, query: request.query, body },
    work,
    options.deps,
  );
  if (result instanceof Download) return sendDownload(reply, result);
  if (result instanceof Redirect) return reply.code(303).header("location", result.path).send();
  return sendJson(request, reply, await jsonOf(result ?? null));
}

function maybeOnce(
  request: FastifyRequest,
  endpoint: AnyEndpoint,
  { principal }: Caller,
  input: unknown,
  work: () => Promise<unknown>,
  deps: Deps,
): Promise<unknown> {
  const key = request.headers["idempotency-key"];
  if (!endpoint.creates || typeof key !== "string" || !principal) return work();
  const instanceId = principal.instanceId ?? "none";
  return once(deps, { key, userId: principal.userId, instanceId, endpointName: endpoint.name, input }, work);
}

function parsePart(schema: z.ZodType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new AppError("validation_failed", {}, { errors: fieldProblems(parsed.error) });
  const unstorable = findInvalidCharacters(value);
  if (unstorable.length > 0) throw new AppError("validation_failed", {}, { errors: unstorable });
  return parsed.data;
}

/** Only what the contract names leaves the server: a field too many is our fault, not the caller's. */
function promised(endpoint: AnyEndpoint, result: unknown): unknown {
  const parsed = endpoint.reply.safeParse(result);
  if (parsed.success) return parsed.data;
  throw new Error(`The reply of ${endpoint.name} is not what it promises: ${parsed.error.message}`);
}

/** Throws `answer_too_large` rather than keep the process busy with a text that no page can show. */
async function jsonOf(result: unknown): Promise<Buffer[]> {
  try {
    return await writeJson(result, MAX_ANSWER_BYTES);
  } catch (error) {
    // A range error: longer than any text can be.
    if (!(error instanceof TooLargeError || error instanceof RangeError)) throw error;
    throw new AppError("answer_too_large", { limit: `${MAX_ANSWER_BYTES / 1_000_000} MB` });
  }
}

/** Compressed at once and lightly: for the few kilobytes of a page a stream costs more than it saves. */
function sendJson(request: FastifyRequest, reply: FastifyReply, pieces: readonly Buffer[]): FastifyReply {
  void reply.type("application/json; charset=utf-8");
  const [text] = pieces;
  if (!text || pieces.length > 1) return reply.send(Readable.from(pieces));
  const wanted = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
  if (!wanted || text.length < MIN_COMPRESSED || text.length > MAX_COMPRESSED_AT_ONCE) return reply.send(text);
  return reply
    .header("content-encoding", "gzip")
    .header("vary", "accept-encoding")
    .send(gzipSync(text, { level: 1 }));
}

function sendDownload(reply: FastifyReply, file: Download): FastifyReply {
  const name = encodeURIComponent(file.fileName.replace(/[\p{Cc}"\\/]/gu, "_"));
  return reply
    .type(file.contentType)
    .header("content-disposition", `attachment; filename*=UTF-8''${name}`)
    .header("content-security-policy", "sandbox; default-src 'none'")
    .send(file.content);
}
