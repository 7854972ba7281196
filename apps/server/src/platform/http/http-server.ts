/** The HTTP server itself: limits, parsers, headers and error answers. */
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import multipart from "@fastify/multipart";
import fastify, { type FastifyInstance, type FastifyRequest } from "fastify";
import type { Deps } from "../deps.ts";
import { AppError } from "./app-error.ts";
import { trustedHops, warnOfUntrustedProxy } from "./request/client-address.ts";
import { describeInputs } from "@accord/contracts/messages/en/input-problems";
import { addErrorHandler, answersBeforeRouting } from "./error-handler.ts";
import { addBodyParsers, BODY_LIMIT_BYTES, MULTIPART_LIMITS } from "./request/read-body.ts";
import { addSecurityHeaders } from "./security-headers.ts";

const REQUEST_TIMEOUT_MS = 60_000;

export async function makeHttpServer({
  config,
  log,
  newId,
}: Pick<Deps, "config" | "log" | "newId">): Promise<FastifyInstance> {
  describeInputs();
  const secure = config.baseUrl.startsWith("https:");
  const app: FastifyInstance = fastify({
    logger: false,
    genReqId: () => newId(),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: trustedHops(config.trustProxy),
    routerOptions: { maxParamLength: 200, caseSensitive: true, ignoreTrailingSlash: false },
    exposeHeadRoutes: false,
    ...answersBeforeRouting(log, secure),
  });
  warnOfUntrustedProxy(app, config.trustProxy, log);
  await app.register(cookie);
  // First, for it clears away every other parser.
  addBodyParsers(app);
  await app.register(multipart, { limits: MULTIPART_LIMITS });
  await app.register(compress, { threshold: 1024, globalDecompression: false });
  app.addHook("onRequest", async (request) => {
    refuseCompression(request);
    if (isNextDoor(request)) delete request.headers["accept-encoding"];
  });
  addSecurityHeaders(app, secure);
  addErrorHandler(app, log);
  return app;
}

/** Nobody is promised that a body may come compressed, and each way to unpack one is a way to send too much. */
function refuseCompression({ headers }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (encoding === undefined || encoding.trim().toLowerCase() === "identity") return;
  throw new AppError("unsupported_media_type", { expected: "a body without content-encoding" });
}

const PROXY_HEADERS = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip", "forwarded", "via"];

/** On this machine and not through a proxy: there is no wire that compressing would spare, only the work of it. */
function isNextDoor({ raw, headers }: FastifyRequest): boolean {
  // Of a connection that broke in the meantime nothing is left.
  const remoteAddress = raw.socket?.remoteAddress ?? "";
  const isLoopback = remoteAddress === "::1" || /^(::ffff:)?127\./.test(remoteAddress);
  return isLoopback && !PROXY_HEADERS.some((name) => headers[name] !== undefined);
}

/** null before it listens. */
export function listeningPort(http: FastifyInstance): number | null {
  const address = http.server.address();
  return address !== null && typeof address === "object" ? address.port : null;
}
