/** A refused or failed call, in the words to show. One shape whether the server, a proxy or the network refused. */
import { ERROR_STATUS, type ErrorBody, type ErrorCode, type FieldProblem } from "@accord/contracts";
import { words } from "./words.ts";

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  readonly description: string | undefined;
  readonly fieldProblems: readonly FieldProblem[];
  readonly requestId: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(facts: Partial<ErrorBody> & { message: string; code: ErrorCode; status: number }) {
    super(facts.message);
    this.code = facts.code;
    this.status = facts.status;
    this.description = facts.description;
    this.fieldProblems = facts.errors ?? [];
    this.requestId = facts.requestId;
    this.details = facts.details ?? {};
  }

  /** What one field of the form should say, by its dotted path. */
  problemOf(path: string): string | undefined {
    return this.fieldProblems.find((problem) => problem.path === path)?.message;
  }
}

const CODE_OF_STATUS: Record<number, ErrorCode> = {
  400: "validation_failed",
  401: "not_signed_in",
  403: "forbidden",
  404: "not_found",
  409: "invalid_state",
  413: "body_too_large",
  429: "too_many_tries",
  502: "upstream_failed",
  503: "server_busy",
  504: "upstream_timeout",
};

/** What a proxy's answer without words of its own means. */
const GENERAL_WORDS: Partial<
  Record<number, "shell:error.serverError" | "shell:state.offlineTitle" | "shell:error.timeoutTitle">
> = { 502: "shell:error.serverError", 503: "shell:state.offlineTitle", 504: "shell:error.timeoutTitle" };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isCode = (value: unknown): value is ErrorCode => typeof value === "string" && value in ERROR_STATUS;

/**
 * The text of a refusal: a string is the message; an object gives its message field; a list of errors is joined with
 * spaces; else `otherwise`, else "Error".
 */
export function messageOf(body: unknown, otherwise?: string): string {
  if (typeof body === "string" && body.trim() !== "" && !body.trimStart().startsWith("<")) return body;
  if (isRecord(body)) {
    if (typeof body["message"] === "string" && body["message"] !== "") return body["message"];
    if (Array.isArray(body["errors"])) {
      const parts = body["errors"].map((part) => (isRecord(part) ? part["message"] : part));
      if (parts.length > 0) return parts.map(String).join(" ");
    }
  }
  return otherwise || words.t("shell:error.fallback");
}

/** Reads a refusal. `body` is the parsed JSON, or the text when it is none. */
export function toApiError(status: number, body: unknown): ApiError {
  const facts = isRecord(body) ? body : {};
  const problems = Array.isArray(facts["errors"])
    ? facts["errors"].filter(
        (part): part is FieldProblem =>
          isRecord(part) && typeof part["path"] === "string" && typeof part["message"] === "string",
      )
    : [];
  const general = GENERAL_WORDS[status];
  return new ApiError({
    status,
    code: isCode(facts["code"]) ? facts["code"] : (CODE_OF_STATUS[status] ?? "internal_error"),
    message: messageOf(body, general && words.t(general)),
    errors: problems,
    ...(typeof facts["description"] === "string" ? { description: facts["description"] } : {}),
    ...(typeof facts["requestId"] === "string" ? { requestId: facts["requestId"] } : {}),
    ...(isRecord(facts["details"]) ? { details: facts["details"] } : {}),
  });
}

/** What a refused or failed call says to people. */
export interface Explanation {
  /** One sentence: what happened. */
  title: string;
  /** Why, and what to do: the problem of each field with the field's name, else what describes the refusal. */
  reasons: readonly string[];
  /** To quote where the server failed, since no reason helps there; its log carries the same. */
  requestId: string | undefined;
}

/** Any thrown thing in words. A refusal's reason stands in its description alone, so nothing shows the title only. */
export function explain(error: unknown): Explanation {
  const title = error instanceof Error && error.message !== "" ? error.message : messageOf(error);
  if (!(error instanceof ApiError)) return { title, reasons: [], requestId: undefined };
  const { fieldProblems, description, requestId } = error;
  const reasons = fieldProblems.length > 0 ? fieldProblems.map(namedProblem) : description ? [description] : [];
  return {
    title,
    reasons: [...new Set(reasons)].filter((reason) => reason !== title),
    requestId: error.status >= 500 ? requestId : undefined,
  };
}

/** As one text, for what has no room for a box: an input, a toast, a row. */
export const explanationOf = (error: unknown): string => {
  const { title, reasons } = explain(error);
  return [title, ...reasons].join(" ");
};

/** Why alone, below a title of one's own that says what happened. */
export const reasonOf = (error: unknown): string => {
  const { title, reasons } = explain(error);
  return reasons.length > 0 ? reasons.join(" ") : title;
};

const ABBREVIATIONS: Readonly<Record<string, string>> = { api: "API", id: "ID", json: "JSON", sql: "SQL", url: "URL" };

/** `config.apiName` as “API name”. Parts of lists are named by what holds them: `fields.0` as “Fields 1”. */
function fieldName(path: string): string {
  const parts = path.split(".");
  const last = parts.findLastIndex((part) => !/^\d+$/.test(part));
  const words = (parts[last] ?? path).replace(/([a-z\d])([A-Z])/g, "$1 $2").split(/[\s_-]+/);
  const name = words.map((word) => ABBREVIATIONS[word.toLowerCase()] ?? word.toLowerCase()).join(" ");
  const numbers = parts.slice(last + 1).map((part) => Number(part) + 1);
  return [name.charAt(0).toUpperCase() + name.slice(1), ...numbers].join(" ");
}

/** A problem that is no sentence by itself continues the name of its field: “is required” of `host`. */
export function namedProblem({ path, message }: FieldProblem): string {
  if (path === "" || !/^[a-z]/.test(message)) return message;
  const problem = /[.!?]$/.test(message) ? message : `${message}.`;
  return words.t("shell:error.fieldProblem", { field: fieldName(path), problem });
}

/** Whether the same call may succeed later: the network, a timeout, a rate limit or a fault of the server. */
export const isTransient = (error: unknown): boolean =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 408 || error.status === 429 || error.status >= 500);

/** Whether what was wanted is not possible in the state that it is in by now. */
export const isWrongState = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "invalid_state";

/** Whether somebody else saved a newer version than the one that was sent. */
export const isStale = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === "stale_version";

export const isNotFound = (error: unknown): boolean =>
  error instanceof Error && ((error instanceof ApiError && error.status === 404) || /not found$/i.test(error.message));

/** Whether the address of the page holds an id that can't be one: cut off or mistyped, so nothing is there. */
export const isBadAddress = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.status === 400 &&
  error.fieldProblems.length > 0 &&
  error.fieldProblems.every(({ path }) => /^(id|\w+Id)$/.test(path));
