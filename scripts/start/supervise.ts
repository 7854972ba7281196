/** Keeps a server process running: starts it again when it crashes, ever later, and gives up after a few times in a row. */
import { type ChildProcess, fork } from "node:child_process";
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

export interface SuperviseOptions {
  /** The program. It sends `READY` once it serves, and ends by itself when this process is gone. */
  file: string;
  words?: readonly string[];
  say: (line: string) => void;
  limits?: Limits;
}

export interface Limits {
  /** Crashes in a row after which no further start is tried. */
  maxCrashes: number;
  firstPauseMs: number;
  maxPauseMs: number;
  /** Crashes longer apart than this are not in a row. */
  settledMs: number;
}

export const READY = "ready";
/** Given to a program that is started after a crash. */
export const AGAIN = "--again";

const LIMITS: Limits = { maxCrashes: 6, firstPauseMs: 1_000, maxPauseMs: 30_000, settledMs: 10 * 60_000 };
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs the program until it ends as it should, or can't be kept running. Answers the exit code. */
export async function supervise({ file, words = [], say, limits = LIMITS }: SuperviseOptions): Promise<number> {
  const stop = new AbortController();
  let child: ChildProcess | undefined;
  const pass = (signal: NodeJS.Signals): void => {
    stop.abort();
    // A terminal sends Ctrl-C to both; sent to this process alone, it has to be passed on.
    child?.kill(signal);
  };
  for (const signal of SIGNALS) process.on(signal, pass);
  try {
    for (let crashes = 0; ;) {
      const begin = performance.now();
      child = fork(file, [...words, ...(crashes > 0 ? [AGAIN] : [])]);
      const { code, wasReady, reason } = await ended(child);
      if (stop.signal.aborted || code === 0) return code;
      // Nothing was lost by a start that failed; the program has said what to do.
      if (!wasReady && crashes === 0) return code;
      crashes = performance.now() - begin > limits.settledMs ? 1 : crashes + 1;
      if (crashes >= limits.maxCrashes) {
        say(`The server ended unexpectedly (${reason}), ${crashes} times in a row. It is not started again.`);
        return code;
      }
      const pauseMs = Math.min(limits.maxPauseMs, limits.firstPauseMs * 2 ** (crashes - 1));
      const times = `${crashes} of ${limits.maxCrashes - 1}`;
      say(`The server ended unexpectedly (${reason}). Starting it again in ${pauseMs / 1_000} s (${times}) …`);
      await sleep(pauseMs, undefined, { signal: stop.signal }).catch(() => {});
      if (stop.signal.aborted) return 0;
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, pass);
  }
}

interface End {
  code: number;
  wasReady: boolean;
  reason: string;
}

function ended(child: ChildProcess): Promise<End> {
  return new Promise((resolve, reject) => {
    let wasReady = false;
    child.on("message", (message) => (wasReady ||= message === READY));
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      if (signal) resolve({ code: 128 + constants.signals[signal], wasReady, reason: signal });
      else resolve({ code: code ?? 1, wasReady, reason: `exit code ${code}` });
    });
  });
}
