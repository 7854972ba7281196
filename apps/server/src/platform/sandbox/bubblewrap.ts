/** The command line that puts Node into a sandbox of its own: namespaces, bounds, and nothing of the machine but Node itself. */
import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";

/** Bounds that the kernel and Node keep; those of messages and time are the caller's. */
export interface ProcessBounds {
  /** Of JavaScript's heap. */
  heapMb: number;
  /** Of all memory that can be written, buffers and WebAssembly included. */
  memoryMb: number;
  /** Of the processor, over the life of the process. */
  cpuSeconds: number;
  /** False only in tests, which show that the walls hold without Node's own permissions. */
  hasNodePermissions: boolean;
}

/** Where the program's files stand inside. */
export const PROGRAM_ROOT = "/accord";
const INSIDE_NODE = "/node";
/** Reserved addresses cost nothing; Node reserves more than it uses. */
const ADDRESS_SPACE_MB = 6_000;
const TMP_BYTES = 8_000_000;
const OPEN_FILES = 64;
/** 65534 is `nobody` everywhere. */
const NOBODY = "65534";

/** Full path of a program on this machine; only where the system's own programs are. */
export function findProgram(name: string): string | null {
  for (const folder of ["/usr/bin", "/bin", "/usr/local/bin"]) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // The next folder.
    }
  }
  return null;
}

let libraries: Promise<string[]> | undefined;

async function askLdd(): Promise<string[]> {
  const { stdout } = await promisify(execFile)(findProgram("ldd") ?? "ldd", [process.execPath], { env: {} });
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].flatMap(([, path]) => (path === undefined ? [] : [path]));
}

/** The libraries that Node is linked with, which are all that it sees of the machine. */
export function librariesOfNode(): Promise<string[]> {
  libraries ??= askLdd().catch((error: unknown) => {
    // Asked again by the next program.
    libraries = undefined;
    throw error;
  });
  return libraries;
}

export interface Command {
  program: string;
  args: string[];
}

/** `folder`: of the program, on the machine. The filter of system calls is read from `filterFd`. */
export function sandboxCommand(options: {
  bubblewrap: string;
  prlimit: string;
  libraries: readonly string[];
  folder: string;
  entry: string;
  bounds: ProcessBounds;
  filterFd: number;
}): Command {
  const { bounds } = options;
  const megabytes = (count: number): string => String(count * 1_000_000);
  const readOnly = (from: string, to: string): string[] => ["--ro-bind", realpathSync(from), to];
  return {
    program: options.prlimit,
    args: [
      `--data=${megabytes(bounds.memoryMb)}`,
      `--as=${megabytes(ADDRESS_SPACE_MB)}`,
      `--cpu=${bounds.cpuSeconds}`,
      `--nofile=${OPEN_FILES}`,
      `--fsize=${TMP_BYTES}`,
      "--core=0",
      "--memlock=0",
      "--",
      options.bubblewrap,
      ...["--unshare-all", "--unshare-user", "--uid", NOBODY, "--gid", NOBODY],
      ...["--die-with-parent", "--new-session", "--cap-drop", "ALL", "--clearenv", "--hostname", "sandbox"],
      ...readOnly(process.execPath, INSIDE_NODE),
      ...options.libraries.flatMap((path) => readOnly(path, path)),
      ...readOnly(options.folder, PROGRAM_ROOT),
      ...["--size", String(TMP_BYTES), "--tmpfs", "/tmp"],
      ...["--chdir", PROGRAM_ROOT, "--remount-ro", "/"],
      ...["--seccomp", String(options.filterFd)],
      "--",
      INSIDE_NODE,
      ...nodeArguments(bounds),
      join(PROGRAM_ROOT, options.entry),
    ],
  };
}

/** Node's own permissions: a second net, none that counts by itself. */
const nodeArguments = ({ heapMb, hasNodePermissions }: ProcessBounds): string[] => [
  ...(hasNodePermissions ? ["--permission", `--allow-fs-read=${PROGRAM_ROOT}`, "--no-addons"] : []),
  `--max-old-space-size=${heapMb}`,
  "--disable-sigusr1",
  // Else each WebAssembly memory reserves ten gigabytes of addresses.
  "--disable-wasm-trap-handler",
];
