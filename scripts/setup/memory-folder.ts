/** A folder in memory for the files of tests: hundreds of databases are copied and dropped, which a disk makes slow. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./root.mjs";

const SHARED_MEMORY = "/dev/shm";
const GIGABYTE = 2 ** 30;
/** The databases of all workers at once and what PostgreSQL writes ahead, with room to spare. */
const MIN_FREE_BYTES = 5 * GIGABYTE;
/** What the folder may take, and browsers and servers beside it. */
const MIN_MEMORY_BYTES = 9 * GIGABYTE;

/** Of this checkout and account; undefined where memory is short or programs can't be run from it, as in some containers. */
export function memoryFolder(): string | undefined {
  if (!existsSync(SHARED_MEMORY) || !isExecutable(readFileSync("/proc/mounts", "utf8"))) return undefined;
  const { bavail, bsize } = statfsSync(SHARED_MEMORY);
  if (bavail * bsize < MIN_FREE_BYTES || process.availableMemory() < MIN_MEMORY_BYTES) return undefined;
  const checkout = createHash("sha256").update(ROOT).digest("hex").slice(0, 8);
  const folder = join(SHARED_MEMORY, `accord-${process.getuid?.() ?? 0}-${checkout}`);
  // PostgreSQL runs as an account of its own where tests run as root.
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  return folder;
}

/** Whether the mount table has shared memory as a file system of its own, whose programs may be run. */
export function isExecutable(mounts: string): boolean {
  const mount = mounts.split("\n").findLast((line) => line.split(" ")[1] === SHARED_MEMORY);
  const [, , type, options = ""] = mount?.split(" ") ?? [];
  return type === "tmpfs" && !options.split(",").includes("noexec");
}
