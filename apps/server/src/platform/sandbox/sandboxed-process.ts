/** A program in a sandbox that is called like a function, bounded in time, bytes and questions. What it sends is data of a stranger. */
import { lineReader, MessageError, parseMessage, type Message } from "./plain-message.ts";
import type { SandboxChild } from "./sandbox-child.ts";

export interface CallBounds {
  /** Until the program says that it is ready. */
  startMs: number;
  callMs: number;
  /** Of one message, either way. */
  messageBytes: number;
  /** Of all that a program sends during one call. */
  callBytes: number;
  /** The same, by the parts of its messages: each costs time to read, however few bytes it has. */
  callParts: number;
  /** Questions of one call in all, and those waiting for their answers. */
  asksPerCall: number;
  asksAtOnce: number;
  callsAtOnce: number;
}

export type SandboxFailure = "timeout" | "ended" | "broken" | "tooMuch" | "aborted" | "closed";

/** The program did not answer. What it had begun by then may have happened. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly reason: SandboxFailure;
  constructor(reason: SandboxFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** The program answered that it failed; `details` are its words, of any form. */
export class ProgramError extends Error {
  override readonly name = "ProgramError";
  readonly details: Message;
  constructor(details: Message) {
    super(typeof details["message"] === "string" ? details["message"].slice(0, 2_000) : "The program failed.");
    this.details = details;
  }
}

/** Answers a program's question; what it throws is sent to the program as the members of `describeError`. */
export type Ask = (name: string, args: unknown, signal: AbortSignal) => Promise<unknown>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  ask?: Ask;
}

export interface SandboxedProcess {
  /** Throws `SandboxError` and `ProgramError`. */
  call(name: string, args: unknown, options?: CallOptions): Promise<unknown>;
  /** The last of its log. */
  log(): string;
  readonly hasEnded: boolean;
  /** Ends it at once; calls under way fail. */
  close(): Promise<void>;
}

interface OpenCall {
  resolve(result: unknown): void;
  reject(error: Error): void;
  ask: Ask | undefined;
  /** Ends its questions with it. */
  gone: AbortController;
  asks: number;
  asking: number;
  bytes: number;
  parts: number;
}

/** More than this that the program does not read: it never will. */
const UNREAD_BYTES = 64_000_000;

export type DescribeError = (error: unknown) => Message;

