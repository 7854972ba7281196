/**
 * Sandboxes of this machine: whether there are any, and programs started in them, a bounded number at a time. Instances
 * take turns, and none has all places.
 */
import { tmpdir } from "node:os";
import { fairQueue } from "../access/fair-queue.ts";
import { findProgram, type ProcessBounds } from "./bubblewrap.ts";
import type { ProgramFiles } from "./program-folder.ts";
import { SandboxMissingError, startChild, type Missing } from "./sandbox-child.ts";
import {
  SandboxError,
  talkTo,
  type CallBounds,
  type DescribeError,
  type SandboxedProcess,
} from "./sandboxed-process.ts";

export interface Availability {
  isAvailable: boolean;
  /** Why not, in a sentence; null where it is available. */
  reason: string | null;
  /** What the operator should do. */
  fix: string | null;
}

export type Bounds = ProcessBounds & CallBounds;

export const DEFAULT_BOUNDS: Bounds = {
  heapMb: 128,
  memoryMb: 600,
  cpuSeconds: 300,
  hasNodePermissions: true,
  startMs: 20_000,
  callMs: 60_000,
  messageBytes: 10_000_000,
  callBytes: 60_000_000,
  callParts: 500_000,
  asksPerCall: 5_000,
  asksAtOnce: 16,
  callsAtOnce: 8,
};

export interface Program {
  /** Who takes turns. */
  instanceId: string;
  /** Of an author who tries code: fewer at a time, so that connections have places. */
  isTest?: boolean | undefined;
  /** Gives up waiting and starting. */
  signal?: AbortSignal | undefined;
  files: ProgramFiles;
  entry: string;
  bounds?: Partial<Bounds>;
  describeError: DescribeError;
  /** Whole lines of stdout and stderr. */
  onLog?: (text: string) => void;
}

export class SandboxUnavailableError extends Error {
  override readonly name = "SandboxUnavailableError";
  readonly availability: Availability;
  constructor(availability: Availability) {
    super(availability.reason ?? "Uploaded code can't run here.");
    this.availability = availability;
  }
}

export interface Sandbox {
  /** Asked of the machine: by starting a program, at first, and again some time after it failed. */
  availability(): Promise<Availability>;
  /**
   * Throws `SandboxUnavailableError` where there is no sandbox, and `SandboxError` where the program does not start, or
   * gets no place: it has done nothing by then.
   */
  start(program: Program): Promise<SandboxedProcess>;
}

/** Each may use `memoryMb`: more at a time would be more than servers have. */
const PROCESSES_AT_ONCE = 12;
const PROCESSES_OF_INSTANCE = 6;
const TESTS_AT_ONCE = 6;
const TESTS_OF_INSTANCE = 2;
const MAX_WAITING = 50;
const WAIT_FOR_TURN_MS = 30_000;
const PROBE_AGAIN_MS = 30_000;

/** In tests, a machine with other programs (`find`), and less time until there is a place. */
export interface SandboxOptions {
  find?: typeof findProgram;
  waitMs?: number;
}

export function makeSandbox(
  { monotonicMs }: { monotonicMs(): number },
  { find = findProgram, waitMs = WAIT_FOR_TURN_MS }: SandboxOptions = {},
): Sandbox {
  const turns = makeTurns(waitMs);
  let probed: { at: number; answer: Promise<Availability> } | null = null;

  /** `ended`: once there is nothing left of it. */
  const startNow = async (program: Omit<Program, "instanceId">): Promise<Started> => {
    const { signal } = program;
    const bounds = { ...DEFAULT_BOUNDS, ...program.bounds };
    const child = await startChild({ ...program, bounds, find });
    signal?.addEventListener("abort", child.kill, { once: true });
    if (signal?.aborted) child.kill();
    try {
      return { process: await talkTo(child, bounds, program.describeError), ended: child.ended };
    } catch (error) {
      // Its place is free when it is gone.
      await child.ended;
      throw error;
    } finally {
      signal?.removeEventListener("abort", child.kill);
    }
  };
  const probe = async (): Promise<Availability> => {
    try {
      const { process } = await startNow(PROBE);
      try {
        const answer = await process.call("probe", null);
        return answer === "fine" ? AVAILABLE : unavailable("The sandbox let its probe do what programs may not.");
      } finally {
        await process.close();
      }
    } catch (error) {
      if (error instanceof SandboxMissingError) return missing(error.missing);
      if (error instanceof SandboxError)
        return unavailable(`bubblewrap could not make a sandbox on this machine: ${error.message}`);
      const reason = error instanceof Error ? error.message : String(error);
      return {
        ...unavailable(`A program could not be put into a sandbox on this machine: ${reason}`),
        fix: `Give the user that runs the server room and rights to write in ${tmpdir()}.`,
      };
    }
  };
  const availability = async (): Promise<Availability> => {
    const now = monotonicMs();
    if (!probed || (now - probed.at > PROBE_AGAIN_MS && !(await probed.answer).isAvailable))
      probed = { at: now, answer: probe() };
    return probed.answer;
  };
  return {
    availability,
    async start(program) {
      const answer = await availability();
      if (!answer.isAvailable) throw new SandboxUnavailableError(answer);
      return turns.start(program, () => startNow(program));
    },
  };
}

