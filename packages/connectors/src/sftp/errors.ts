/** What goes wrong with an SFTP server, as classified errors with a hint. */
import { classifyNetworkError, ConnectorError } from "@accord/connector-sdk";

/** Status codes of an answer: draft-ietf-secsh-filexfer-02, section 7. */
export const STATUS = { eof: 1, noSuchFile: 2, permissionDenied: 3, connectionLost: 7, unsupported: 8 } as const;

export const statusOf = (error: unknown): number | null =>
  error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : null;

const levelOf = (error: unknown): string =>
  error instanceof Error && "level" in error && typeof error.level === "string" ? error.level : "";

/** Beginning and end of a session. `place`: `files.example.com:22`. */
export function classifySessionError(error: unknown, place: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const level = levelOf(error);
  if (level === "client-authentication")
    return new ConnectorError("authentication", `${place} refused this user name with this password or key.`, {
      cause: error,
      neverSent: true,
      hint: "Enter the user name and the password or private key again; a key has to be among the account's authorized keys.",
    });
  if (level === "client-timeout" || /timed out/i.test(message))
    return new ConnectorError("timeout", `${place} did not answer in time.`, {
      cause: error,
      hint: "The server may be overloaded, or another service listens there; allow a longer wait in Advanced.",
    });
  if (level === "handshake" || /no matching|unsupported|protocol/i.test(message))
    return new ConnectorError("configuration", `No session with ${place} came about: ${message.slice(0, 200)}.`, {
      cause: error,
      hint: "Check that an SSH server of today listens on this port: old ciphers and keys are not used.",
    });
  return classifyNetworkError(error, place);
}

/** One question about a file or folder; `name` is what messages call it. */
export function classifyFileError(error: unknown, name: string, place: string): ConnectorError {
  if (error instanceof ConnectorError) return error;
  switch (statusOf(error)) {
    case STATUS.noSuchFile:
      return new ConnectorError("configuration", `There is no folder or file ${name} on ${place}.`, {
        cause: error,
        hint: "Check the folder's name: it is as the server shows it to this user.",
      });
    case STATUS.permissionDenied:
      return new ConnectorError("permission", `This user may not read ${name} on ${place}.`, {
        cause: error,
        hint: "Let the user read the folder and its files.",
      });
    case STATUS.connectionLost:
    case null:
      return new ConnectorError("unreachable", `The connection to ${place} broke off.`, {
        cause: error,
        hint: "The server may be restarting. It is tried again.",
      });
    default: {
      const message = error instanceof Error ? error.message : String(error);
      return new ConnectorError("unavailable", `${name} on ${place} could not be read: ${message.slice(0, 200)}.`, {
        cause: error,
        hint: "The server said no more than that; its own log may.",
      });
    }
  }
}
