/**
 * The mirror as the server sees it: a process of its own that is begun with the first question, begun again when it ends,
 * and never waited for long. Whatever it can't answer in time PostgreSQL answers.
 */
import { type ChildProcess, fork } from "node:child_process";
import { rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { Clock } from "../../../../platform/clock.ts";
import type { Log } from "../../../../platform/log/log.ts";
import type {
  FromMirror,
  MirrorAnswer,
  MirroredTable,
  MirrorLimits,
  MirrorQuestion,
  Refusal,
  ToMirror,
} from "./protocol.ts";

export interface MirrorOptions {
  /** Of the database of records. */
  url: string;
  /** Holds nothing else; emptied at each start. */
  folder: string;
  limits: MirrorLimits;
  /** Variables of its process. */
  environment: Readonly<Record<string, string | undefined>>;
  log: Log;
  clock: Pick<Clock, "now">;
  /** Its process is gone, and with it what it copied. */
  onEnd(): void;
}

export type MirrorState = "idle" | "starting" | "ready" | "unavailable";

export interface MirrorStatus {
  state: MirrorState;
  /** Why there is no process. */
  reason: string | null;
  tables: MirroredTable[];
  /** UTC milliseconds: when the process said this of its tables. */
  tablesAt: number;
  /** What the copies of each schema take of the disk. */
  files: { schema: string; bytes: number }[];
  /** UTC milliseconds of the last answer from each copy, by schema and table. */
  answeredAt: ReadonlyMap<string, number>;
  /** Questions since the server started, and why PostgreSQL answered others. */
  answered: number;
  refused: Partial<Record<Refusal, number>>;
}

export interface Mirror {
  ask(question: MirrorQuestion, signal: AbortSignal): Promise<MirrorAnswer | { refusal: Refusal }>;
  status(): MirrorStatus;
  /** Of its process, while there is one. */
  readonly pid: number | undefined;
  stop(): Promise<void>;
}

const RESTART_MS = [1_000, 5_000, 30_000, 300_000];
/** Beyond what the process is given for an answer. */
const GRACE_MS = 1_000;
/** A process that says nothing for so long when it is asked whether it lives does not come back. */
const PONG_MS = 15_000;
const HEAP_MB = 512;
/** A third of the processor time of others, where there is not enough for all; with less it would hardly start then. */
const PRIORITY = 5;

const NO_TABLES = { tables: [], tablesAt: 0, files: [] };

export const answerKey = (schema: string, table: string): string => `${schema} ${table}`;

interface Asked {
  resolve(answer: MirrorAnswer | { refusal: Refusal }): void;
}

export function startMirror(options: MirrorOptions): Mirror {
  const supervised = new SupervisedMirror(options);
  return {
    ask: (question, signal) => supervised.ask(question, signal),
    status: () => supervised.status(),
    get pid() {
      return supervised.pid;
    },
    stop: () => supervised.stop(),
  };
}

class SupervisedMirror {
  readonly #options: MirrorOptions;
  #child: ChildProcess | null = null;
  #state: MirrorState = "idle";
  #reason: string | null = null;
  #tables: Pick<MirrorStatus, "tables" | "tablesAt" | "files"> = NO_TABLES;
  readonly #answeredAt = new Map<string, number>();
  #asked = new Map<number, Asked>();
  #answered = 0;
  readonly #refused: Partial<Record<Refusal, number>> = {};
  #lastId = 0;
  #failures = 0;
  #pinged: NodeJS.Timeout | null = null;
  #restartAt = 0;
  #isStopped = false;

  constructor(options: MirrorOptions) {
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  status(): MirrorStatus {
    const [state, reason, answeredAt] = [this.#state, this.#reason, this.#answeredAt];
    return { state, reason, ...this.#tables, answeredAt, answered: this.#answered, refused: { ...this.#refused } };
  }

  async ask(question: MirrorQuestion, signal: AbortSignal): Promise<MirrorAnswer | { refusal: Refusal }> {
    const answer = await this.#ask(question, signal);
    if ("refusal" in answer) this.#refused[answer.refusal] = (this.#refused[answer.refusal] ?? 0) + 1;
    else this.#onAnswer(question);
    return answer;
  }

  #onAnswer({ schema, reads }: MirrorQuestion): void {
    this.#answered += 1;
    const now = this.#options.clock.now().getTime();
    for (const { table } of reads) this.#answeredAt.set(answerKey(schema, table), now);
  }

  async #ask(question: MirrorQuestion, signal: AbortSignal): Promise<MirrorAnswer | { refusal: Refusal }> {
    if (!this.#child) this.#begin();
    if (this.#state !== "ready") return { refusal: "unavailable" };
    signal.throwIfAborted();
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        forget();
        this.#send({ type: "cancel", id });
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        this.#ping();
        settle({ refusal: "late" });
      }, question.timeoutMs + GRACE_MS);
      const forget = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", leave);
        this.#asked.delete(id);
      };
      const settle: Asked["resolve"] = (answer) => {
        forget();
        resolve(answer);
      };
      signal.addEventListener("abort", leave, { once: true });
      this.#asked.set(id, { resolve: settle });
      this.#send({ type: "ask", id, question });
    });
  }

  /** Late answers alone say nothing: much may be asked at once. */
  #ping(): void {
    const child = this.#child;
    if (!child || this.#pinged) return;
    this.#pinged = setTimeout(() => child.kill("SIGKILL"), PONG_MS).unref();
    this.#send({ type: "ping" });
  }

  #onPong(): void {
    if (this.#pinged) clearTimeout(this.#pinged);
    this.#pinged = null;
  }

  #send(message: ToMirror): void {
    this.#child?.send(message, () => {});
  }

  #begin(): void {
    if (this.#isStopped || performance.now() < this.#restartAt) return;
    const { url, folder, limits, environment } = this.#options;
    const child = fork(fileURLToPath(new URL("mirror-process.ts", import.meta.url)), [], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`, "--no-warnings"],
      env: { ...environment, TZ: "UTC" },
      stdio: ["ignore", "ignore", "pipe", "ipc"],
      serialization: "advanced",
    });
    this.#child = child;
    this.#state = "starting";
    lowerPriority(child.pid);
    let said = "";
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (said = `${said}${text}`.slice(-4_000)));
    child.on("message", (message: FromMirror) => this.#onMessage(message));
    child.on("error", (error) => (said = error.message));
    child.on("close", (code, signal) => this.#onEnd(signal ?? `code ${code}`, said));
    // It ends with the server, and keeps it from ending no more than a timer would.
    child.unref();
    child.channel?.unref();
    this.#send({ type: "start", url, folder, limits });
  }

  #onMessage(message: FromMirror): void {
    switch (message.type) {
      case "ready":
        this.#state = "ready";
        this.#reason = null;
        break;
      case "pong":
        this.#onPong();
        break;
      case "answer":
        this.#failures = 0;
        this.#asked.get(message.id)?.resolve(message.answer);
        break;
      case "refusal":
        this.#asked.get(message.id)?.resolve({ refusal: message.reason });
        break;
      case "tables":
        this.#tables = {
          ...{ tables: message.tables, files: message.files },
          tablesAt: this.#options.clock.now().getTime(),
        };
        break;
      case "log":
        this.#options.log[message.level](message.facts, message.message);
    }
  }

  #onEnd(how: string, said: string): void {
    const wasReady = this.#state === "ready";
    this.#child = null;
    this.#tables = NO_TABLES;
    this.#answeredAt.clear();
    this.#onPong();
    this.#failures += 1;
    const waitMs = RESTART_MS[Math.min(this.#failures, RESTART_MS.length) - 1] ?? 0;
    this.#restartAt = performance.now() + waitMs;
    this.#state = wasReady ? "idle" : "unavailable";
    this.#reason = wasReady ? null : lastLine(said);
    for (const { resolve } of this.#asked.values()) resolve({ refusal: "unavailable" });
    if (this.#isStopped) return;
    this.#options.onEnd();
    const facts = { how, againInMs: waitMs, reason: lastLine(said) };
    this.#options.log.warn(facts, "the process of the columnar mirror ended: PostgreSQL answers until it is back");
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const child = this.#child;
    if (child) {
      const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
      child.kill("SIGKILL");
      await ended;
    }
    await rm(this.#options.folder, { recursive: true, force: true });
  }
}

const lastLine = (text: string): string | null =>
  text
    .split("\n")
    .map((line) => line.trim())
    .findLast((line) => /error|cannot|failed/i.test(line)) ?? null;

/** Sync and people come first. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // Not everywhere allowed; it only makes sharing fairer.
  }
}