const AVAILABLE: Availability = { isAvailable: true, reason: null, fix: null };

const unavailable = (reason: string): Availability => ({
  isAvailable: false,
  reason,
  fix:
    "Allow user namespaces to the user that runs the server (sysctl kernel.unprivileged_userns_clone=1; on Ubuntu also " +
    "kernel.apparmor_restrict_unprivileged_userns=0; in a container its seccomp profile must allow them).",
});

const PACKAGES: Readonly<Record<Missing, Omit<Availability, "isAvailable">>> = {
  bubblewrap: { reason: "bubblewrap is not installed on this server.", fix: "apt-get install bubblewrap" },
  prlimit: { reason: "prlimit is not installed on this server.", fix: "apt-get install util-linux" },
  ldd: { reason: "ldd is not installed on this server.", fix: "apt-get install libc-bin" },
  processor: { reason: "There is no sandbox for this kind of processor.", fix: "Run the server on x64 or arm64." },
};

const missing = (what: Missing): Availability => ({ isAvailable: false, ...PACKAGES[what] });

/** Tries what the namespaces, the filter and Node's permissions each have to refuse; says "fine" where all did. */
const PROBE_PROGRAM = `
import { existsSync } from "node:fs";
import { Socket, connect } from "node:net";
const pipe = new Socket({ fd: 3, readable: true, writable: true });
const connected = new Promise((resolve) => {
  const socket = connect({ host: "127.0.0.1", port: 9 });
  socket.on("connect", () => resolve("connected")).on("error", (error) => resolve(error.code));
});
const isThere = (path) => {
  try {
    return existsSync(path);
  } catch {
    return false;
  }
};
pipe.on("data", async (chunk) => {
  const { call } = JSON.parse(chunk.toString());
  const network = await connected;
  const isSafe = network === "EPERM" && !isThere("/etc") && !isThere("/proc/1") && process.getuid() === 65534;
  pipe.write(JSON.stringify({ reply: call, result: isSafe ? "fine" : "open" }) + "\\n");
});
pipe.write('{"ready":true}\\n');
`;

const PROBE: Omit<Program, "instanceId"> = {
  files: new Map([["probe.mjs", new TextEncoder().encode(PROBE_PROGRAM)]]),
  entry: "probe.mjs",
  bounds: { callMs: 10_000 },
  describeError: () => ({}),
};

interface Started {
  process: SandboxedProcess;
  ended: Promise<unknown>;
}

/** Places for programs: instances take turns, those of an instance come in their order. */
function makeTurns(waitMs: number) {
  const noPlace = (): SandboxError =>
    new SandboxError("tooMuch", "Too many programs run at the moment. Try again later.");
  const queueOf = (maxParallel: number, maxParallelPerLane: number) =>
    fairQueue({ maxParallel, maxParallelPerLane, maxWaiting: MAX_WAITING, tooMany: noPlace });
  const all = queueOf(PROCESSES_AT_ONCE, PROCESSES_OF_INSTANCE);
  const tests = queueOf(TESTS_AT_ONCE, TESTS_OF_INSTANCE);
  return {
    /** Begins when there is a place, which is kept until the program ended. */
    start({ instanceId, isTest, signal }: Program, begin: () => Promise<Started>): Promise<SandboxedProcess> {
      const waiting = new AbortController();
      const giveUp = (): void => waiting.abort(new SandboxError("aborted", "The call was given up."));
      const timer = setTimeout(() => waiting.abort(noPlace()), waitMs);
      const stopWaiting = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", giveUp);
      };
      signal?.addEventListener("abort", giveUp, { once: true });
      if (signal?.aborted) giveUp();
      const place = { lane: instanceId, client: isTest ? "tests" : "connections", signal: waiting.signal };
      return new Promise((resolve, reject) => {
        const run = async (): Promise<void> => {
          stopWaiting();
          const { process, ended } = await begin();
          resolve(process);
          await ended;
        };
        const inTurn = isTest ? tests.run(place, () => all.run(place, run)) : all.run(place, run);
        void inTurn.catch(reject).finally(stopWaiting);
      });
    },
  };
}
