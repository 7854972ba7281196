/** A connector's error as the engine judges it. */
import { ConnectorError } from "@accord/connector-sdk";
import type { SystemFailure } from "@accord/sync-engine/run";

/** Kinds after which something may have been done, unless the request surely never left. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["timeout", "unexpected"]);

export function systemFailure(error: unknown): SystemFailure {
  if (error instanceof ConnectorError) {
    const { kind, message, hint, retryable, retryAfterMs, neverSent } = error;
    return {
      kind,
      message,
      retryable,
      nothingDone: neverSent || !AMBIGUOUS.has(kind),
      ...(hint === undefined ? {} : { hint }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { kind: "unexpected", message, retryable: true, nothingDone: false };
}
