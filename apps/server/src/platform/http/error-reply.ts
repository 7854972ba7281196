/** Turns whatever was thrown into the one error body, in words, without a stack or anything secret. */
import { ERROR_STATUS, type ErrorBody, type ErrorCode, type FieldProblem } from "@accord/contracts";
import { errors as words } from "@accord/contracts/messages/en/errors";
import type { z } from "zod";
import type { Log } from "../log/log.ts";
import { TooManyBytesError } from "../db/bounded-client.ts";
import { MAX_READ_BYTES } from "../db/db.ts";
import { AppError, type Facts } from "./app-error.ts";

export function errorBody(error: AppError, requestId: string): ErrorBody {
  const { message, description } = words[error.code];
  return {
    message: fill(message, error.facts) ?? message.replace(/\{\{\w+\}\}/g, "").trim(),
    description: description === undefined ? undefined : fill(description, error.facts),
    errors: error.errors.length > 0 ? error.errors : undefined,
    status: ERROR_STATUS[error.code],
    code: error.code,
    requestId,
    details: Object.keys(error.facts).length > 0 ? error.facts : undefined,
  };
}

/** Seconds after which a refused call may be sent again, for the header `retry-after`. */
export function retryAfter(error: AppError): number | undefined {
  const { retryAfterSeconds } = error.facts;
  return typeof retryAfterSeconds === "number" ? retryAfterSeconds : undefined;
}

/** null when a fact is missing: a sentence with a hole is worse than none. */
function fill(text: string, facts: Facts): string | undefined {
  let complete = true;
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const fact = facts[name];
    if (fact === undefined || fact === null || fact === "") complete = false;
    return String(fact);
  });
  return complete ? filled : undefined;
}

/** Every problem zod found, each with its dotted path: `body.fields.0.apiName` is told as `fields.0.apiName`. */
export function fieldProblems(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key].join("."), message: "is not a known field" }))
      : [{ path: issue.path.join("."), message: issue.message }],
  );
}

const FROM_FASTIFY: Record<string, { code: Exclude<ErrorCode, "invalid_state">; facts?: Facts }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: "body_too_large", facts: { limit: "1 MB" } },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "unsupported_media_type" },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: "malformed_body" },
  FST_ERR_CTP_EMPTY_JSON_BODY: { code: "malformed_body", facts: { reason: "The body is empty." } },
  FST_ERR_BAD_URL: { code: "not_found", facts: { what: "Address" } },
  FST_ERR_MAX_PARAM_LENGTH: { code: "not_found", facts: { what: "Address" } },
  FST_REQ_FILE_TOO_LARGE: { code: "body_too_large", facts: { limit: "50 MB a file" } },
  FST_PARTS_LIMIT: { code: "body_too_large", facts: { limit: "60 parts" } },
  FST_FILES_LIMIT: { code: "body_too_large", facts: { limit: "4 files" } },
  FST_FIELDS_LIMIT: { code: "body_too_large", facts: { limit: "50 fields" } },
  FST_INVALID_MULTIPART_CONTENT_TYPE: { code: "unsupported_media_type", facts: { expected: "multipart/form-data" } },
};

/** PostgreSQL classes that mean "not now" rather than "wrong": connection, resources, operator intervention. */
const DATABASE_AWAY = /^(08|53|57P)/;
const NETWORK_AWAY = new Set(["ECONNREFUSED", "ECONNRESET", "EPIPE", "ENOENT", "ETIMEDOUT"]);

/** PostgreSQL's code for a statement that ran too long, or was cancelled. */
const STATEMENT_TIMEOUT = "57014";
const MAX_READ = `${MAX_READ_BYTES / 1_000_000} MB`;

/** The refusal behind any thrown value; what nobody expected becomes `internal_error` and is logged in full. */
export function toAppError(thrown: unknown, log: Log): AppError {
  if (thrown instanceof AppError) {
    if (thrown.cause !== undefined) log.warn({ err: thrown.cause, code: thrown.code }, "a call was refused");
    return thrown;
  }
  const code = errorCode(thrown);
  const known = code === undefined ? undefined : FROM_FASTIFY[code];
  if (known) return new AppError(known.code, known.facts);
  if (thrown instanceof TooManyBytesError) return new AppError("answer_too_large", { limit: MAX_READ });
  if (code === STATEMENT_TIMEOUT) return new AppError("query_timeout", {}, { cause: thrown });
  if (isClientFault(thrown)) return new AppError("malformed_body", { reason: thrown.message });
  if (isDatabaseAway(thrown, code)) {
    log.error({ err: thrown }, "the database can't be reached");
    return new AppError("database_unavailable");
  }
  log.error({ err: thrown }, "a call failed unexpectedly");
  return new AppError("internal_error");
}

export function errorCode(thrown: unknown): string | undefined {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
}

function isClientFault(thrown: unknown): thrown is Error {
  if (!(thrown instanceof Error) || !("statusCode" in thrown)) return false;
  return typeof thrown.statusCode === "number" && thrown.statusCode >= 400 && thrown.statusCode < 500;
}

function isDatabaseAway(thrown: unknown, code: string | undefined): boolean {
  if (code !== undefined && (DATABASE_AWAY.test(code) || NETWORK_AWAY.has(code))) return true;
  return (
    thrown instanceof Error && /Connection terminated|timeout exceeded when trying to connect/.test(thrown.message)
  );
}
