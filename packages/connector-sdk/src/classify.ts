/** Turns what goes wrong underneath (DNS, sockets, certificates, HTTP statuses) into classified errors with a hint. */
import { connectionErrors } from "@accord/contracts/messages/en/synapses/connection-errors";
import { fill } from "@accord/contracts/messages/fill";
import { asksToWait, retryAfterMs } from "./call-limit-headers.ts";
import { ConnectorError } from "./errors.ts";

/** Names in lower case. */
type HttpHeaders = Readonly<Record<string, string | undefined>>;

const CERTIFICATE_CODES: Record<string, string> = {
  CERT_HAS_EXPIRED: connectionErrors.certificate.expired,
  CERT_NOT_YET_VALID: connectionErrors.certificate.notYetValid,
  DEPTH_ZERO_SELF_SIGNED_CERT: connectionErrors.certificate.selfSigned,
  SELF_SIGNED_CERT_IN_CHAIN: connectionErrors.certificate.untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: connectionErrors.certificate.untrusted,
  UNABLE_TO_GET_ISSUER_CERT: connectionErrors.certificate.untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: connectionErrors.certificate.untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: connectionErrors.certificate.otherHost,
  CERT_REVOKED: connectionErrors.certificate.revoked,
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
    return new ConnectorError(
      "certificate",
      fill(connectionErrors.notSecure, { place, reason: certificateText(certificate) }),
      {
        ...options,
        hint: certificate ? connectionErrors.certificateHint : connectionErrors.tlsHint,
      },
    );
  if (DNS_CODES.has(code))
    return new ConnectorError("unreachable", fill(connectionErrors.noHost, { host: hostOf(place) }), {
      ...options,
      neverSent: true,
      hint: connectionErrors.noHostHint,
    });
  if (CLOSED_CODES.has(code))
    return new ConnectorError("unreachable", fill(connectionErrors.nothingAnswers, { place }), {
      ...options,
      neverSent: true,
      hint: connectionErrors.nothingAnswersHint,
    });
  if (TIMEOUT_CODES.has(code) || isTimeout(error))
    return new ConnectorError("timeout", fill(connectionErrors.timeout, { place }), {
      ...options,
      neverSent: code === "UND_ERR_CONNECT_TIMEOUT",
      hint: connectionErrors.timeoutHint,
    });
  if (BROKEN_CODES.has(code))
    return new ConnectorError("unreachable", fill(connectionErrors.brokeOff, { place }), {
      ...options,
      hint: connectionErrors.brokeOffHint,
    });
  return new ConnectorError(
    "unexpected",
    fill(connectionErrors.callFailed, { place, reason: messageOf(error) }),
    options,
  );
}

const certificateText = (reason: string | undefined): string =>
  reason ? fill(connectionErrors.itsCertificate, { reason }) : connectionErrors.handshakeFailed;

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
    return new ConnectorError("authentication", fill(connectionErrors.credentialsRefused, { place, says }), {
      hint: connectionErrors.credentialsRefusedHint,
    });
  if (status === 403 && !asksToWait(headers))
    return new ConnectorError("permission", fill(connectionErrors.notAllowed, { place, says }), {
      hint: connectionErrors.notAllowedHint,
    });
  if (status === 404 || status === 410)
    return new ConnectorError("notFound", fill(connectionErrors.nothingThere, { place, status, says }), {
      hint: connectionErrors.nothingThereHint,
    });
  if (status === 408 || status === 504)
    return new ConnectorError("timeout", fill(connectionErrors.tookTooLong, { place, status, says }));
  if (status === 429 || status === 403)
    return new ConnectorError("rateLimited", fill(connectionErrors.fewerCalls, { place, says }), {
      retryAfterMs: retryAfterMs(headers, Date.now()) ?? rateLimitWaitMs,
    });
  if (status >= 500)
    return new ConnectorError("unavailable", fill(connectionErrors.ownProblem, { place, status, says }), {
      hint: connectionErrors.ownProblemHint,
      retryAfterMs: retryAfterMs(headers, Date.now()) ?? undefined,
    });
  if (status >= 300 && status < 400)
    return new ConnectorError("configuration", fill(connectionErrors.redirects, { place, status, says }), {
      hint: connectionErrors.redirectHint,
    });
  return new ConnectorError("invalidRequest", fill(connectionErrors.requestRefused, { place, status, says }), {
    hint: connectionErrors.requestRefusedHint,
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
