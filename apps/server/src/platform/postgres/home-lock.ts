/** Keeps two servers out of the same home folder. A lock left by a killed server is taken over. */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { makeHome } from "./home-folder.ts";
import { processStartTime } from "./process-identity.ts";

const Owner = z.object({ pid: z.number(), processStartTime: z.string() });

/** Another server runs in this home. */
export class DataDirInUseError extends Error {
  override name = "DataDirInUseError";
  readonly pid: number;
  constructor(home: string, pid: number) {
    super(
      `Accord already runs in ${home} (process ${pid}). Stop it first, or set ACCORD_HOME to another folder for a second one.`,
    );
    this.pid = pid;
  }
}

/**
 * Takes the lock of a folder; the returned function gives it back.
 * @throws DataDirInUseError while the process that holds it lives.
 */
export function lockHome(home: string): () => void {
  makeHome(home);
  const lock = join(home, "server.lock");
  const mine = join(home, `server.lock.${process.pid}`);
  const text = JSON.stringify({ pid: process.pid, processStartTime: processStartTime(process.pid) ?? "" });
  writeFileSync(mine, text);
  try {
    for (;;) {
      if (tryLink(mine, lock)) return () => release(lock, text);
      const owner = readOwner(lock);
      if (owner && processStartTime(owner.pid) === owner.processStartTime) throw new DataDirInUseError(home, owner.pid);
      // Moving is atomic: of two servers that find the same dead lock, one moves it and the other starts over.
      const dead = `${lock}.dead.${process.pid}`;
      if (tryMove(lock, dead)) rmSync(dead, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function release(lock: string, text: string): void {
  try {
    if (readFileSync(lock, "utf8") === text) rmSync(lock);
  } catch {
    // The folder is gone already.
  }
}

function readOwner(lock: string): z.infer<typeof Owner> | undefined {
  try {
    return Owner.parse(JSON.parse(readFileSync(lock, "utf8")));
  } catch {
    return undefined;
  }
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function tryMove(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch {
    return false;
  }
}
