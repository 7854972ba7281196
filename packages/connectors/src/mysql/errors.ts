/** What goes wrong with a MySQL or MariaDB server, as classified errors with a hint. */
import { classifyNetworkError, ConnectorError } from "@accord/connector-sdk";

/** What the server itself said. */
export interface ServerError {
  errno: number;
  state: string;
  message: string;
}

/** null for an error that did not come from the server. */
export function serverErrorOf(error: unknown): ServerError | null {
  const cause = error instanceof ConnectorError ? error.cause : error;
  if (!(cause instanceof Error) || !("errno" in cause) || typeof cause.errno !== "number") return null;
  if (!("code" in cause) || typeof cause.code !== "string" || !/^(ER_|WARN_|UNKNOWN_CODE)/.test(cause.code)) {
    // Errors that this version of the driver has no name for.
    if (!("sqlState" in cause)) return null;
  }
  const state = "sqlState" in cause && typeof cause.sqlState === "string" ? cause.sqlState : "";
  const message = "sqlMessage" in cause && typeof cause.sqlMessage === "string" ? cause.sqlMessage : cause.message;
  return { errno: cause.errno, state, message };
}

/** The driver gives each problem of TLS the same code: the words say which it is. */
const CERTIFICATE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/self[- ]signed certificate in certificate chain/i, "SELF_SIGNED_CERT_IN_CHAIN"],
  [/self[- ]signed certificate/i, "DEPTH_ZERO_SELF_SIGNED_CERT"],
  [/has expired/i, "CERT_HAS_EXPIRED"],
  [/not yet valid/i, "CERT_NOT_YET_VALID"],
  [/altnames|does not match/i, "ERR_TLS_CERT_ALTNAME_INVALID"],
  [/issuer|verify the first/i, "UNABLE_TO_VERIFY_LEAF_SIGNATURE"],
  [/revoked/i, "CERT_REVOKED"],
];

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export function classifyMysqlError(error: unknown, place: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const said = serverErrorOf(error);
  if (said) return classifyServerError(error, said, place);
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === "HANDSHAKE_NO_SSL_SUPPORT")
    return new ConnectorError("certificate", `${place} does not offer an encrypted connection.`, {
      cause: error,
      hint: "Switch encryption on in the server, or choose encryption: none for a server in your own network.",
    });
  if (code === "HANDSHAKE_SSL_ERROR" && /ECONNRESET|EPIPE|disconnected before secure/i.test(message))
    return classifyNetworkError(Object.assign(new Error(message), { code: "ECONNRESET" }), place);
  if (code === "HANDSHAKE_SSL_ERROR") {
    const known = CERTIFICATE_WORDS.find(([words]) => words.test(message))?.[1] ?? "EPROTO";
    return classifyNetworkError(Object.assign(new Error(message), { code: known }), place);
  }
  if (code === "MYSQL_CLEAR_PASSWORD_NOT_ENABLED" || /unknown plugin|authentication plugin/i.test(message))
    return new ConnectorError("authentication", `${place} asks for a way to log in that is not supported.`, {
      cause: error,
      hint: "Give this user the plugin mysql_native_password, or caching_sha2_password of MySQL 8.",
    });
  if (code === "PROTOCOL_CONNECTION_LOST" || /closed state|server closed the connection/i.test(message))
    return new ConnectorError("unreachable", `The connection to ${place} broke off.`, {
      cause: error,
      hint: "The database may be restarting. It is tried again.",
    });
  return classifyNetworkError(error, place);
}

/** Access denied, unknown or locked account, expired password, a host that may not connect, a plugin that is missing. */
const AUTHENTICATION = new Set([1045, 1130, 1251, 1275, 1524, 1698, 1820, 1862, 2059, 3118, 3159, 3955, 4151]);
/** Rights on a database, table, column, routine, or for one statement. */
export const PERMISSION: ReadonlySet<number> = new Set([1044, 1142, 1143, 1227, 1370, 1095]);
const READ_ONLY = new Set([1290, 1792, 1836, 3100, 4054]);
const TOO_LONG = new Set([1317, 1969, 3024]);
/**
 * Connections, memory, disk and transactions that ran out, a server that shuts down, a node that has left its cluster, and a
 * connection that somebody ended or that was idle for too long.
 */
const UNAVAILABLE = new Set([
  ...[1021, 1037, 1038, 1041, 1047, 1053, 1077, 1079, 1114, 1129, 1135, 1152, 1158, 1159, 1160, 1161, 1184],
  ...[1637, 1927, 3169, 4031],
]);
const TOO_MANY = new Set([1040, 1203, 1226]);
/** Locks, deadlocks, and rows that changed under a snapshot. */
export const CONTENDED: ReadonlySet<number> = new Set([1020, 1205, 1213, 1412, 1614, 3058, 3101, 3572]);

function classifyServerError(error: unknown, { errno, message }: ServerError, place: string): ConnectorError {
  const as = (kind: ConnectorError["kind"], words: string, hint?: string) =>
    new ConnectorError(kind, words, { cause: error, hint });
  const said = message.replace(/\.$/, "");
  if (AUTHENTICATION.has(errno))
    return as(
      "authentication",
      `${place} refused user name and password: ${said}.`,
      "Enter user name and password again; check that this user may connect from this server (user@host).",
    );
  if (errno === 1049)
    return as("configuration", `There is no such database on ${place}: ${said}.`, "Check the name of the database.");
  if (PERMISSION.has(errno))
    return as("permission", `${place}: ${said}.`, "Grant this user the rights on the database and its tables.");
  if (READ_ONLY.has(errno))
    return as("permission", `${place} is read-only just now: ${said}.`, "Connect to the primary server to write.");
  if (errno === 1054) {
    const hint = "The connector's schema is read again by itself; if this stays, refresh it.";
    return new ConnectorError("schemaChanged", `${place}: ${said}.`, { cause: error, hint, isFieldGone: true });
  }
  if (errno === 1146 || errno === 1051 || errno === 1356)
    return as("schemaChanged", `${place}: ${said}.`, "Refresh the connector's schema.");
  if (TOO_LONG.has(errno))
    return as("timeout", `${place} cancelled a statement that took too long.`, "Allow longer statements in Advanced.");
  if (TOO_MANY.has(errno))
    return as(
      "unavailable",
      `${place} takes no more connections just now: ${said}.`,
      "It is tried again; raise max_connections, or the limits of this user, if this stays.",
    );
  if (UNAVAILABLE.has(errno))
    return as("unavailable", `${place} is not available just now: ${said}.`, "It is tried again.");
  if (CONTENDED.has(errno)) return as("unavailable", `${place}: ${said}.`, "It is tried again.");
  return as("invalidRequest", `${place}: ${said}.`);
}
