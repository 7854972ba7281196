/** One sandbox process: no files but its own, no environment, no ways out; ended from outside when it does not answer. */
import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { type CodeResult, FromProcess, type ToProcess } from "./protocol.ts";

/** A run's bound is time of the processor; by the clock it may take so many times as long on a busy machine, */
const CLOCK_FACTOR = 4;
/** and a little more, before its process is ended: parts of QuickJS can't be interrupted. */
const GRACE_MS = 2_000;
/** Longest start, on a busy machine. */
const START_MS = 30_000;
/** The start of what a process says on its way out, for the log. */
const MAX_ERROR_TEXT = 2_000;

/** The process ended before it answered. */
export class SandboxProcessEnded extends Error {
  override readonly name = "SandboxProcessEnded";
  /** It was ended because it took too long. */
  readonly wasLate: boolean;
  constructor(wasLate: boolean, detail: string) {
    super(`a sandbox process ended: ${detail}`);
    this.wasLate = wasLate;
  }
}

export interface SandboxProcess {
  readonly pid: number | undefined;
  readonly isAlive: boolean;
  /** Resolves when the process is done. @throws SandboxProcessEnded */
  request(message: ToProcess, onResult: (result: CodeResult) => void): Promise<void>;
  /** Resolves when it is gone. */
  end(): Promise<void>;
}

const folderOf = (specifier: string): string => dirname(fileURLToPath(import.meta.resolve(specifier)));
const packageOf = (name: string): string => dirname(folderOf(name));

/** The folders that a process may read: the code of the sandbox and the packages it is made of. */
const readable = (): string[] => [
  fileURLToPath(new URL(".", import.meta.url)),
  packageOf("quickjs-emscripten-core"),
  packageOf("@jitl/quickjs-wasmfile-release-sync"),
  packageOf("@jitl/quickjs-ffi-types"),
  packageOf("zod"),
];

/** @throws SandboxProcessEnded where it does not start */
export async function startSandboxProcess(): Promise<SandboxProcess> {
  const child = fork(fileURLToPath(new URL("guest/process.ts", import.meta.url)), [], {
    execArgv: [
      "--permission",
      ...readable().map((folder) => `--allow-fs-read=${folder}/*`),
      // Deep calls reach the bound of QuickJS before that of the machine.
      "--stack-size=3900",
      "--max-old-space-size=128",
      "--disable-proto=delete",
      "--no-addons",
      "--no-warnings",
    ],
    // Local times in programs are UTC.
    env: { TZ: "UTC" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
    serialization: "json",
  });
  const started = supervise(child);
  lowerPriority(child.pid);
  await started.isReady;
  return started.process;
}

/** Programs must not take the processor from the server that waits for them. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Not everywhere allowed; it only makes sharing fairer.
  }
}

interface Answering {
  onResult: (result: CodeResult) => void;
  settle: { resolve: () => void; reject: (error: Error) => void };
  limitMs: number;
}

function supervise(child: ChildProcess): { process: SandboxProcess; isReady: Promise<void> } {
  let answering: Answering | null = null;
  let timer: NodeJS.Timeout | undefined;
  let wasLate = false;
  let said = "";
  const exited = Promise.withResolvers<void>();
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null && child.connected;
  const startTimer = (limitMs: number): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      wasLate = true;
      child.kill("SIGKILL");
    }, limitMs);
  };
  const finish = (done: (settle: Answering["settle"]) => void): void => {
    clearTimeout(timer);
    const finished = answering;
    answering = null;
    // What idles keeps no process from ending.
    child.channel?.unref();
    if (finished) done(finished.settle);
  };
  const gone = (detail: string): void => {
    exited.resolve();
    finish(({ reject }) => reject(new SandboxProcessEnded(wasLate, `${detail} ${said}`.trim())));
  };
  child.stderr?.on("data", (data: Buffer) => {
    if (said.length < MAX_ERROR_TEXT) said = (said + data.toString()).slice(0, MAX_ERROR_TEXT);
  });
  child.on("error", (error) => gone(error.message));
  child.on("exit", (code, signal) => gone(signal ?? `exit code ${code}`));
  child.on("message", (message) => {
    const parsed = FromProcess.safeParse(message);
    if (!answering || !parsed.success) return;
    if (parsed.data.kind === "result") {
      startTimer(answering.limitMs);
      answering.onResult(parsed.data.result);
    } else finish(({ resolve }) => resolve());
  });
  child.unref();
  const wait = (limitMs: number, onResult: Answering["onResult"]): Promise<void> => {
    const { promise, ...settle } = Promise.withResolvers<void>();
    answering = { onResult, settle, limitMs };
    startTimer(limitMs);
    child.channel?.ref();
    if (!isAlive()) gone("it was gone already");
    return promise;
  };
  return {
    isReady: wait(START_MS, () => {}),
    process: {
      pid: child.pid,
      get isAlive() {
        return isAlive();
      },
      request(message, onResult) {
        const answered = wait(message.timeoutMs * CLOCK_FACTOR + GRACE_MS, onResult);
        child.send(message, (error) => {
          if (error) child.kill("SIGKILL");
        });
        return answered;
      },
      async end() {
        child.kill("SIGKILL");
        child.ref();
        if (child.exitCode === null && child.signalCode === null) await exited.promise;
      },
    },
  };
}
