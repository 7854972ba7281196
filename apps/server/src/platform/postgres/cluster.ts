/** One PostgreSQL cluster: makes it, starts it after whatever happened to the last run, stops it. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
  chownSync,
} from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import type { Account } from "./account.ts";
import { type Binaries, majorVersion } from "./binaries.ts";
import type { Place } from "./data-dir.ts";
import { isAlive, isPostmasterOf, waitForEnd } from "./process-identity.ts";
import { PostgresStartError } from "./start-error.ts";

export interface Cluster {
  place: Place;
  binaries: Binaries;
  account: Account | undefined;
  /** Superuser of the cluster, used only to make the server's own role. */
  superuser: { name: string; password: string };
  /** Also listens on 127.0.0.1 when set; otherwise only on the Unix socket. */
  loopbackPort?: number;
  /** For tests: fast and forgetful. */
  unsafe?: boolean;
}

/** Names the socket file when there is no port. */
const SOCKET_PORT = 5432;
/** Many times what the largest page, sort or index here needs. */
const PROCESS_MEMORY_KB = 1_024 * 1_024;
const MEGABYTE = 1024 ** 2;
const LOG_LIMIT_BYTES = 20 * MEGABYTE;
const PATIENCE_MS = 30_000;

/** Makes the cluster's files when there are none. A half-made cluster from a killed start is thrown away. */
export async function makeCluster(cluster: Cluster): Promise<void> {
  const { place, binaries, account, superuser } = cluster;
  if (existsSync(join(place.dataFolder, "PG_VERSION"))) return checkVersion(cluster);
  const unfinished = `${place.dataFolder}.unfinished`;
  const passwordFile = join(place.folder, "password.tmp");
  rmSync(unfinished, { recursive: true, force: true });
  writeFileSync(passwordFile, superuser.password, { mode: 0o600 });
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const locale =
    majorVersion(binaries) >= 17
      ? ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
      : ["--locale=C.UTF-8"];
  const words = [`--pgdata=${unfinished}`, `--username=${superuser.name}`, `--pwfile=${passwordFile}`];
  words.push("--auth=scram-sha-256", "--encoding=UTF8", ...locale, ...(cluster.unsafe ? ["--no-sync"] : []));
  try {
    await promisify(execFile)(join(binaries.folder, "initdb"), words, processOptions(cluster));
    renameSync(unfinished, place.dataFolder);
  } catch (error) {
    throw new PostgresStartError(`The database could not be made in ${place.folder}: ${String(error)}`, {
      cause: error,
    });
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/**
 * Starts the server and waits until it accepts connections, however long it takes to recover from a crash.
 * Whatever an earlier, killed run left is cleared first: a server still running, a stale process number, dying workers.
 * @throws PostgresStartError
 */
export async function startPostmaster(cluster: Cluster): Promise<ChildProcess> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    await clearRemains(cluster.place.dataFolder);
    const logStart = logSize(cluster.place.logFile);
    const child = spawnPostmaster(cluster);
    if (await untilAccepting(cluster, child)) return child;
    const said = readFileSync(cluster.place.logFile, "utf8").slice(logStart);
    // Right after kill -9 the workers of the old server still hold its memory for a moment.
    const passing = /pre-existing shared memory block|lock file ".*" already exists|is being used by another/.test(
      said,
    );
    if (!passing || performance.now() > deadline) {
      throw new PostgresStartError(`PostgreSQL didn't start. It said:\n${lastLines(said, 12)}`);
    }
    await sleep(200);
  }
}

/** Ends the server: politely first (open transactions are undone), then with force; data is safe either way. */
export async function stopPostmaster(pid: number): Promise<void> {
  const steps: readonly [NodeJS.Signals, number][] = [
    ["SIGINT", PATIENCE_MS],
    ["SIGQUIT", 5_000],
    ["SIGKILL", 5_000],
  ];
  for (const [signal, patience] of steps) {
    if (!isAlive(pid)) return;
    process.kill(pid, signal);
    if (await waitForEnd(pid, patience)) return;
  }
}

/** The process number of the server that runs this cluster now, if one does. */
export function runningPostmaster(dataFolder: string): number | undefined {
  const pid = readPidFile(dataFolder);
  return pid !== undefined && existsSync(dataFolder) && isPostmasterOf(pid, realpathSync(dataFolder)) ? pid : undefined;
}

/** Address of a database of this cluster through its socket. */
export function socketUrl(cluster: Cluster, database: string, role = cluster.superuser): string {
  const host = encodeURIComponent(cluster.place.socketFolder);
  const port = cluster.loopbackPort ?? SOCKET_PORT;
  return `postgres://${role.name}:${encodeURIComponent(role.password)}@${host}:${port}/${database}`;
}

