/** Starts one sandboxed Node: its pipes, its bounded log, and why it ended. Knows nothing of what is said over the pipes. */
import { spawn } from "node:child_process";
import type { Duplex } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { type Command, findProgram, librariesOfNode, sandboxCommand, type ProcessBounds } from "./bubblewrap.ts";
import { makeProgramFolder, type ProgramFiles } from "./program-folder.ts";
import { systemCallFilter } from "./system-calls.ts";

/** The last of what a program writes to stdout and stderr. */
const KEPT_LOG_BYTES = 64_000;
/** Of one line that is passed on. */
const MAX_LINE_LENGTH = 16_000;
/** Reading it costs the server time: a program that writes more is ended. */
const MAX_LOG_BYTES = 5_000_000;
const PIPE_FD = 3;
const FILTER_FD = 4;

export type Missing = "bubblewrap" | "prlimit" | "ldd" | "processor";

export class SandboxMissingError extends Error {
  override readonly name = "SandboxMissingError";
  readonly missing: Missing;
  constructor(missing: Missing) {
    super(`There is no ${missing} for sandboxes on this machine.`);
    this.missing = missing;
  }
}

export interface SandboxChild {
  /** Both ways. */
  pipe: Duplex;
  /** Of the processes outside: bubblewrap, whose end is that of all inside. */
  pid: number | undefined;
  /** The last of stdout and stderr, in whole lines. */
  log(): string;
  kill(): void;
  /** Says why it ended, once its folder is gone. */
  ended: Promise<string>;
}

interface ChildOptions {
  files: ProgramFiles;
  /** The file that Node runs. */
  entry: string;
  bounds: ProcessBounds;
  /** Gets whole lines. */
  onLog?: ((text: string) => void) | undefined;
  /** Where programs of the system are. */
  find?: typeof findProgram;
}

/** Throws `SandboxMissingError`, and what the file system throws. */
export async function startChild({
  files,
  entry,
  bounds,
  onLog,
  find = findProgram,
}: ChildOptions): Promise<SandboxChild> {
  const bubblewrap = required("bubblewrap", find("bwrap"));
  const prlimit = required("prlimit", find("prlimit"));
  const filter = required("processor", systemCallFilter());
  required("ldd", find("ldd"));
  const libraries = await librariesOfNode();
  const folder = await makeProgramFolder(files);
  try {
    const command = sandboxCommand({
      ...{ bubblewrap, prlimit, libraries, entry, bounds },
      folder: folder.path,
      filterFd: FILTER_FD,
    });
    const { ended, ...child } = spawnChild(command, filter, onLog);
    return { ...child, ended: ended.finally(folder.remove) };
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

function spawnChild({ program, args }: Command, filter: Buffer, onLog: ChildOptions["onLog"]): SandboxChild {
  const child = spawn(program, args, { env: {}, cwd: "/", stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"] });
  // Where not even pipes can be made it has none, and says so by this event.
  const failed = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`could not be started (${error.message})`));
  });
  let hasWrittenTooMuch = false;
  const log = boundedLog(() => {
    hasWrittenTooMuch = true;
    child.kill("SIGKILL");
  });
  for (const stream of [child.stdout, child.stderr]) {
    const lines = wholeLines((text) => onLog?.(text));
    stream?.on("data", (chunk: Buffer) => log.add(chunk) && lines.add(chunk));
    stream?.on("end", lines.end);
  }
  const pipe = duplex(child.stdio[PIPE_FD]);
  const filterPipe = duplex(child.stdio[FILTER_FD]);
  // A program that is gone does not read: `ended` says why.
  for (const one of [pipe, filterPipe]) one.on("error", () => {});
  filterPipe.end(filter);
  const closed = new Promise<string>((resolve) => {
    child.once("close", (code, signal) => {
      resolve(hasWrittenTooMuch ? "wrote more to its log than it may" : whyEnded(code, signal, log.text()));
    });
  });
  const kill = (): void => void child.kill("SIGKILL");
  return { pipe, pid: child.pid, log: log.text, kill, ended: Promise.race([failed, closed]) };
}

function required<Found>(what: Missing, found: Found | null): Found {
  if (found === null) throw new SandboxMissingError(what);
  return found;
}

function duplex(stream: unknown): Duplex {
  if (!isDuplex(stream)) throw new Error("A pipe to the sandbox is missing.");
  return stream;
}

const isDuplex = (stream: unknown): stream is Duplex =>
  typeof stream === "object" && stream !== null && "write" in stream && "read" in stream;

function boundedLog(onTooMuch: () => void) {
  let kept = Buffer.alloc(0);
  let total = 0;
  return {
    /** Whether it is still read. */
    add(chunk: Buffer): boolean {
      if (total > MAX_LOG_BYTES) return false;
      total += chunk.length;
      kept = Buffer.concat([kept, chunk]).subarray(-KEPT_LOG_BYTES);
      if (total > MAX_LOG_BYTES) onTooMuch();
      return true;
    },
    text(): string {
      if (total <= KEPT_LOG_BYTES) return kept.toString("utf8");
      const end = kept.indexOf(10);
      return end === -1 ? "" : kept.toString("utf8", end + 1);
    },
  };
}

/** Whoever masks credentials has to see them whole: text is passed on with the lines that it belongs to. */
function wholeLines(onText: (text: string) => void) {
  const decoder = new StringDecoder("utf8");
  let line = "";
  let isTooLong = false;
  const begin = (text: string): void => {
    line += text;
    isTooLong ||= line.length > MAX_LINE_LENGTH;
    if (isTooLong) line = "";
  };
  const flush = (rest: string): void => {
    begin(rest.slice(0, rest.indexOf("\n") + 1));
    const lines = rest.slice(rest.indexOf("\n") + 1);
    onText(isTooLong ? `(a line of more than ${MAX_LINE_LENGTH} characters)\n${lines}` : line + lines);
    line = "";
    isTooLong = false;
  };
  return {
    add(chunk: Buffer): void {
      const text = decoder.write(chunk);
      const end = text.lastIndexOf("\n") + 1;
      if (end > 0) flush(text.slice(0, end));
      begin(text.slice(end));
    },
    end: (): void => {
      if (line !== "" || isTooLong) flush("");
    },
  };
}

const SIGNALS = 128;
const SIGXCPU = 24;

/** Bubblewrap ends with 128 and the number of the signal that ended the program. */
function whyEnded(code: number | null, signal: string | null, log: string): string {
  const [refusal] = code === 1 ? (/^bwrap: .*$/m.exec(log) ?? []) : [];
  if (refusal !== undefined) return `could not be started (${refusal})`;
  if (/heap out of memory|Fatal process out of memory|Array buffer allocation failed/.test(log))
    return "used more memory than it may";
  if (code === SIGNALS + SIGXCPU || signal === "SIGXCPU") return "used more of the processor than it may";
  if (signal !== null) return "was ended";
  if (code !== null && code > SIGNALS) return `was ended by signal ${code - SIGNALS}`;
  return `ended by itself with code ${code ?? 0}`;
}
