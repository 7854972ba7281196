/** The server's log: one JSON line per event on standard output, with everything secret blotted out. */
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** Names of properties whose values never reach the log, at the top of an entry or up to two levels down. */
const SECRET_NAMES = [
  "password",
  "newPassword",
  "currentPassword",
  "secret",
  "clientSecret",
  "token",
  "accessToken",
  "refreshToken",
  "apiKey",
  "authorization",
  "cookie",
  "credential",
  "credentials",
  "privateKey",
  "connectionString",
  "databaseUrl",
  "smtpUrl",
  "masterKey",
];
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]).concat(
  ["set-cookie", "x-csrf-token", "x-api-key"].flatMap((header) => [`*["${header}"]`, `*.*["${header}"]`]),
);

export interface LogOptions {
  logLevel: string;
  /** Where lines go; standard output when left out. */
  destination?: DestinationStream;
}

export function makeLog({ logLevel, destination }: LogOptions): Log {
  const options = {
    level: logLevel,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    redact: { paths: SECRET_PATHS, censor: "[secret]" },
    serializers: { err: describeError },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** Only what an error says about itself: drivers hang whole connections, keys included, on theirs. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = "code" in error ? error.code : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { type: error.name, message: error.message, code, stack: error.stack, cause };
}
