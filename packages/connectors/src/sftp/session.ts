/**
 * One SSH connection to the files of a server: guarded address, host key compared with what was entered, time limits. It is
 * opened when it is first needed, shared by whatever is asked meanwhile, and ends when nobody asked for half a minute.
 */
import { ConnectorError, type ConnectContext } from "@accord/connector-sdk";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import ssh2, { type Client, type ConnectConfig, type SFTPWrapper } from "ssh2";
import { within } from "../within.ts";
import { fingerprintsIn, type SftpConfig } from "./config.ts";
import { usableKey } from "./private-key.ts";
import { classifyFileError, classifySessionError } from "./errors.ts";

const IDLE_MS = 30_000;
const KEEP_ALIVE_MS = 10_000;

type Callback<Answer> = (error: Error | null | undefined, answer: Answer) => void;

/** Asks one thing about `name`. @throws ConnectorError, also when no answer comes in time. */
export type Ask = <Answer>(
  name: string,
  question: (sftp: SFTPWrapper, answer: Callback<Answer>) => void,
) => Promise<Answer>;

export interface SftpSession {
  /** `files.example.com:22`. */
  readonly place: string;
  ask: Ask;
  /** For handles, which mean another file on another connection: what it asks after its connection has ended fails. */
  onOneConnection(): Promise<Ask>;
  close(): void;
}

interface Line {
  client: Client;
  socket: Socket;
  sftp: SFTPWrapper;
  /** Rejects when the connection ends. */
  ended: Promise<never>;
}

export function openSession(context: ConnectContext, config: SftpConfig): SftpSession {
  const place = `${config.host}:${config.port}`;
  let line: Promise<Line> | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let asked = 0;
  let isClosed = false;

  const opening = new AbortController();
  const end = (): void => {
    clearTimeout(idleTimer);
    const ending = line;
    line = null;
    ending?.then(destroy, () => {});
  };
  const giveUp = (): void => {
    opening.abort();
    end();
  };
  const opened = (): Promise<Line> => {
    if (isClosed)
      throw new ConnectorError("unavailable", `The connection to ${place} was closed.`, { neverSent: true });
    if (line) return line;
    const current = (line = openLine(context, config, place, opening.signal));
    const forget = (): void => void (line === current && (line = null));
    current.then(({ ended }) => ended.catch(forget), forget);
    return current;
  };
  context.signal.addEventListener("abort", giveUp, { once: true });

  const askOn = async <Answer>(
    found: Promise<Line>,
    name: string,
    question: (sftp: SFTPWrapper, answer: Callback<Answer>) => void,
  ): Promise<Answer> => {
    clearTimeout(idleTimer);
    asked += 1;
    try {
      const { sftp, ended } = await found;
      const late = new ConnectorError("timeout", `${place} did not answer in time.`, {
        hint: "The server may be overloaded; allow a longer wait for an answer in Advanced.",
      });
      const answer = new Promise<Answer>((resolve, reject) =>
        question(sftp, (error, given) => (error ? reject(error) : resolve(given))),
      );
      return await within(config.answerSeconds, late, Promise.race([answer, ended])).catch((error: unknown) => {
        // What is still under way belongs to a server that says nothing any more.
        if (error === late) end();
        throw error;
      });
    } catch (error) {
      context.signal.throwIfAborted();
      throw classifyFileError(error, name, place);
    } finally {
      asked -= 1;
      if (asked === 0 && line) idleTimer = setTimeout(end, IDLE_MS).unref();
    }
  };

  return {
    place,
    async ask(name, question) {
      context.signal.throwIfAborted();
      return askOn(opened(), name, question);
    },
    async onOneConnection() {
      context.signal.throwIfAborted();
      const own = opened();
      await own;
      return async (name, question) => {
        context.signal.throwIfAborted();
        if (line !== own) throw new ConnectorError("unreachable", `The connection to ${place} has ended.`);
        return askOn(own, name, question);
      };
    },
    close() {
      isClosed = true;
      context.signal.removeEventListener("abort", giveUp);
      giveUp();
    },
  };
}

function destroy({ client, socket }: Pick<Line, "client" | "socket">): void {
  client.end();
  socket.destroy();
}

