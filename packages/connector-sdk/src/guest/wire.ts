/** Errors and dates as they travel between a sandboxed program and the server. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { CONNECTOR_ERROR_KINDS, ConnectorError, type ConnectorErrorKind } from "../errors.ts";

/** No interface: it is plain data, to be sent as it is. */
export type WireError = {
  name: string;
  message: string;
  kind?: ConnectorErrorKind;
  hint?: string;
  retryAfterMs?: number;
  neverSent?: boolean;
  isFieldGone?: boolean;
};

const MAX_TEXT = 2_000;
/** Longer waits are nobody's answer to a rate limit. */
const MAX_WAIT_MS = 24 * 60 * 60 * 1000;
const short = (text: unknown): string => String(text).slice(0, MAX_TEXT);

export function toWire(error: unknown): WireError {
  if (!(error instanceof ConnectorError))
    return error instanceof Error
      ? { name: short(error.name), message: short(error.message) }
      : { name: "Error", message: short(error) };
  const { name, kind, hint, retryAfterMs, neverSent, isFieldGone } = error;
  return {
    ...{ name, kind, neverSent, isFieldGone, message: short(error.message) },
    ...(hint !== undefined && { hint: short(hint) }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  };
}

const isKind = (kind: unknown): kind is ConnectorErrorKind => CONNECTOR_ERROR_KINDS.some((known) => known === kind);

/** From data that nobody has looked at; what is no classified error becomes `fallback`. */
export function fromWire(
  data: { readonly [name: string]: unknown },
  fallback: (message: string) => ConnectorError,
): ConnectorError {
  const { kind, message, hint, retryAfterMs, neverSent, isFieldGone } = data;
  const text = typeof message === "string" && message !== "" ? short(message) : connectionErrors.failedSilently;
  if (!isKind(kind)) return fallback(text);
  return new ConnectorError(kind, text, {
    ...(typeof hint === "string" && { hint: short(hint) }),
    ...(typeof retryAfterMs === "number" && retryAfterMs >= 0 && { retryAfterMs: Math.min(retryAfterMs, MAX_WAIT_MS) }),
    ...(typeof neverSent === "boolean" && { neverSent }),
    ...(typeof isFieldGone === "boolean" && { isFieldGone }),
  });
}
