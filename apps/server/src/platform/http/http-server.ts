/** The HTTP server itself: limits, parsers, headers and the one place where errors become answers. */
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { AppError } from "./app-error.ts";
import { speakOfInputs } from "@accord/contracts/messages/en/input-problems";
import { errorBody, toAppError } from "./error-reply.ts";
import { addBodyParsers, BODY_LIMIT_BYTES, MULTIPART_LIMITS } from "./read-body.ts";

const REQUEST_TIMEOUT_MS = 60_000;

export async function makeHttpServer({
  config,
  log,
  newId,
}: Pick<Deps, "config" | "log" | "newId">): Promise<FastifyInstance> {
  speakOfInputs();
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustProxy,
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
  });
  await app.register(cookie);
  // First, for it clears away every other parser.
  addBodyParsers(app);
  await app.register(multipart, { limits: MULTIPART_LIMITS });
  await app.register(compress, { threshold: 1024 });
  app.addHook("onRequest", async (request) => {
    if (isNextDoor(request)) delete request.headers["accept-encoding"];
  });
  addSecurityHeaders(app, config.baseUrl.startsWith("https:"));
  app.setErrorHandler(async (thrown, request, reply) => {
    const about = log.child({ requestId: request.id, path: request.routeOptions.url });
    // A browser that went to another page in the meantime: nobody is there to be told, and nothing is wrong.
    const gone = isGone(thrown, request);
    if (gone) about.debug({ err: thrown }, "the caller left before the answer");
    const error = gone
      ? new AppError("malformed_body", { reason: "The connection was closed." })
      : toAppError(thrown, about);
    return reply
      .code(error.status)
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(errorBody(error, request.id)));
  });
  return app;
}

/** The fault is the caller's broken connection, and not that of a system behind us. */
function isGone(thrown: unknown, { raw }: FastifyRequest): boolean {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return code === "ERR_STREAM_PREMATURE_CLOSE" || (raw.destroyed && raw.socket.destroyed && code === "ECONNRESET");
}

const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** On this machine and not through a proxy: there is no wire that compressing would spare, only the work of it. */
function isNextDoor({ raw, headers }: FastifyRequest): boolean {
  const { remoteAddress = "" } = raw.socket;
  const isLoopback = remoteAddress === "::1" || /^(::ffff:)?127\./.test(remoteAddress);
  return isLoopback && !PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

export const isApiPath = (path: string) => /^\/api($|[/?])/.test(path);

function addSecurityHeaders(app: FastifyInstance, secure: boolean): void {
  app.addHook("onSend", async (request, reply, payload) => {
    reply.header("x-content-type-options", "nosniff");
    reply.header("referrer-policy", "same-origin");
    reply.header("x-frame-options", "DENY");
    reply.header("cross-origin-opener-policy", "same-origin");
    reply.header("cross-origin-resource-policy", "same-origin");
    reply.header("permissions-policy", "camera=(), microphone=(), geolocation=(), payment=()");
    if (secure) reply.header("strict-transport-security", "max-age=31536000; includeSubDomains");
    if (isApiPath(request.url)) {
      reply.header("x-request-id", request.id);
      if (!reply.hasHeader("cache-control")) reply.header("cache-control", "no-store");
      if (!reply.hasHeader("content-security-policy")) {
        reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
      }
    }
    return payload;
  });
}
