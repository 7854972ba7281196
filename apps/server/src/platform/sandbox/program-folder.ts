/** Folders with the files of sandboxed programs: made for one process each, read-only, and gone with it. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isAlive } from "../postgres/process-identity.ts";

/** By path relative to the program's root. */
export type ProgramFiles = ReadonlyMap<string, Uint8Array>;

const PREFIX = "accord-sandbox-";
/** Nothing that leads out of a folder, or means something to a shell or a file system. */
const SAFE_PATH = /^[A-Za-z0-9_@][A-Za-z0-9_.@-]*(\/[A-Za-z0-9_@][A-Za-z0-9_.@-]*)*$/;

export const isSafePath = (path: string): boolean => path.length <= 200 && SAFE_PATH.test(path);

let tidied: Promise<void> | undefined;

export async function makeProgramFolder(files: ProgramFiles): Promise<{ path: string; remove(): Promise<void> }> {
  tidied ??= removeLeftFolders();
  await tidied;
  const path = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  const remove = (): Promise<void> => removeFolder(path);
  try {
    for (const [name, bytes] of files) {
      if (!isSafePath(name)) throw new Error(`${name} is no name of a file of a program.`);
      await mkdir(dirname(join(path, name)), { recursive: true });
      await writeFile(join(path, name), bytes, { flag: "wx", mode: 0o444 });
    }
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Of servers that were killed. */
async function removeLeftFolders(): Promise<void> {
  for (const name of await readdir(tmpdir()).catch(() => [])) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(join(tmpdir(), name));
  }
}

/** What can't be removed, such as another user's, is in nobody's way: the next server tries again. */
const removeFolder = (path: string): Promise<void> => rm(path, { recursive: true, force: true }).catch(() => {});
