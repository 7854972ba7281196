/** A connector's error as the engine judges it. */
import { ConnectorError } from "@accord/connector-sdk";
import { errors } from "@accord/contracts/messages/en/errors";
import { fill } from "@accord/contracts/messages/fill";
import type { SystemFailure } from "@accord/sync-engine/run";
import { AppError } from "../../../../platform/http/app-error.ts";

/** Kinds after which something may have been done, unless the request surely never left. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["timeout", "unexpected"]);

export function systemFailure(error: unknown): SystemFailure {
  if (error instanceof ConnectorError) {
    const { kind, message, hint, retryable, retryAfterMs, neverSent } = error;
    return {
      kind,
      message,
      retryable,
      isSafeToRetry: neverSent || !AMBIGUOUS.has(kind),
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  // What our own rules refuse was never sent.
  if (error instanceof AppError) {
    const { message, description } = errors[error.code];
    const hint = description === undefined ? {} : { hint: fill(description, error.facts) };
    return { kind: error.code, message: fill(message, error.facts), retryable: true, isSafeToRetry: true, ...hint };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "unexpected", message, retryable: true, isSafeToRetry: false };
}
