/** Where the files of a mirror lie: in a folder of its process alone, for several servers may have one home. */
import { readdir, rm } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

const ownHost = (): string => hostname().replaceAll(/[^A-Za-z0-9]/g, "_");

export const mirrorFolder = (home: string): string => join(home, "mirror", `${ownHost()}-${process.pid}`);

/** Empties the folder, and removes those of servers of this machine that are no more. */
export async function removeStale(folder: string): Promise<void> {
  const names = await readdir(dirname(folder)).catch(() => []);
  for (const name of names) {
    const [, host, pid] = /^(.*)-(\d+)$/.exec(name) ?? [];
    if (name === basename(folder) || (host === ownHost() && !isAlive(Number(pid))))
      await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