export async function talkTo(
  child: SandboxChild,
  bounds: CallBounds,
  describeError: DescribeError,
): Promise<SandboxedProcess> {
  const calls = new Map<number, OpenCall>();
  let lastCall = 0;
  let failure: SandboxError | null = null;
  let isReady: () => void = () => {};
  let hasBegun = false;
  // Set by callbacks only: the compiler takes it for null else.
  const failed = (): SandboxError | null => failure;

  const end = (error: SandboxError): void => {
    if (failure) return;
    failure = error;
    child.kill();
    for (const [id, call] of calls) settle(id, call, () => call.reject(error));
  };
  const settle = (id: number, call: OpenCall, done: () => void): void => {
    calls.delete(id);
    call.gone.abort();
    done();
  };
  const broken = (what: string): void => end(new SandboxError("broken", `The program ${what}: it was ended.`));
  const send = (message: Message): void => {
    if (failure) return;
    child.pipe.write(`${JSON.stringify(message)}\n`);
    if (child.pipe.writableLength > UNREAD_BYTES) broken("does not read what it is sent");
  };

  const onReply = (message: Message): void => {
    const id = Number(message["reply"]);
    const call = calls.get(id);
    if (!call) return broken("answered a call that nobody waits for");
    const { error } = message;
    settle(id, call, () =>
      error === undefined ? call.resolve(message["result"]) : call.reject(new ProgramError(asMessage(error))),
    );
  };
  const onAsk = (message: Message): void => {
    const { ask: number, name } = message;
    const call = calls.get(Number(message["call"]));
    // A question may cross with the end of its call.
    if (!call) return Number(message["call"]) <= lastCall ? undefined : broken("asked for a call that there is not");
    if (typeof name !== "string" || typeof number !== "number") return broken("asked something that is no question");
    call.asks += 1;
    call.asking += 1;
    if (call.asks > bounds.asksPerCall || call.asking > bounds.asksAtOnce)
      return end(new SandboxError("tooMuch", "The program made too many requests: it was ended."));
    const { ask = refuseAll } = call;
    void ask(name, message["args"], call.gone.signal)
      .then((result) => send(bounded({ answer: number, result }, bounds.messageBytes)))
      .catch((error: unknown) => send({ answer: number, error: describeError(error) }))
      .finally(() => (call.asking -= 1));
  };
  const count = (what: "bytes" | "parts", more: number): boolean => {
    const most = what === "bytes" ? bounds.callBytes : bounds.callParts;
    const open = [...calls.values()];
    for (const call of open) call[what] += more;
    const isFine = open.every((call) => call[what] <= most);
    if (!isFine) end(new SandboxError("tooMuch", "The program sent more than a call may: it was ended."));
    return isFine;
  };
  const onLine = (line: Buffer): void => {
    // Between calls nobody counts what it sends, and nobody reads it.
    if (calls.size === 0 && hasBegun) return broken("sent something that nobody waits for");
    if (!count("bytes", line.length)) return;
    const { message, parts } = parseMessage(line);
    if (!count("parts", parts)) return;
    if ("ask" in message) onAsk(message);
    else if ("reply" in message) onReply(message);
    else if (message["ready"] !== true) broken("sent something that is no message");
    else {
      hasBegun = true;
      isReady();
    }
  };
  const readLines = lineReader(bounds.messageBytes);
  child.pipe.on("data", (chunk: Buffer) => {
    try {
      for (const line of readLines(chunk)) if (!failure) onLine(line);
    } catch (error) {
      if (!(error instanceof MessageError)) throw error;
      broken(error.message);
    }
  });
  void child.ended.then((why) => end(new SandboxError("ended", `The program ${why}.`)));

  const call: SandboxedProcess["call"] = (name, args, { signal, timeoutMs = bounds.callMs, ask } = {}) =>
    new Promise((resolve, reject) => {
      if (failure) return reject(failure);
      if (signal?.aborted) return reject(new SandboxError("aborted", "The call was given up."));
      if (calls.size >= bounds.callsAtOnce)
        return reject(new SandboxError("tooMuch", "The program has too many calls to answer."));
      const id = ++lastCall;
      const gone = new AbortController();
      // A program that does not come back from one call is no use for others: it may be in an endless loop.
      const timer = setTimeout(() => {
        end(new SandboxError("timeout", `The program did not answer within ${timeoutMs / 1000} s: it was ended.`));
      }, timeoutMs);
      const giveUp = (): void => {
        // It may still be at it, and nobody would stop it: a cancelled program is ended like a slow one.
        end(new SandboxError("aborted", "The call was given up."));
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      gone.signal.addEventListener("abort", () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      });
      calls.set(id, { resolve, reject, ask, gone, asks: 0, asking: 0, bytes: 0, parts: 0 });
      const message = JSON.stringify({ call: id, name, args });
      if (message.length > bounds.messageBytes) {
        const own = calls.get(id);
        const error = new SandboxError("tooMuch", "What the program is to be sent is too much for one message.");
        if (own) settle(id, own, () => own.reject(error));
        return undefined;
      }
      child.pipe.write(`${message}\n`);
      return undefined;
    });

  await started(child, bounds.startMs, (ready) => (isReady = ready), end);
  const ended = failed();
  if (ended) throw ended;
  return {
    call,
    log: child.log,
    get hasEnded() {
      return failure !== null;
    },
    async close() {
      end(new SandboxError("closed", "The program was closed."));
      await child.ended;
    },
  };
}

/** Waits for the program's word that it is ready, for its end, or for the time to be over. */
async function started(
  child: SandboxChild,
  startMs: number,
  onReady: (ready: () => void) => void,
  end: (error: SandboxError) => void,
): Promise<void> {
  const timer = setTimeout(() => {
    end(new SandboxError("timeout", `The program was not ready within ${startMs / 1000} s.`));
  }, startMs);
  await Promise.race([new Promise<void>(onReady), child.ended]);
  clearTimeout(timer);
}

const refuseAll: Ask = () => Promise.reject(new Error("There is nobody to ask."));

const asMessage = (error: unknown): Message =>
  typeof error === "object" && error !== null && !Array.isArray(error) ? { ...error } : {};

function bounded(message: Message, maxBytes: number): Message {
  if (JSON.stringify(message).length > maxBytes) throw new Error("The answer is too large for the program.");
  return message;
}
