/** The one way to refuse: a code with facts. The words are in the message catalogue; only the edge catches. */
import { ERROR_STATUS, type ErrorCode, type FieldProblem } from "@accord/contracts";

/** Facts are sent to the caller as `details` and fill `{name}` in the message: put no secrets in them. */
export type Facts = Record<string, unknown>;

export interface AppErrorOptions {
  /** Problems with single fields of what was sent; each names the field and the fix. */
  errors?: FieldProblem[];
  /** What went wrong underneath; logged, never sent. */
  cause?: unknown;
}

export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly facts: Facts;
  readonly errors: FieldProblem[];

  /** What `invalid_state` says of itself helps nobody: the reason names what is in the way and what to do. */
  constructor(code: "invalid_state", facts: Facts & { reason: string }, options?: AppErrorOptions);
  constructor(code: Exclude<ErrorCode, "invalid_state">, facts?: Facts, options?: AppErrorOptions);
  constructor(code: ErrorCode, facts: Facts = {}, { errors = [], cause }: AppErrorOptions = {}) {
    super(code, cause === undefined ? undefined : { cause });
    this.code = code;
    this.facts = facts;
    this.errors = errors;
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** `validation_failed` for one field: `throw invalidField("fields.0.apiName", "must start with a letter")`. */
export function invalidField(path: string, message: string): AppError {
  return new AppError("validation_failed", {}, { errors: [{ path, message }] });
}