async function clearRemains(dataFolder: string): Promise<void> {
  const running = runningPostmaster(dataFolder);
  if (running !== undefined) await stopPostmaster(running);
  // PostgreSQL only looks whether the number is in use, and in a container it soon is, by something else.
  rmSync(join(dataFolder, "postmaster.pid"), { force: true });
}

function spawnPostmaster(cluster: Cluster): ChildProcess {
  const { place, binaries } = cluster;
  if (logSize(place.logFile) > LOG_LIMIT_BYTES) rmSync(place.logFile);
  const log = openSync(place.logFile, "a", 0o600);
  const words = Object.entries(serverSettings(cluster)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // What a process of it may take for itself, beside shared memory: a statement that builds texts of any length then fails
  // alone ("out of memory"), before the machine has none left for anybody. The shell becomes the server. Only Linux counts.
  const limited = `ulimit -d ${PROCESS_MEMORY_KB} 2>/dev/null; exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", limited, join(binaries.folder, "postgres"), "-D", place.dataFolder, ...words], {
    ...processOptions(cluster),
    stdio: ["ignore", log, log],
    // A group of its own: Ctrl-C in the terminal must reach the server first, which then stops PostgreSQL.
    detached: true,
  });
  child.on("error", () => {});
  closeSync(log);
  return child;
}

/** False when the process ended before it accepted a connection. */
async function untilAccepting(cluster: Cluster, child: ChildProcess): Promise<boolean> {
  for (;;) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return false;
    const client = new pg.Client({ connectionString: socketUrl(cluster, "postgres"), connectionTimeoutMillis: 5_000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.end();
      return true;
    } catch (error) {
      await client.end().catch(() => {});
      if (error instanceof pg.DatabaseError && error.code?.startsWith("28")) throw badPassword(cluster, error);
      await sleep(25);
    }
  }
}

const badPassword = (cluster: Cluster, cause: Error): Error =>
  new PostgresStartError(
    `PostgreSQL in ${cluster.place.folder} refuses the password kept beside it (${cause.message}). ` +
      "The two are from different homes: bring both back from the same backup.",
    { cause },
  );

/** Modest enough for a laptop, better than the defaults for pages of thousands of rows. */
function serverSettings({ place, loopbackPort, unsafe }: Cluster): Record<string, string | number> {
  const memory = totalmem() / MEGABYTE;
  return {
    listen_addresses: loopbackPort === undefined ? "" : "127.0.0.1",
    port: loopbackPort ?? SOCKET_PORT,
    unix_socket_directories: place.socketFolder,
    unix_socket_permissions: "0700",
    max_connections: unsafe ? 200 : 100,
    shared_buffers: `${Math.round(Math.min(1024, Math.max(64, memory / 8)))}MB`,
    effective_cache_size: `${Math.round(memory / 2)}MB`,
    work_mem: "32MB",
    // Of one session: sorting may not take the disk that all others write to.
    temp_file_limit: "4GB",
    maintenance_work_mem: "128MB",
    max_wal_size: "2GB",
    checkpoint_timeout: "15min",
    wal_compression: "on",
    random_page_cost: 1.1,
    jit: "off",
    max_parallel_workers_per_gather: Math.min(2, Math.max(1, availableParallelism() - 1)),
    timezone: "UTC",
    log_timezone: "UTC",
    ...(hasSmallSharedMemory() ? { dynamic_shared_memory_type: "mmap" } : {}),
    ...(unsafe ? { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" } : {}),
  };
}

/** Containers often get 64 MB of /dev/shm, too little for parallel queries. */
function hasSmallSharedMemory(): boolean {
  try {
    const { bsize, blocks } = statfsSync("/dev/shm");
    return bsize * blocks < 512 * MEGABYTE;
  } catch {
    return false;
  }
}

function checkVersion({ place, binaries }: Cluster): void {
  const made = readFileSync(join(place.dataFolder, "PG_VERSION"), "utf8").trim();
  if (Number(made) === majorVersion(binaries)) return;
  throw new PostgresStartError(
    `The database in ${place.folder} was made by PostgreSQL ${made}; this version of Accord brings PostgreSQL ` +
      `${binaries.version}. Start the version of Accord that made it and export the data, or set ACCORD_HOME to a new folder.`,
  );
}

/** Nothing of the server's own environment (settings, secrets) is handed on. */
function processOptions({ place, account }: Cluster) {
  mkdirSync(place.folder, { recursive: true });
  return {
    cwd: place.folder,
    env: { LC_ALL: "C", TZ: "UTC", PATH: "/usr/local/bin:/usr/bin:/bin" },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  };
}

function readPidFile(dataFolder: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(join(dataFolder, "postmaster.pid"), "utf8"), 10);
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

function logSize(logFile: string): number {
  return existsSync(logFile) ? statSync(logFile).size : 0;
}

const lastLines = (text: string, count: number): string => text.trim().split("\n").slice(-count).join("\n");
