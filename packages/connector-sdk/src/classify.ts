/** Turns what goes wrong underneath (DNS, sockets, certificates, HTTP statuses) into classified errors with a hint. */
import { asksToWait, retryAfterMs } from "./call-limit-headers.ts";
import { ConnectorError } from "./errors.ts";

/** Names in lower case. */
type HttpHeaders = Readonly<Record<string, string | undefined>>;

const CERTIFICATE_CODES: Record<string, string> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "is signed by an authority that is not trusted here",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "is signed by an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT: "is signed by an authority that is not trusted here",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "is signed by an authority that is not trusted here",
  ERR_TLS_CERT_ALTNAME_INVALID: "was made out to another host name",
  CERT_REVOKED: "has been revoked",
};
const DNS_CODES = new Set(["ENOTFOUND", "EAI_AGAIN", "EAI_NODATA", "EAI_NONAME"]);
const CLOSED_CODES = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "EHOSTDOWN"]);
const BROKEN_CODES = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "ECONNABORTED"]);
const TIMEOUT_CODES = new Set([
  "ETIMEDOUT",
  "ESOCKETTIMEDOUT",
  "UND_ERR_CONNECT_TIMEOUT",
  "UND_ERR_HEADERS_TIMEOUT",
  "UND_ERR_BODY_TIMEOUT",
]);

/** Classifies a failure to reach `place` (`host:port`). An error that is classified already stays as it is. */
export function classifyNetworkError(error: unknown, place: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const code = codeOf(error);
  const options = { cause: error };
  const certificate = CERTIFICATE_CODES[code];
  if (certificate || code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code === "EPROTO")
    return new ConnectorError("certificate", `No secure connection to ${place}: ${certificateText(certificate)}.`, {
      ...options,
      hint: certificate
        ? "Install a valid certificate there, or make its authority known: in the connection's settings where they ask for it, else by NODE_EXTRA_CA_CERTS when Accord starts."
        : "Check that this port speaks TLS, or choose http / no encryption if it does not.",
    });
  if (DNS_CODES.has(code))
    return new ConnectorError("unreachable", `There is no host named ${hostOf(place)}.`, {
      ...options,
      neverSent: true,
      hint: "Check the host name for a typing mistake, and that this server can resolve it.",
    });
  if (CLOSED_CODES.has(code))
    return new ConnectorError("unreachable", `Nothing answers at ${place}.`, {
      ...options,
      neverSent: true,
      hint: "Check host and port, that the system is running, and that a firewall lets this server in.",
    });
  if (TIMEOUT_CODES.has(code) || isTimeout(error))
    return new ConnectorError("timeout", `${place} did not answer in time.`, {
      ...options,
      neverSent: code === "UND_ERR_CONNECT_TIMEOUT",
      hint: "Check host and port; a firewall that drops packets looks like this too.",
    });
  if (BROKEN_CODES.has(code))
    return new ConnectorError("unreachable", `The connection to ${place} broke off.`, {
      ...options,
      hint: "The system may be restarting. Try again.",
    });
  return new ConnectorError("unexpected", `The call to ${place} failed: ${messageOf(error)}.`, options);
}

const certificateText = (reason: string | undefined): string =>
  reason ? `its certificate ${reason}` : "the TLS handshake failed";

export interface StatusOptions {
  /** How long to wait after too many calls where the answer does not say. */
  rateLimitWaitMs?: number | undefined;
}

/** Classifies an HTTP status that is not a success. `detail` is the system's own message when it gave one. */
export function classifyStatus(
  status: number,
  headers: HttpHeaders,
  place: string,
  detail: string | null,
  { rateLimitWaitMs }: StatusOptions = {},
): ConnectorError {
  const says = detail ? `: ${detail}` : "";
  if (status === 401)
    return new ConnectorError("authentication", `${place} refused the credentials${says}.`, {
      hint: "Enter the credentials again; check that the key or password has not expired.",
    });
  if (status === 403 && !asksToWait(headers))
    return new ConnectorError("permission", `${place} does not allow this${says}.`, {
      hint: "Give the account or key the right to read (and, for destinations, to write) this data.",
    });
  if (status === 404 || status === 410)
    return new ConnectorError("notFound", `${place} has nothing at this address (${status})${says}.`, {
      hint: "Check the base address and the endpoint's path.",
    });
  if (status === 408 || status === 504)
    return new ConnectorError("timeout", `${place} took too long (${status})${says}.`);
  if (status === 429 || status === 403)
    return new ConnectorError("rateLimited", `${place} asks for fewer calls${says}.`, {
      retryAfterMs: retryAfterMs(headers, Date.now()) ?? rateLimitWaitMs,
    });
  if (status >= 500)
    return new ConnectorError("unavailable", `${place} has a problem of its own (${status})${says}.`, {
      hint: "Nothing to do here: it is tried again.",
      retryAfterMs: retryAfterMs(headers, Date.now()) ?? undefined,
    });
  if (status >= 300 && status < 400)
    return new ConnectorError("configuration", `${place} redirects elsewhere (${status})${says}.`, {
      hint: "Enter the final address as base address.",
    });
  return new ConnectorError("invalidRequest", `${place} refused the request (${status})${says}.`, {
    hint: "Check path, headers and body of this endpoint.",
  });
}

/** The innermost error code: undici and Node wrap the interesting one in `cause`. */
function codeOf(error: unknown): string {
  for (let current = error, depth = 0; current instanceof Error && depth < 5; current = current.cause, depth += 1) {
    if (current instanceof AggregateError && current.errors.length > 0) {
      const inner = codeOf(current.errors[0]);
      if (inner) return inner;
    }
    if ("code" in current && typeof current.code === "string") return current.code;
  }
  return "";
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === "TimeoutError" || (error.cause instanceof Error && isTimeout(error.cause)));

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? messageOf(error.cause) : error.message.replace(/\.$/, "");
};

const hostOf = (place: string): string => place.replace(/:\d+$/, "");
