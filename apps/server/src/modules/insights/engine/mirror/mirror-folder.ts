/**
 * Where the files of a mirror lie: in a folder of its process alone, for several servers, also of several machines, may have
 * one home. Each is touched while its process lives; one that is not any more is removed by the others.
 */
import { randomBytes } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

const STALE_MS = 10 * 60_000;
const HEARTBEAT = "alive";

export const mirrorFolder = (home: string): string => join(home, "mirror", randomBytes(8).toString("hex"));

/** Says that the folder is in use. */
export async function touch(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, HEARTBEAT), `${new Date().toISOString()}\n`);
}

export async function emptyFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await touch(folder);
}

/** Removes the folders beside this one, which was just touched, that nobody uses any more. */
export async function removeStale(folder: string): Promise<void> {
  // By the clock of the file system, which all of its users share.
  const now = (await touchedAt(folder)) ?? Date.now();
  for (const name of await readdir(dirname(folder))) {
    if (name === basename(folder)) continue;
    const other = join(dirname(folder), name);
    const at = await touchedAt(other);
    if (at !== null && now - at > STALE_MS) await rm(other, { recursive: true, force: true });
  }
}

async function touchedAt(folder: string): Promise<number | null> {
  for (const path of [join(folder, HEARTBEAT), folder]) {
    const found = await stat(path).catch(() => null);
    if (found) return found.mtimeMs;
  }
  return null;
}
