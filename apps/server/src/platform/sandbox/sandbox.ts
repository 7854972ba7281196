/** Sandboxes of this machine: whether there are any, and programs started in them, a bounded number at a time. */
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
  files: ProgramFiles;
  entry: string;
  bounds?: Partial<Bounds>;
  describeError: DescribeError;
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
  /** Throws `SandboxUnavailableError` where there is no sandbox, and `SandboxError` where the program does not start. */
  start(program: Program): Promise<SandboxedProcess>;
}

/** Each may use `memoryMb`: more at a time would be more than servers have. */
const PROCESSES_AT_ONCE = 12;
const WAIT_FOR_TURN_MS = 30_000;
const PROBE_AGAIN_MS = 30_000;

/** `find`: in tests, a machine with other programs. */
export function makeSandbox(
  { monotonicMs }: { monotonicMs(): number },
  find: typeof findProgram = findProgram,
): Sandbox {
  const turns = makeTurns(PROCESSES_AT_ONCE);
  let probed: { at: number; answer: Promise<Availability> } | null = null;

  const startInTurn = async (program: Program): Promise<SandboxedProcess> => {
    const leave = await turns.enter();
    try {
      const bounds = { ...DEFAULT_BOUNDS, ...program.bounds };
      const child = await startChild({ ...program, bounds, find });
      void child.ended.then(leave);
      return await talkTo(child, bounds, program.describeError);
    } catch (error) {
      leave();
      throw error;
    }
  };
  const probe = async (): Promise<Availability> => {
    try {
      const process = await startInTurn(PROBE);
      try {
        const answer = await process.call("probe", null);
        return answer === "fine" ? AVAILABLE : unavailable("The sandbox let its probe do what programs may not.");
      } finally {
        await process.close();
      }
    } catch (error) {
      if (error instanceof SandboxMissingError) return missing(error.missing);
      if (!(error instanceof SandboxError)) throw error;
      return unavailable(`bubblewrap could not make a sandbox on this machine: ${error.message}`);
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
      return startInTurn(program);
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

const PROBE: Program = {
  files: new Map([["probe.mjs", new TextEncoder().encode(PROBE_PROGRAM)]]),
  entry: "probe.mjs",
  bounds: { callMs: 10_000 },
  describeError: () => ({}),
};

/** First come, first served. */
function makeTurns(count: number): { enter(): Promise<() => void> } {
  let free = count;
  const waiting: (() => void)[] = [];
  const leaveOnce = (): (() => void) => {
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    };
  };
  return {
    enter: () =>
      new Promise((resolve, reject) => {
        if (free > 0) {
          free -= 1;
          resolve(leaveOnce());
          return;
        }
        const enter = (): void => {
          clearTimeout(timer);
          resolve(leaveOnce());
        };
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(enter), 1);
          reject(new SandboxError("tooMuch", "Too many programs run at the moment. Try again later."));
        }, WAIT_FOR_TURN_MS);
        waiting.push(enter);
      }),
  };
}