async function openLine(
  context: ConnectContext,
  config: SftpConfig,
  place: string,
  givenUp: AbortSignal,
): Promise<Line> {
  const signIn = signInOf(context);
  const { address, port } = await context.resolveHost(config.host, config.port);
  const timeoutMs = config.connectSeconds * 1000;
  const socket = connect({ host: address, port });
  socket.setNoDelay(true);
  const client = new ssh2.Client();
  // One problem may be emitted several times: an event that nobody listens to would end the process.
  client.on("error", () => {});
  socket.on("error", () => {});
  const hostKey = hostKeyOf(config, place);
  givenUp.addEventListener("abort", () => destroy({ client, socket }), { once: true });
  try {
    await once(socket, "connect", { signal: AbortSignal.any([givenUp, AbortSignal.timeout(timeoutMs)]) }).catch(
      (error: unknown) => {
        throw error instanceof Error && error.name === "AbortError" ? new Error("timed out") : error;
      },
    );
    await new Promise<void>((resolve, reject) => {
      client.once("ready", resolve);
      client.once("error", reject);
      client.once("close", () => reject(Object.assign(new Error("connection closed"), { code: "ECONNRESET" })));
      client.on("keyboard-interactive", (_name, _instructions, _language, prompts, answer) =>
        // A password that is asked for by another way; whatever else is asked has no answer.
        answer(prompts.map(({ echo }) => (echo ? "" : (signIn.password ?? "")))),
      );
      client.connect({
        ...signIn,
        sock: socket,
        tryKeyboard: signIn.password !== undefined,
        readyTimeout: timeoutMs,
        keepaliveInterval: KEEP_ALIVE_MS,
        keepaliveCountMax: 3,
        hostVerifier: hostKey.verify,
      });
    });
    const sftp = await within(
      config.connectSeconds,
      new ConnectorError("timeout", `${place} did not answer in time.`),
      new Promise<SFTPWrapper>((resolve, reject) =>
        client.sftp((error, made) => (error ? reject(error) : resolve(made))),
      ),
    );
    const ended = new Promise<never>((_, reject) => {
      const broken = (): void => reject(new Error("connection closed"));
      sftp.once("close", broken);
      client.once("close", broken);
    });
    ended.catch(() => {});
    return { client, socket, sftp, ended };
  } catch (error) {
    destroy({ client, socket });
    context.signal.throwIfAborted();
    const { kind, message, hint, cause } = hostKey.problem() ?? classifySessionError(error, place);
    throw new ConnectorError(kind, message, { hint, cause, neverSent: true });
  }
}

/** @throws ConnectorError where the private key can't be used. */
function signInOf({
  authType,
  credentials,
}: ConnectContext): Pick<ConnectConfig, "username" | "password" | "privateKey" | "passphrase"> {
  const { username = "", password = "", privateKey = "", passphrase = "" } = credentials;
  if (authType !== "privateKey") return { username, password };
  return { username, privateKey: usableKey(privateKey, passphrase), ...(passphrase && { passphrase }) };
}

/** Compares what the server shows with the fingerprints that were entered. */
function hostKeyOf(
  config: SftpConfig,
  place: string,
): { verify: (key: Buffer) => boolean; problem(): ConnectorError | null } {
  const known = fingerprintsIn(config.fingerprint).map((text) => text.replace(/=$/, ""));
  let problem: ConnectorError | null = null;
  return {
    verify(key) {
      const digest = createHash("sha256").update(key).digest("base64").replace(/=+$/, "");
      const shown = `SHA256:${digest}`;
      if (known.includes(shown)) return true;
      problem =
        known.length === 0
          ? new ConnectorError("certificate", `${place} shows the host key ${shown}, and no fingerprint was entered.`, {
              hint: "Compare it with what the server's operator says, then enter it as fingerprint of the host key.",
            })
          : new ConnectorError("certificate", `${place} shows the host key ${shown}, which is none of those entered.`, {
              hint: "Ask the server's operator whether its key was changed. If nobody did, somebody else may be answering.",
            });
      return false;
    },
    problem: () => problem,
  };
}
