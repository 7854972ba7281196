/** Tells a living process from a dead, a zombie or another one that got the same number later. */
import { execFileSync } from "node:child_process";
import { readFileSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether this process runs. A zombie counts as dead: it holds nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    if (!(error instanceof Error && "code" in error && error.code === "EPERM")) return false;
  }
  return statusFields(pid)?.[0] !== "Z";
}

/** A text that is the same as long as this very process lives; `undefined` when it is gone. */
export function processStartTime(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined;
  // 22nd field of /proc/<pid>/stat: start time in clock ticks since boot.
  return statusFields(pid)?.[19] ?? processList(pid, "lstart=");
}

/** Whether this process is the PostgreSQL server of this data folder. */
export function isPostmasterOf(pid: number, dataFolder: string): boolean {
  if (!isAlive(pid)) return false;
  try {
    // The server's working directory is its data folder.
    return readlinkSync(`/proc/${pid}/cwd`) === dataFolder;
  } catch {
    return processList(pid, "command=")?.includes(dataFolder) ?? false;
  }
}

/** Waits until the process is gone; answers whether it went in time. */
export async function waitForEnd(pid: number, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (isAlive(pid)) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** Fields after the name in /proc/<pid>/stat, from the state on; the name itself may hold spaces and brackets. */
function statusFields(pid: number): string[] | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    return line.slice(line.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/** For systems without /proc. */
function processList(pid: number, column: string): string | undefined {
  if (process.platform === "linux") return undefined;
  try {
    return execFileSync("ps", ["-o", column, "-p", String(pid)], { encoding: "utf8" }).trim() || undefined;
  } catch {
    return undefined;
  }
}
