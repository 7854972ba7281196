/**
 * The one place where errors become answers: those of calls, and those before there is a call, such as an address that
 * can't be read or bytes that are no HTTP. All have the same form and the same headers; none says what failed inside.
 */
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifyServerOptions } from "fastify";
import type { Log } from "../log/log.ts";
import { AppError } from "./app-error.ts";
import { CallerGoneError } from "./request/caller-gone.ts";
import { errorBody, errorCode, retryAfter, toAppError } from "./error-reply.ts";
import { DATA_HEADERS, securityHeaders } from "./security-headers.ts";

const JSON_TYPE = "application/json; charset=utf-8";

export function addErrorHandler(app: FastifyInstance, log: Log): void {
  app.setErrorHandler(async (thrown, request, reply) => sendError(reply, refusalOf(thrown, request, log), request));
}

/** For `fastify()`: what it would answer by itself, without hooks, in a form of its own and with the address in it. */
export function answersBeforeRouting(
  log: Log,
  secure: boolean,
): Pick<FastifyServerOptions, "frameworkErrors" | "clientErrorHandler"> {
  const headers = { ...securityHeaders(secure), ...DATA_HEADERS };
  return {
    frameworkErrors(error, request, reply) {
      const all = reply.headers({ ...headers, "x-request-id": request.id });
      void sendError(all, refusalOf(error, request, log), request);
    },
    clientErrorHandler(error, socket) {
      // Reset by the caller, or answered before: there is nobody to be told.
      if (error.code === "ECONNRESET" || socket.destroyed) return;
      if (socket.writable) socket.write(rawAnswer(error, headers));
      socket.destroy(error);
    },
  };
}

function sendError(reply: FastifyReply, error: AppError, request: FastifyRequest): FastifyReply {
  const seconds = retryAfter(error);
  if (seconds !== undefined) reply.header("retry-after", seconds);
  return reply
    .code(error.status)
    .type(JSON_TYPE)
    .send(JSON.stringify(errorBody(error, request.id)));
}

/** Never throws: fastify would answer with the message of what was thrown here. */
function refusalOf(thrown: unknown, request: FastifyRequest, log: Log): AppError {
  try {
    const about = log.child({ requestId: request.id, path: request.routeOptions.url });
    if (!isGone(thrown, request)) return toAppError(thrown, about);
    // A browser that went to another page in the meantime: nobody is there to be told, and nothing is wrong.
    about.debug({ err: thrown }, "the caller left before the answer");
    return new AppError("malformed_body", { reason: "The connection was closed." });
  } catch (error) {
    log.error({ err: error, requestId: request.id }, "an error could not be told");
    return new AppError("internal_error");
  }
}

/** The fault is the caller's broken connection, and not that of a system behind us. */
function isGone(thrown: unknown, { raw }: FastifyRequest): boolean {
  if (thrown instanceof CallerGoneError) return true;
  const code = errorCode(thrown);
  const socket: Socket | null = raw.socket;
  return (
    code === "ERR_STREAM_PREMATURE_CLOSE" || (raw.destroyed && socket?.destroyed !== false && code === "ECONNRESET")
  );
}

const CLIENT_ERRORS: Readonly<Record<string, { status: number; reason: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, reason: "It took too long to arrive." },
  HPE_HEADER_OVERFLOW: { status: 431, reason: "Its headers are too large." },
};

/** What could not be read as HTTP is answered by hand, and the connection closed. */
function rawAnswer(error: NodeJS.ErrnoException, headers: Readonly<Record<string, string>>): string {
  const { status, reason } = CLIENT_ERRORS[error.code ?? ""] ?? { status: 400, reason: "It is not HTTP." };
  const body = JSON.stringify({
    ...errorBody(new AppError("malformed_body", { reason }), ""),
    status,
    requestId: undefined,
  });
  const lines = Object.entries({
    ...headers,
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`;
}
